// Upper bounds on the number of prefixes that remain to be evaluated, as log10.
#pragma once

#include "problem/objective.hpp"
#include "store/prefix_tree.hpp"

namespace surelist {

struct Remaining {
  double fine = 0;    // Theorem "Fine-grained upper bound on remaining prefix evaluations"
  double coarse = 0;  // Proposition "Coarse-grained upper bound on remaining prefix evaluations"
};

// −infinity if nothing remains.
Remaining remaining_evaluations(const PrefixTree& tree, const ObjectiveScale& scale, Objective best,
                                std::size_t n_antecedents, bool with_minority);

// Proposition "Upper bound on the total number of prefix evaluations", and its theorem with
// symmetry-aware pruning; log10. K = min(⌊(1 − 1/C)/λ⌋, M): with C classes the empty list loses at
// most 1 − 1/C, which is the paper's 1/2 for two.
double total_evaluations(const Regularization& regularization, std::size_t n_antecedents,
                         std::size_t n_classes, bool symmetry_aware);

}  // namespace surelist
