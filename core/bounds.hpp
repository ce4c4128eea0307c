// One pure function a theorem, under the paper's name for it. `lower_bound` is the paper's b(d_p),
// plus b_0 where the equivalent points bound is in use; `best` is the current best objective R^c; K
// is the length of the prefix and M the number of antecedents. Weights are scaled shares: weight /
// W.
//
// "Prunes" means: no rule list beyond this point is better than `best`.
// "Rejects" means: a list with this rule here is no better than the same list without it.
// docs/how_it_works.md shows why rejecting, dominance and pruning may be combined freely.
#pragma once

#include <algorithm>

#include "objective.hpp"
#include "types.hpp"

namespace surelist::bounds {

// Theorem "Hierarchical objective lower bound": b(d_p) bounds every list that starts with d_p.
constexpr bool hierarchical_prunes(Objective lower_bound, Objective best) {
  return lower_bound >= best;
}

// Lemma "Objective lower bound with one-step lookahead": every longer list pays for one more rule.
constexpr bool lookahead_prunes(Objective lower_bound, Objective rule, Objective best) {
  return lower_bound + rule >= best;
}

// Proposition "Trivial upper bound on prefix length": antecedents are distinct.
constexpr Length trivial_length(std::size_t n_antecedents) {
  return static_cast<Length>(n_antecedents);
}

// Theorem "Upper bound on prefix length": K ≤ min(⌊R^c / λ⌋, M).
inline Length length_from_objective(const ObjectiveScale& scale, Objective best,
                                    std::size_t n_antecedents) {
  return scale.rules_within(best, trivial_length(n_antecedents));
}

// Theorem "Prefix-specific upper bound on prefix length": K' ≤ min(K + ⌊(R^c − b) / λ⌋, M). The
// paper prints a strict inequality; its own use of the theorem (remaining evaluations) needs this
// one.
inline Length length_from_prefix(const ObjectiveScale& scale, Objective best, Objective lower_bound,
                                 Length length, std::size_t n_antecedents) {
  const Length most = trivial_length(n_antecedents);
  return std::min(length + scale.rules_within(best - lower_bound, most), most);
}

// Theorem "Lower bound on antecedent support": an optimal rule captures at least a share λ.
constexpr bool support_rejects(const ObjectiveScale& scale, Weight captured) {
  return scale.below_rule(captured);
}

// Theorem "Lower bound on accurate antecedent support": and is right on at least a share λ.
constexpr bool accurate_support_rejects(const ObjectiveScale& scale, Weight captured, Weight loss) {
  return scale.below_rule(captured - loss);
}

// Theorem "Upper bound on antecedent support": it leaves at least a share λ to what follows.
constexpr bool excessive_support_rejects(const ObjectiveScale& scale, Weight not_captured) {
  return scale.below_rule(not_captured);
}

// Theorem "Equivalent points bound": what is not yet captured costs at least its minority weight.
constexpr Objective equivalent_points(const ObjectiveScale& scale, Weight prefix_loss,
                                      Length length, Weight minority_not_captured) {
  return scale.of(prefix_loss + minority_not_captured, length);
}

// Theorem "Equivalent support bound" and Corollary "Permutation bound": of two prefixes with the
// same captures the one with the lower b serves for both. A longer one serves only where length is
// free.
constexpr bool equivalent_support_dominates(Objective kept, Length kept_length, Objective other,
                                            Length other_length, bool length_limited) {
  return kept <= other && (!length_limited || kept_length <= other_length);
}

// Theorem "Similar support bound": extensions of two prefixes differ by at most what exactly one of
// them captures (ω + Ω), so a lead of that much in b makes the other superfluous.
constexpr bool similar_support_dominates(const ObjectiveScale& scale, Objective kept,
                                         Objective other, Weight exclusive) {
  return other - kept >= scale.loss(exclusive);
}

// One-sided similar support: with x = b + b_0, only groups that the other captures and the kept one
// does not can cost the kept one more than their minimum, each at most its spread (max − min cost).
constexpr bool one_sided_support_dominates(const ObjectiveScale& scale,
                                           Objective kept_with_minority,
                                           Objective other_with_minority, Weight spread) {
  return other_with_minority - kept_with_minority >= scale.loss(spread);
}

// A rule must be worth its λ: without it, its rows cost at worst their dearest prediction.
constexpr bool rule_worth_rejects(const ObjectiveScale& scale, Weight dearest, Weight loss) {
  return scale.within_rule(dearest - loss);
}

// Neighbouring rules with the same label commute: only the order by index is visited.
constexpr bool same_label_order_skips(Antecedent previous, Label previous_label, Antecedent next,
                                      Label next_label) {
  return next < previous && next_label == previous_label;
}

// The last rule: if even two more rules cannot pay, at most one may follow.
constexpr bool at_most_one_more(Objective lower_bound, Objective rule, Objective best) {
  return lower_bound + rule + rule >= best;
}

}  // namespace surelist::bounds
