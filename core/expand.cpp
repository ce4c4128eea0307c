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
  counter_.count(set_.data(), counts_);
  const BoundSet& on = options_.bounds;
  if (on[Bound::kGainPotential] || on[Bound::kLastRule]) potential_.reset(counts_, viable_.data());
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
  const GainPotential::Bounds bounds = potential_.bounds(
      scale_, parent_.prefix_loss, parent_.length, default_costs_.data(),
      counts_.floor()[counts_.total()], kNoAntecedent, max_length_ - parent_.length, infinite_);
  if (std::min(bounds.one, bounds.more) < best_) return false;
  counters_.prune(Bound::kGainPotential);
  return true;
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
  const Objective bound = scale_.of(child.prefix_loss, length);
  if (options_.bounds[Bound::kHierarchical] && bounds::hierarchical_prunes(bound, best_)) {
    counters_.prune(Bound::kHierarchical);
    return;
  }
  ++counters_.evaluated;
  const Objective objective = scale_.of(child.prefix_loss + child.default_loss, length);
  if (objective < best_) {
    Prefix prefix = parent_antecedents_;
    prefix.push_back(s);
    offer(objective, std::move(prefix));
  }
  if (length < max_length_ && worth_keeping(child)) children_.push_back(child);
}

void Search::measure(Antecedent s, Child& child) const {
  const std::size_t total = counts_.total();
  child.antecedent = s;
  child.captured = counts_.weight()[s];
  Weight loss = counts_.cost(0)[s];
  Weight default_loss = counts_.cost(0)[total] - loss;
  for (Label q = 1; q < counts_.n_classes(); ++q) {
    const Weight cost = counts_.cost(q)[s];
    if (cost < loss) {
      loss = cost;
      child.label = q;
    }
    default_loss = std::min(default_loss, counts_.cost(q)[total] - cost);
  }
  child.prefix_loss = parent_.prefix_loss + loss;
  child.default_loss = default_loss;
  child.minority = counts_.floor()[total] - counts_.floor()[s];
  child.bound_loss =
      child.prefix_loss + (options_.bounds[Bound::kEquivalentPoints] ? child.minority : 0);
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
  const Objective bound = scale_.of(child.bound_loss, length);
  if (on[Bound::kHierarchical] && bounds::hierarchical_prunes(bound, best_)) {
    counters_.prune(on[Bound::kEquivalentPoints] ? Bound::kEquivalentPoints : Bound::kHierarchical);
    return false;
  }
  if (on[Bound::kLookahead] && bounds::lookahead_prunes(bound, scale_.rule(), best_)) {
    counters_.prune(Bound::kLookahead);
    return false;
  }
  if (length_prunes(bound)) return false;
  bool at_most_one_more =
      length + 1 == max_length_ || bounds::at_most_one_more(bound, scale_.rule(), best_);
  if (potential_prunes(child, at_most_one_more)) return false;
  if (!on[Bound::kLastRule] || !at_most_one_more) return true;
  if (!out_of_time(1)) look_at_last_rule(child);
  return false;
}

bool Search::length_prunes(Objective lower_bound) {
  const BoundSet& on = options_.bounds;
  const Length length = parent_.length + 1;
  const std::size_t n_antecedents = problem_->n_antecedents();
  if (on[Bound::kLengthTrivial] && length >= bounds::trivial_length(n_antecedents)) {
    counters_.prune(Bound::kLengthTrivial);
    return true;
  }
  if (on[Bound::kLengthObjective] &&
      length >= bounds::length_from_objective(scale_, best_, n_antecedents)) {
    counters_.prune(Bound::kLengthObjective);
    return true;
  }
  if (on[Bound::kLengthPrefix] &&
      length >= bounds::length_from_prefix(scale_, best_, lower_bound, length, n_antecedents)) {
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
  const GainPotential::Bounds bounds =
      potential_.bounds(scale_, child.prefix_loss, length, default_costs_.data(), child.minority,
                        child.antecedent, most, infinite_);
  const Objective least = std::min(bounds.one, bounds.more);
  if (least >= best_) {
    counters_.prune(on[Bound::kGainPotential] ? Bound::kGainPotential : Bound::kLastRule);
    return true;
  }
  if (!on[Bound::kGainPotential]) return false;
  if (bounds.more >= best_) at_most_one_more = true;
  // Round down to a whole weight at one more rule: still a bound, and compact.
  if (!at_most_one_more) {
    const Weight loss = scale_.weight_within(least - scale_.of(0, length + 1));
    child.bound_loss = std::max(child.bound_loss, loss);
  }
  return false;
}

// The last rule needs no place in the tree: evaluate every single-rule completion now.
void Search::look_at_last_rule(const Child& child) {
  ++counters_.last_rule_looks;
  counter_.count_without(set_.data(), counts_, child.antecedent, child_counts_);
  const std::size_t n_antecedents = problem_->n_antecedents();
  const std::size_t total = child_counts_.total();
  Weight least = child.default_loss;
  Antecedent last = kNoAntecedent;
  for (Antecedent t = 0; t < n_antecedents; ++t) {
    Weight loss = child_counts_.cost(0)[t];
    Weight rest = child_counts_.cost(0)[total] - loss;
    for (Label q = 1; q < child_counts_.n_classes(); ++q) {
      loss = std::min(loss, child_counts_.cost(q)[t]);
      rest = std::min(rest, child_counts_.cost(q)[total] - child_counts_.cost(q)[t]);
    }
    if (loss + rest < least) {
      least = loss + rest;
      last = t;
    }
  }
  counters_.evaluated += n_antecedents;
  counters_.longest_prefix = std::max(counters_.longest_prefix, parent_.length + 2);
  counters_.prune(Bound::kLastRule);
  const Objective objective = scale_.of(child.prefix_loss + least, parent_.length + 2);
  if (last == kNoAntecedent || objective >= best_) return;
  Prefix prefix = parent_antecedents_;
  prefix.push_back(child.antecedent);
  prefix.push_back(last);
  offer(objective, std::move(prefix));
}

}  // namespace surelist
