#include "sums.hpp"

#include <algorithm>

namespace surelist_checker {

Sums::Sums(const Problem& problem) : n_classes(problem.n_classes), stride(problem.stride) {
  numbers.resize((2 * n_classes + 3) * stride);
}

namespace {

template <class Lane>
void derive_many(const Problem& problem, const Lane* parts, Sums& sums) {
  const std::size_t n = problem.n_classes, stride = problem.stride;
  Number *cost = sums.numbers.data(), *gain = cost + n * stride, *floor = gain + n * stride;
  Number* rule = floor + 2 * stride;
  for (std::size_t i = 0; i < n * stride; ++i) cost[i] = parts[i] * problem.factor;
  for (std::size_t i = 0; i < 2 * stride; ++i)
    floor[i] = parts[n * stride + i] * problem.factor;  // and ceil
  std::fill(rule, rule + stride, problem.most_cost * problem.factor);
  bool any_label = true;
  for (std::size_t q = 0; q < n; ++q) {
    any_label = any_label && problem.is_label[q];
    if (!problem.is_label[q]) continue;
    for (std::size_t i = 0; i < stride; ++i) rule[i] = std::min(rule[i], cost[q * stride + i]);
  }
  for (std::size_t q = 0; q < n; ++q)
    for (std::size_t i = 0; i < stride; ++i)
      gain[q * stride + i] = any_label ? cost[q * stride + i] - floor[i]
                                       : parts[(n + 2 + q) * stride + i] * problem.factor;
}

}  // namespace

template <class Lane>
void derive(const Problem& problem, const Lane* parts, Sums& sums) {
  if (problem.n_classes == 2)
    derive_two(parts, problem.stride, problem.factor, problem.is_label[0] != 0,
               problem.is_label[1] != 0, sums.numbers.data());
  else
    derive_many(problem, parts, sums);
}

template void derive(const Problem&, const std::int16_t*, Sums&);
template void derive(const Problem&, const std::int32_t*, Sums&);
template void derive(const Problem&, const std::int64_t*, Sums&);

}  // namespace surelist_checker
