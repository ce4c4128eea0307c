// The bounds that exclude a prefix or a child one at a time, because they need more than the
// child's counts. (Tests on the counts alone judge all children at once: ChildTests in
// kernel_arguments.hpp.) Cheap ones come first; those that take long are throttled, where they
// seldom exclude anything.
#include <algorithm>

#include "base/bits.hpp"
#include "base/work.hpp"
#include "problem/bounds.hpp"
#include "search/expander.hpp"

namespace surelist {

// Gain potential of the prefix itself: with its own counts it is sharper than when it was inserted.
bool Expander::gain_prunes_prefix() {
  if (!on(Bound::kGainPotential)) return false;
  for (Label q = 0; q < default_costs_.size(); ++q) {
    default_costs_[q] = counts_.cost(q)[counts_.total()];
  }
  GainPotential::Rest rest{.prefix_loss = parent_.prefix_loss,
                           .length = parent_.length,
                           .default_costs = default_costs_.data(),
                           .minority = counts_.floor()[counts_.total()]};
  use_net_gains(rest, kNoAntecedent);
  const MoreRules more{.least = 1, .most = context_.max_length - parent_.length};
  const LabelSavings::Rest saving{kNoAntecedent, parent_.prefix_loss, parent_.length};
  const bool prunes = potential_.prunes(rest, context_.scale, incumbent_.budget, more) ||
                      (knows_savings() && savings_.prunes(saving, incumbent_.budget, more));
  if (!prunes) return false;
  counters_.prune(Bound::kGainPotential);
  return true;
}

// Whether a proper extension of the child could beat the incumbent, which may have improved since
// the child was judged.
bool Expander::worth_keeping(Child& child) {
  const Length length = child_length();
  const Budget& budget = incumbent_.budget;
  const Weight loss = child.bound_loss;
  if (on(Bound::kLookahead) && bounds::lookahead_prunes(loss, budget.at(length + 1))) {
    counters_.prune(Bound::kLookahead);
    return false;
  }
  if (length_prunes(loss)) return false;
  const bool at_most_one_more =
      length + 1 == context_.max_length || bounds::at_most_one_more(loss, budget.at(length + 2));
  const Following following = rules_that_may_follow(child, at_most_one_more);
  if (following == Following::kNone) return false;
  if (!on(Bound::kLastRule) || following == Following::kMore) return true;
  if (similar_sets_prune(child)) {
    counters_.prune(Bound::kSimilarSets);
    return false;
  }
  stopped_ = stopped_ || host_.must_abandon();
  if (!stopped_) look_at_last_rule(child);
  return false;
}

bool Expander::length_prunes(Weight loss) {
  const Length length = child_length();
  if (on(Bound::kLengthTrivial) && length >= bounds::trivial_length(problem_.n_antecedents())) {
    counters_.prune(Bound::kLengthTrivial);
    return true;
  }
  if (on(Bound::kLengthObjective) && length >= incumbent_.longest) {
    counters_.prune(Bound::kLengthObjective);
    return true;
  }
  // With lookahead on, this excludes nothing more.
  if (on(Bound::kLengthPrefix) && !on(Bound::kLookahead) &&
      bounds::length_from_prefix_prunes(context_.scale.of(loss, length), context_.scale.rule(),
                                        incumbent_.objective)) {
    counters_.prune(Bound::kLengthPrefix);
    return true;
  }
  return false;
}

// By the gain potential of the child, from its parent's counts. `at_most_one_more` is what its
// bound alone has shown. Raises the child's bound if more than one rule may follow.
Expander::Following Expander::rules_that_may_follow(Child& child, bool at_most_one_more) {
  const bool potential = on(Bound::kGainPotential);
  const Following by_length = at_most_one_more ? Following::kAtMostOne : Following::kMore;
  if (!potential && !(on(Bound::kLastRule) && at_most_one_more)) return by_length;
  for (Label q = 0; q < default_costs_.size(); ++q) {
    default_costs_[q] = counts_.cost(q)[counts_.total()] - counts_.cost(q)[child.antecedent];
  }
  const ObjectiveScale& scale = context_.scale;
  const Length length = child_length();
  const Length most = at_most_one_more ? 1 : context_.max_length - length;
  GainPotential::Rest rest{.prefix_loss = child.prefix_loss,
                           .length = length,
                           .default_costs = default_costs_.data(),
                           .minority = child.minority,
                           .used = child.antecedent};
  if (gain_prunes_child(rest, most)) {
    counters_.prune(potential ? Bound::kGainPotential : Bound::kLastRule);
    return Following::kNone;
  }
  if (at_most_one_more || !potential) return by_length;
  const LabelSavings::Rest saving{child.antecedent, child.prefix_loss, length};
  const MoreRules two_or_more{.least = 2, .most = most};
  const bool only_one =
      potential_.prunes(rest, scale, incumbent_.budget, two_or_more) ||
      (savings_.is_known() && savings_.prunes(saving, incumbent_.budget, two_or_more));
  if (only_one && on(Bound::kLastRule)) return Following::kAtMostOne;
  // As a whole weight, rounded down, at one more rule or the least number: still a bound.
  Objective bound = potential_.lower_bound(rest, scale, most, context_.infinite);
  if (savings_.is_known()) bound = std::max(bound, savings_.lower_bound(saving, most));
  const Length priced = std::max(length + 1, context_.options.shortest);
  if (bound > scale.of(0, priced)) {
    child.bound_loss = std::max(child.bound_loss, scale.weight_within(bound - scale.of(0, priced)));
  }
  return only_one ? Following::kAtMostOne : Following::kMore;
}

// First by gains, which are known already; then by net gains, which take a pass over the
// antecedents.
bool Expander::gain_prunes_child(GainPotential::Rest& rest, Length most) {
  const MoreRules more{.least = 1, .most = most};
  if (potential_.prunes(rest, context_.scale, incumbent_.budget, more)) return true;
  if (!context_.knows_net_gains()) return false;
  use_net_gains(rest, rest.used);
  return potential_.prunes(rest, context_.scale, incumbent_.budget, more);
}

// The largest net gain of the next rule after the prefix, or after its child s.
void Expander::use_net_gains(GainPotential::Rest& rest, Antecedent s) {
  if (!context_.knows_net_gains()) return;
  counters_.work += last_rule_.work();
  for (Label q = 0; q < 2; ++q) {
    first_gains_[q] = s == kNoAntecedent ? last_rule_.reach(q) : last_rule_.reach_after(s, q);
  }
  rest.first_gains = first_gains_.data();
}

// Whether at most one more rule may follow the child, and none can pay. Sharper than the test in
// the kernel, and slower; labels that a constant-time bound excludes are skipped.
bool Expander::last_rule_prunes(Antecedent s) {
  if (!on(Bound::kGainPotential) || !context_.knows_net_gains()) return false;
  counters_.work += last_rule_.work();
  const Budget& budget = incumbent_.budget;
  const std::size_t total = counts_.total();
  const Weight minority = counts_.floor()[total] - counts_.floor()[s];
  const Weight prefix_loss = parent_.prefix_loss + loss_[s];
  const Weight bound = least_loss(prefix_loss, minority);
  if (child_length() + 1 != context_.max_length &&
      !bounds::at_most_one_more(bound, budget.at(child_length() + 2))) {
    return false;
  }
  const Weight most = budget.at(child_length() + 1) - prefix_loss;
  for (Label q = 0; q < 2; ++q) {
    const Weight default_cost = counts_.cost(q)[total] - counts_.cost(q)[s];
    if (default_cost - std::min(potential_.largest(q), last_rule_.most_after(s, q)) > most)
      continue;
    if (default_cost - last_rule_.reach_after(s, q) <= most) return false;
  }
  return true;
}

bool Expander::at_most_two_more(const Child& child) const {
  return at_most_two_follow(least_loss(child.prefix_loss, child.minority), child_length());
}

bool Expander::at_most_two_follow(Weight bound, Length length) const {
  return on(Bound::kLastRule) &&
         (length + 2 >= context_.max_length ||
          bounds::at_most_two_more(bound, incumbent_.budget.at(length + 3)));
}

bool Expander::last_pair_prunes_child(const Child& child) {
  return at_most_two_more(child) && pair_throttle_.due() &&
         last_pair_prunes(
             {child.prefix_loss, child_length(), child.antecedent, {child.antecedent, child.label}},
             pair_throttle_);
}

// The same for the prefix itself, with its own counts.
bool Expander::last_pair_prunes_prefix() {
  const Weight bound = least_loss(parent_.prefix_loss, counts_.floor()[counts_.total()]);
  if (!at_most_two_follow(bound, parent_.length) || !own_pair_throttle_.due()) return false;
  PairTest test{parent_.prefix_loss, parent_.length, kNoAntecedent, {}};
  // The rules that every list begins with are not reordered.
  if (parent_.length > constraints_.first.size()) test.order = {parent_.antecedent, parent_.label};
  return last_pair_prunes(test, own_pair_throttle_);
}

bool Expander::last_pair_prunes(const PairTest& test, Throttle& throttle) {
  if (!on(Bound::kLastPair) || !context_.knows_net_gains()) return false;
  const Antecedent s = test.s;
  // A checker that knows the last two rules tests all pairs, and finds that all lists reach the
  // optimum. Where it does not, nothing may rest on their order.
  const bool proven =
      !context_.certifies() || (constraints_.surcharges.empty() && constraints_.required.empty() &&
                                !constraints_.rule_label);
  const bool ordered = on(Bound::kSameLabelOrder) && proven;
  const LastPair::Order order = ordered ? test.order : LastPair::Order{};
  pairs_counted_after_ = kNoAntecedent;
  bool counted = false;
  const Weight with_one = incumbent_.budget.at(test.length + 1) - test.prefix_loss;
  const Weight with_two = incumbent_.budget.at(test.length + 2) - test.prefix_loss;
  for (Label q = 0; q < 2; ++q) {
    const Weight* cost = counts_.cost(q);
    const Weight default_cost = cost[counts_.total()] - (s == kNoAntecedent ? 0 : cost[s]);
    const LastPair::Needed needed{default_cost - with_one, default_cost - with_two};
    const bool may_gain = last_pair_.may_gain(s, q, needed, order);
    counters_.work += last_pair_.work();
    if (may_gain && !count_last_pairs(test, q, needed)) return false;
    counted = counted || may_gain;
  }
  throttle.hit();
  counters_.prune(counted ? Bound::kPairCount : Bound::kLastPair);
  return true;
}

// Where the bound leaves pairs: whether counting shows that none of them, and no single rule, gains
// enough. A better list that turns up is offered, and the child is expanded after all.
bool Expander::count_last_pairs(const PairTest& test, Label q, const LastPair::Needed& needed) {
  if (!may_count_pairs(test) || needed.of_one <= 0 || needed.of_two <= 0) return false;
  if (!count_throttle_.due()) return false;
  if (pairs_counted_after_ != test.s) {
    if (finds_last_rule(test)) return false;
    pairs_counted_after_ = test.s;
    last_pair_.start_counting(child_cut_);
  }
  LastPair::Pair found;
  const LastPair::Answer answer = last_pair_.count(q, needed.of_two, found);
  counters_.work += last_pair_.work();
  if (answer == LastPair::Answer::kFound) {
    const Weight loss = counts_.cost(q)[counts_.total()] - counts_.cost(q)[test.s] - found.gain;
    offer(test.prefix_loss + loss, {test.s, found.first, found.second});
  }
  // Where an expansion takes no longer, no answer is worth it.
  if (answer == LastPair::Answer::kNone && context_.counter.by_columns()) count_throttle_.hit();
  return answer == LastPair::Answer::kNone;
}

// Pairs are counted without surcharges, and know nothing of other constraints.
bool Expander::may_count_pairs(const PairTest& test) const {
  return on(Bound::kPairCount) && context_.pairs.known() && test.s != kNoAntecedent &&
         test.length + 2 <= context_.max_length && constraints_.surcharges.empty() &&
         constraints_.required.empty() && !constraints_.rule_label;
}

// Cuts what the child leaves into slices, and offers the best list with one more rule, if it is
// better.
bool Expander::finds_last_rule(const PairTest& test) {
  counters_.work += work::bytes(8 * context_.counter.slices().size());
  context_.counter.slices().cut_without(cut_set(), test.s, child_cut_);
  if (test.length + 1 < context_.options.shortest) return false;
  for (Label q = 0; q < 2; ++q) {
    default_costs_[q] = counts_.cost(q)[counts_.total()] - counts_.cost(q)[test.s];
  }
  const Weight most = incumbent_.budget.at(test.length + 1) - test.prefix_loss;
  const auto found = last_rule_.find(test.s, default_costs_.data(), most, child_cut_);
  if (found) offer(test.prefix_loss + found->loss, {test.s, found->antecedent});
  return found.has_value();
}

// Throttled by how many rules may follow: the more, the longer the test takes.
bool Expander::relaxation_prunes(const Child& child) {
  if (!relaxation_.is_known()) return false;
  const Weight loss = bounds::equivalent_points(child.prefix_loss, child.minority);
  const std::size_t most = relaxation_.start(incumbent_.budget, child_length(), loss);
  if (most >= relaxation_throttles_.size() || !relaxation_throttles_[most].due()) return false;
  if (!is_relaxed_) relaxation_.reset(counts_, cut_set());
  is_relaxed_ = true;
  const bool may_improve = relaxation_.may_improve(child.antecedent, child.label);
  relaxation_throttles_[most].took(relaxation_.work());
  counters_.work += Relaxation::kUnit * relaxation_.work();
  if (may_improve) return false;
  relaxation_throttles_[most].hit();
  counters_.prune(Bound::kRelaxation);
  return true;
}

const BitSlices::Set& Expander::cut_set() {
  if (!set_is_cut_) context_.counter.slices().cut(set_.data(), set_cut_);
  set_is_cut_ = true;
  return set_cut_;
}

std::optional<std::size_t> Expander::to_delete(const Child& child) {
  if (!on(Bound::kDeletion) || antecedents_.empty() || !deletion_throttle_.due()) {
    return std::nullopt;
  }
  const std::optional<std::size_t> place = edits_.to_delete(child.antecedent, child.label);
  if (!place) return std::nullopt;
  deletion_throttle_.hit();
  counters_.prune(Bound::kDeletion);
  return place;
}

std::optional<Antecedent> Expander::to_insert() {
  if (!on(Bound::kInsertion) || !edits_.may_insert()) return std::nullopt;
  if (antecedents_.empty() || !insertion_throttle_.due()) return std::nullopt;
  const std::optional<Antecedent> found = edits_.to_insert(counts_, viable_.data());
  if (!found) return std::nullopt;
  insertion_throttle_.hit();
  counters_.prune(Bound::kInsertion);
  return found;
}

bool Expander::replacement_prunes(const Child& child) {
  if (!replacement_.is_known() || antecedents_.empty() || !replacement_throttle_.due())
    return false;
  const bool improves = replacement_.improves(child.antecedent, child.label);
  counters_.work += replacement_.work();
  if (!improves) return false;
  replacement_throttle_.hit();
  counters_.prune(Bound::kReplacement);
  return true;
}

}  // namespace surelist
