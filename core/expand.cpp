// The inner loop: all children of one prefix, from one pass over the groups it has not captured.
#include <algorithm>
#include <limits>

#include "bits.hpp"
#include "bounds.hpp"
#include "search.hpp"

namespace surelist {

void Search::expand(PrefixId id) {
  open(id);
  children_.clear();
  if (!prunable(parent_) && !parent_is_hopeless()) {
    ++counters_.expanded;
    evaluate_children();
    if (stop_ != Status::kRunning) return put_back(id);
    keep_children(id);
  }
  const bool has_children = tree_[id].first_child != kNoPrefix;
  const bool propagate = has_children && options_.bounds[Bound::kRejection];
  tree_.close(id, propagate ? accepted_.data() : nullptr);
  last_expanded_ = has_children ? id : kNoPrefix;
  if (!has_children) tree_.prune_upwards(id);
  if (improved_) collect_garbage();
}

void Search::evaluate_children() {
  accepted_ = viable_;
  for (std::size_t w = 0; w < viable_.size() && stop_ == Status::kRunning; ++w) {
    bits::for_each(viable_[w], w * bits::kWord,
                   [this](std::size_t s) { evaluate(static_cast<Antecedent>(s)); });
  }
}

// Stopped in the middle: nothing has been inserted yet, so the prefix simply stays open.
void Search::put_back(PrefixId id) {
  tree_.entered_queue(id);
  if (options_.policy != Policy::kRandom) {
    queue_.push(-std::numeric_limits<double>::infinity(), id);
  }
}

// Re-makes the set of groups not captured along the path: cheaper than keeping it for each prefix.
void Search::open(PrefixId id) {
  parent_ = tree_[id];
  parent_antecedents_ = tree_.antecedents(id);
  bits::fill(set_.data(), problem_->n_groups());
  for (const Antecedent s : parent_antecedents_) {
    bits::and_not(set_.data(), problem_->captured(s), set_.size());
  }
  list_viable(id);
  counter_.count(set_.data(), viable_.data(), counts_);
  set_is_cut_ = false;
  const BoundSet& on = options_.bounds;
  if (on[Bound::kGainPotential] || on[Bound::kLastRule]) potential_.reset(counts_, viable_.data());
  if (knows_net_gains()) last_rule_.reset(counts_, viable_.data());
}

// Theorem "Antecedent rejection propagates": what an ancestor rejected is not tried again.
void Search::list_viable(PrefixId id) {
  const Word* inherited = tree_.viable(tree_[id].parent);
  if (inherited != nullptr) {
    std::copy_n(inherited, viable_.size(), viable_.begin());
  } else {
    bits::fill(viable_.data(), problem_->n_antecedents());
  }
  for (const Antecedent s : parent_antecedents_) {
    viable_[s / bits::kWord] &= ~(Word{1} << (s % bits::kWord));
  }
}

// With its own counts at hand, what the whole prefix can still gain is known better than when it
// was inserted.
bool Search::parent_is_hopeless() {
  if (!options_.bounds[Bound::kGainPotential]) return false;
  for (Label q = 0; q < default_costs_.size(); ++q) {
    default_costs_[q] = counts_.cost(q)[counts_.total()];
  }
  GainPotential::Rest rest{parent_.prefix_loss, parent_.length, default_costs_.data(),
                           counts_.floor()[counts_.total()], kNoAntecedent};
  if (knows_net_gains()) {
    first_gains_ = {last_rule_.reach(0), last_rule_.reach(1)};
    rest.first_gains = first_gains_.data();
  }
  if (!potential_.prunes(rest, scale_, budget_, 1, max_length_ - parent_.length)) return false;
  counters_.prune(Bound::kGainPotential);
  return true;
}

// With two classes the net gain of single rules is known from the counts.
bool Search::knows_net_gains() const {
  const BoundSet& on = options_.bounds;
  return problem_->n_classes() == 2 && (on[Bound::kGainPotential] || on[Bound::kLastRule]);
}

void Search::evaluate(Antecedent s) {
  if (stop_ != Status::kRunning) return;
  Child child;
  measure(s, child);
  if (rejected(child)) {
    accepted_[s / bits::kWord] &= ~(Word{1} << (s % bits::kWord));
    return;
  }
  if (in_wrong_order(child)) return;
  const Length length = parent_.length + 1;
  ++counters_.lower_bound_evaluations;
  counters_.longest_prefix = std::max(counters_.longest_prefix, length);
  if (options_.bounds[Bound::kHierarchical] &&
      bounds::hierarchical_prunes(child.prefix_loss, budget_.at(length))) {
    counters_.prune(Bound::kHierarchical);
    return;
  }
  ++counters_.evaluated;
  if (child.prefix_loss + child.default_loss <= budget_.at(length)) {
    Prefix prefix = parent_antecedents_;
    prefix.push_back(s);
    offer(scale_.of(child.prefix_loss + child.default_loss, length), std::move(prefix));
  }
  if (length < max_length_ && worth_keeping(child)) children_.push_back(child);
}

void Search::measure(Antecedent s, Child& child) const {
  const std::size_t total = counts_.total();
  const Weight* cost = counts_.cost(0);
  Weight loss = cost[s];
  Weight default_loss = cost[total] - loss;
  for (Label q = 1; q < counts_.n_classes(); ++q) {
    cost = counts_.cost(q);
    if (cost[s] < loss) {
      loss = cost[s];
      child.label = q;
    }
    default_loss = std::min(default_loss, cost[total] - cost[s]);
  }
  child.antecedent = s;
  child.captured = counts_.weight()[s];
  child.prefix_loss = parent_.prefix_loss + loss;
  child.default_loss = default_loss;
  child.minority = counts_.floor()[total] - counts_.floor()[s];
  child.bound_loss = options_.bounds[Bound::kEquivalentPoints]
                         ? bounds::equivalent_points(child.prefix_loss, child.minority)
                         : child.prefix_loss;
}

// A rule that a list is no worse without, here and after every longer prefix.
bool Search::rejected(const Child& child) {
  const BoundSet& on = options_.bounds;
  const Weight loss = child.prefix_loss - parent_.prefix_loss;
  const Weight left = counts_.weight()[counts_.total()] - child.captured;
  const auto reject = [this](Bound bound) {
    counters_.prune(bound);
    return true;
  };
  if (on[Bound::kSupport] && bounds::support_rejects(scale_, child.captured)) {
    return reject(Bound::kSupport);
  }
  if (on[Bound::kAccurateSupport] &&
      bounds::accurate_support_rejects(scale_, child.captured, loss)) {
    return reject(Bound::kAccurateSupport);
  }
  if (on[Bound::kExcessiveSupport] && bounds::excessive_support_rejects(scale_, left)) {
    return reject(Bound::kExcessiveSupport);
  }
  if (on[Bound::kRuleWorth] &&
      bounds::rule_worth_rejects(scale_, counts_.ceiling()[child.antecedent], loss)) {
    return reject(Bound::kRuleWorth);
  }
  return false;
}

bool Search::in_wrong_order(const Child& child) {
  if (!options_.bounds[Bound::kSameLabelOrder] || parent_.length == 0) return false;
  if (!bounds::same_label_order_skips(parent_.antecedent, parent_.label, child.antecedent,
                                      child.label)) {
    return false;
  }
  counters_.prune(Bound::kSameLabelOrder);
  return true;
}

// Whether anything that starts with the child and is longer could beat the incumbent.
bool Search::worth_keeping(Child& child) {
  const BoundSet& on = options_.bounds;
  const Length length = parent_.length + 1;
  const Weight loss = child.bound_loss;
  if (on[Bound::kHierarchical] && bounds::hierarchical_prunes(loss, budget_.at(length))) {
    counters_.prune(on[Bound::kEquivalentPoints] ? Bound::kEquivalentPoints : Bound::kHierarchical);
    return false;
  }
  if (on[Bound::kLookahead] && bounds::lookahead_prunes(loss, budget_.at(length + 1))) {
    counters_.prune(Bound::kLookahead);
    return false;
  }
  if (length_prunes(loss)) return false;
  bool at_most_one_more =
      length + 1 == max_length_ || bounds::at_most_one_more(loss, budget_.at(length + 2));
  if (potential_prunes(child, at_most_one_more)) return false;
  if (!on[Bound::kLastRule] || !at_most_one_more) return true;
  if (!out_of_time(1)) look_at_last_rule(child);
  return false;
}

bool Search::length_prunes(Weight loss) {
  const BoundSet& on = options_.bounds;
  const Length length = parent_.length + 1;
  const std::size_t n_antecedents = problem_->n_antecedents();
  if (on[Bound::kLengthTrivial] && length >= bounds::trivial_length(n_antecedents)) {
    counters_.prune(Bound::kLengthTrivial);
    return true;
  }
  if (on[Bound::kLengthObjective] && length >= longest_by_objective_) {
    counters_.prune(Bound::kLengthObjective);
    return true;
  }
  if (on[Bound::kLengthPrefix] &&
      bounds::length_from_prefix_prunes(scale_.of(loss, length), scale_.rule(), best_)) {
    counters_.prune(Bound::kLengthPrefix);
    return true;
  }
  return false;
}

// Gain potential of the child, from its parent's counts. Also finds out, more sharply than the
// length alone, whether at most one rule can follow.
bool Search::potential_prunes(Child& child, bool& at_most_one_more) {
  const BoundSet& on = options_.bounds;
  if (!on[Bound::kGainPotential] && !(on[Bound::kLastRule] && at_most_one_more)) return false;
  for (Label q = 0; q < default_costs_.size(); ++q) {
    default_costs_[q] = counts_.cost(q)[counts_.total()] - counts_.cost(q)[child.antecedent];
  }
  const Length length = parent_.length + 1;
  const Length most = at_most_one_more ? 1 : max_length_ - length;
  GainPotential::Rest rest{child.prefix_loss, length, default_costs_.data(), child.minority,
                           child.antecedent};
  if (potential_.prunes(rest, scale_, budget_, 1, most)) {
    counters_.prune(on[Bound::kGainPotential] ? Bound::kGainPotential : Bound::kLastRule);
    return true;
  }
  if (knows_net_gains()) {
    first_gains_ = {last_rule_.reach_after(child.antecedent, 0),
                    last_rule_.reach_after(child.antecedent, 1)};
    rest.first_gains = first_gains_.data();
  }
  if (potential_.prunes(rest, scale_, budget_, 1, most)) {
    counters_.prune(on[Bound::kGainPotential] ? Bound::kGainPotential : Bound::kLastRule);
    return true;
  }
  if (at_most_one_more || !on[Bound::kGainPotential]) return false;
  at_most_one_more = potential_.prunes(rest, scale_, budget_, 2, most);
  if (at_most_one_more && on[Bound::kLastRule]) return false;
  // Round down to a whole weight at one more rule: still a bound, and compact.
  const Objective bound = potential_.lower_bound(rest, scale_, most, infinite_);
  child.bound_loss =
      std::max(child.bound_loss, scale_.weight_within(bound - scale_.of(0, length + 1)));
  return false;
}

// The last rule needs no place in the tree: evaluate every single-rule completion now.
void Search::look_at_last_rule(const Child& child) {
  counters_.prune(Bound::kLastRule);
  counters_.longest_prefix = std::max(counters_.longest_prefix, parent_.length + 2);
  const Weight most = budget_.at(parent_.length + 2) - child.prefix_loss;
  LastRule::Found found;
  const bool better = problem_->n_classes() == 2 ? find_last_rule(child, most, found)
                                                 : count_last_rule(child, most, found);
  if (!better) return;
  Prefix prefix = parent_antecedents_;
  prefix.push_back(child.antecedent);
  prefix.push_back(found.antecedent);
  offer(scale_.of(child.prefix_loss + found.loss, parent_.length + 2), std::move(prefix));
}

bool Search::find_last_rule(const Child& child, Weight most, LastRule::Found& found) {
  ++counters_.last_rule_looks;
  if (!set_is_cut_) counter_.slices().cut(set_.data(), set_cut_);
  set_is_cut_ = true;
  counter_.slices().cut_without(set_cut_, child.antecedent, child_cut_);
  return last_rule_.find(child.antecedent, default_costs_.data(), most, counter_.slices(),
                         child_cut_, found);
}

bool Search::count_last_rule(const Child& child, Weight most, LastRule::Found& found) {
  ++counters_.last_rule_looks;
  child_set_ = set_;
  bits::and_not(child_set_.data(), problem_->captured(child.antecedent), child_set_.size());
  counter_.count(child_set_.data(), viable_.data(), child_counts_);
  bool any = false;
  const std::size_t total = child_counts_.total();
  bits::for_each(viable_.data(), viable_.size(), [&](std::size_t t) {
    Weight loss = child_counts_.cost(0)[t];
    Weight rest = child_counts_.cost(0)[total] - loss;
    for (Label q = 1; q < child_counts_.n_classes(); ++q) {
      loss = std::min(loss, child_counts_.cost(q)[t]);
      rest = std::min(rest, child_counts_.cost(q)[total] - child_counts_.cost(q)[t]);
    }
    if (loss + rest > most) return;
    found = {loss + rest, static_cast<Antecedent>(t)};
    most = loss + rest - 1;
    any = true;
  });
  return any;
}

}  // namespace surelist
