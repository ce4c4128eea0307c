// The incumbent: the objective of the best rule list so far, and the limits that follow from it.
#pragma once

#include "context/budget.hpp"
#include "context/context.hpp"
#include "problem/bounds.hpp"

namespace surelist {

struct Incumbent {
  Objective objective;
  Length shortest = 0;  // no shorter list is better
  Budget budget;
  // For the bounds of prefixes in the tree, which hold for lists of any length from that of the
  // search's options on (PrefixRecord::bound_loss).
  Budget budget_of_tree;
  Length longest = 0;  // Theorem "Upper bound on prefix length"

  void reset(const SearchContext& context, Objective best) {
    objective = best;
    const Length from_start = context.options.shortest;
    budget.reset(context.scale, best, context.max_length, std::max(shortest, from_start));
    budget_of_tree.reset(context.scale, best, context.max_length, from_start);
    longest = bounds::length_from_objective(context.scale, best, context.problem->n_antecedents());
  }
};

}  // namespace surelist
