// One pure function a theorem, under the paper's name for it. K is the length of the prefix, M the
// number of antecedents, `best` the current best objective R^c. Where a bound is compared with R^c,
// it comes as a loss and a budget: the largest loss with which a list of that length beats R^c
// (Budget), so that "loss > budget" is exactly "b ≥ R^c".
//
// "Prunes" means: no rule list beyond this point is better than `best`.
// "Rejects" means: a list with this rule here is no better than the same list without it.
// docs/how_it_works.md shows why rejecting, dominance and pruning may be combined freely.
#pragma once

#include <algorithm>

#include "base/types.hpp"
#include "problem/objective.hpp"

namespace surelist::bounds {

// Theorem "Hierarchical objective lower bound": b(d_p) bounds every list that starts with d_p.
constexpr bool hierarchical_prunes(Weight loss, Weight budget) { return loss > budget; }

// Lemma "Objective lower bound with one-step lookahead": every longer list pays for one more rule.
constexpr bool lookahead_prunes(Weight loss, Weight budget_of_one_more) {
  return loss > budget_of_one_more;
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

// The same as a test: no longer list is left within the limit.
constexpr bool length_from_prefix_prunes(Objective lower_bound, Objective rule, Objective best) {
  return best - lower_bound < rule;
}

// Theorem "Lower bound on antecedent support": an optimal rule captures at least a share λ, that is
// a weight of at least `least`.
constexpr bool support_rejects(Weight captured, Weight least) { return captured < least; }

// Theorem "Lower bound on accurate antecedent support": and is right on at least a share λ.
constexpr bool accurate_support_rejects(Weight captured, Weight loss, Weight least) {
  return captured - loss < least;
}

// Theorem "Upper bound on antecedent support": it leaves at least a share λ to what follows.
constexpr bool excessive_support_rejects(Weight not_captured, Weight least) {
  return not_captured < least;
}

// Theorem "Equivalent points bound": what is not yet captured loses at least its minority weight.
constexpr Weight equivalent_points(Weight prefix_loss, Weight minority_not_captured) {
  return prefix_loss + minority_not_captured;
}

// Theorem "Equivalent support bound" and Corollary "Permutation bound": of two prefixes with the
// same captures, the one with the lower b dominates. If length is limited, a longer prefix
// dominates no shorter one.
constexpr bool equivalent_support_dominates(Objective kept, Length kept_length, Objective other,
                                            Length other_length, bool length_limited) {
  return kept <= other && (!length_limited || kept_length <= other_length);
}

// Theorem "Similar support bound", for two prefixes of one length: their extensions differ by at
// most the weight that exactly one of them captures (ω + Ω), so a prefix whose b is lower by that
// much dominates the other.
constexpr bool similar_support_dominates(Weight kept_loss, Weight other_loss, Weight exclusive) {
  return other_loss - kept_loss >= exclusive;
}

// One-sided similar support: with minority weight in the loss, only groups that the other prefix
// captures and the kept one does not can cost the kept one more than their minimum; each of them at
// most its spread (max − min cost).
constexpr bool one_sided_support_dominates(Weight kept_loss, Weight other_loss, Weight spread) {
  return other_loss - kept_loss >= spread;
}

// A rule must be worth its λ: without it, its rows cost at most their worst prediction. `most` is
// the largest weight that the price of a rule covers.
constexpr bool rule_worth_rejects(Weight dearest, Weight loss, Weight most) {
  return dearest - loss <= most;
}

// Neighbouring rules with the same label commute: only the order by rank is visited.
constexpr bool same_label_order_skips(Weight previous_rank, Weight previous_label, Weight rank,
                                      Weight label) {
  return rank < previous_rank && label == previous_label;
}

// Deletion: the list is strictly better without a rule that is not worth its λ given the rules that
// come after it.
constexpr bool deletion_improves(Weight worth, Weight least) { return worth < least; }

// Insertion: the list is strictly better with a rule that gains more than it harms and costs.
constexpr bool insertion_improves(Weight gain, Weight harm) { return gain > harm; }

// The last rule: if even two more rules cannot pay, at most one may follow.
constexpr bool at_most_one_more(Weight loss, Weight budget_of_two_more) {
  return loss > budget_of_two_more;
}

// The last two rules: the same with one more.
constexpr bool at_most_two_more(Weight loss, Weight budget_of_three_more) {
  return loss > budget_of_three_more;
}

}  // namespace surelist::bounds
