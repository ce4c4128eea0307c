// The cheapest label of a rule and of the default, from counts; the first of them if several cost
// the same.
#pragma once

#include "context/context.hpp"

namespace surelist {

struct Priced {
  Weight loss = 0;
  Label label = 0;
};

// Of a rule that captures what is counted in this column; constraints may leave it one label.
inline Priced cheapest_rule(const SearchContext& context, const CaptureCounts& counts,
                            std::size_t column) {
  const std::optional<Label> only = context.constraints().rule_label;
  Priced best{counts.cost(only.value_or(0))[column], only.value_or(0)};
  for (Label q = 1; !only && q < context.problem->n_classes(); ++q) {
    if (counts.cost(q)[column] < best.loss) best = {counts.cost(q)[column], q};
  }
  return best;
}

// Of the whole set, less what one antecedent captures; `total()` stands for none.
inline Priced cheapest_default(const SearchContext& context, const CaptureCounts& counts,
                               std::size_t without) {
  Priced best{std::numeric_limits<Weight>::max(), 0};
  for (Label q = 0; q < context.problem->n_classes(); ++q) {
    const Weight captured = without == counts.total() ? 0 : counts.cost(q)[without];
    const Weight cost = counts.cost(q)[counts.total()] - captured;
    if (cost < best.loss) best = {cost, q};
  }
  return best;
}

}  // namespace surelist
