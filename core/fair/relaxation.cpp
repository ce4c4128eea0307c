#include "fair/relaxation.hpp"

#include <algorithm>
#include <utility>

namespace surelist::fair {

namespace {

constexpr Weight kRoom = 1024;  // multipliers may be so many times the unit
constexpr Weight kLargestUnit = Weight{1} << 20;
constexpr Weight kMostSum = Weight{1} << 60;

// ⌊a·b / c⌋ for c > 0, where a·b may be too long: b is divided first.
Wide scaled(Wide a, Wide b, Wide c) {
  Wide quotient = b / c;
  Wide rest = b % c;
  if (rest < 0) {
    rest += c;
    --quotient;
  }
  return a * quotient + a * rest / c;
}

Wide largest_factor(const Linear& rule) {
  Wide most = 1;
  for (const Wide factor : rule.factors) most = std::max(most, factor < 0 ? -factor : factor);
  return most;
}

}  // namespace

Weight Relaxation::unit_for(const Problem& problem, std::size_t n_counts) {
  Weight unit = kLargestUnit;
  const Wide size = static_cast<Wide>(std::max(problem.largest_loss(), problem.total_weight())) *
                    static_cast<Wide>(n_counts + 2);
  while (unit > 1 && size * unit * kRoom > kMostSum) unit /= 2;
  return size * unit * kRoom > kMostSum ? 0 : unit;
}

Weight Relaxation::most_multiplier(Weight unit, std::size_t n_constraints) {
  return n_constraints == 0 ? 0 : unit * kRoom / static_cast<Weight>(n_constraints);
}

Relaxation::Relaxation(const Problem& problem, const Constraints& constraints, Weight unit,
                       std::vector<Weight> multipliers)
    : unit_(unit),
      multipliers_(std::move(multipliers)),
      prices_(constraints.n_counts(), 0),
      floor_(problem.n_groups()),
      spread_(problem.n_groups()),
      label_(problem.n_groups()) {
  for (std::size_t j = 0; j < multipliers_.size(); ++j) {
    const Linear& rule = constraints.linear()[j];
    const Wide largest = largest_factor(rule);
    // No selection reaches more than this: such a constraint holds always, or never.
    const Wide most = rule.most < 0 ? -rule.most : rule.most;
    if (most / largest > problem.total_weight()) continue;
    for (std::size_t i = 0; i < prices_.size(); ++i) {
      prices_[i] += static_cast<Weight>(scaled(multipliers_[j], rule.factors[i], largest));
    }
    constant_ += static_cast<Weight>(scaled(multipliers_[j], rule.most, largest));
  }
  const std::span<const Weight> weights = problem.group_weights();
  for (std::size_t u = 0; u < floor_.size(); ++u) {
    const Weight zero = unit_ * problem.cost(u, 0);
    Weight one = unit_ * problem.cost(u, 1);
    for (std::size_t i = 0; i < prices_.size(); ++i) {
      one += prices_[i] * weights[u * prices_.size() + i];
    }
    floor_[u] = std::min(zero, one);
    spread_[u] = std::max(zero, one) - floor_[u];
    label_[u] = one < zero ? 1 : 0;
  }
}

}  // namespace surelist::fair
