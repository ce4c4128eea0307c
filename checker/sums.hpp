#pragma once

#include "counter.hpp"
#include "problem.hpp"

namespace surelist_checker {

// Sums over what each antecedent captures of a set S, and at position m over S itself; to scale.
struct Sums {
  explicit Sums(const Problem& problem);

  const Number* cost(std::size_t q) const { return numbers.data() + q * stride; }
  const Number* gain(std::size_t q) const { return numbers.data() + (n_classes + q) * stride; }
  const Number* floor() const { return numbers.data() + 2 * n_classes * stride; }
  const Number* ceil() const { return floor() + stride; }
  const Number* rule() const { return floor() + 2 * stride; }  // rulecost: the cheapest label

  std::size_t n_classes, stride;
  Lanes<Number> numbers;
};

// Make them of the sums that a counter has found.
template <class Lane>
void derive(const Problem& problem, const Lane* parts, Sums& sums);

}  // namespace surelist_checker
