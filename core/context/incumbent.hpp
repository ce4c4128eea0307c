// The incumbent: the objective of the best rule list so far, and the limits that follow from it.
#pragma once

#include "context/budget.hpp"
#include "context/context.hpp"
#include "problem/bounds.hpp"

namespace surelist {

struct Incumbent {
  Objective objective;
  Budget budget;
  Length longest = 0;  // Theorem "Upper bound on prefix length"

  void reset(const SearchContext& context, Objective best) {
    objective = best;
    budget.reset(context.scale, best, context.max_length);
    longest = bounds::length_from_objective(context.scale, best, context.problem->n_antecedents());
  }
};

}  // namespace surelist
