#include "fair/constraints.hpp"

#include <algorithm>
#include <utility>

namespace surelist::fair {

namespace {

constexpr Wide kMost = Wide{1} << 124;
constexpr Wide kMostFactor = Wide{1} << 92;  // leaves room for multipliers: see relaxation.cpp

Wide magnitude(Wide value) { return value < 0 ? -value : value; }

Wide value_of(const Linear& rule, const Weight* selected) {
  Wide sum = 0;
  for (std::size_t i = 0; i < rule.factors.size(); ++i) sum += rule.factors[i] * selected[i];
  return sum;
}

// The least (sign −1) or the most (sign 1) that open rows add.
Wide reach(const Linear& rule, const Weight* open, int sign) {
  Wide sum = 0;
  for (std::size_t i = 0; i < rule.factors.size(); ++i) {
    if (rule.factors[i] * sign > 0) sum += rule.factors[i] * open[i];
  }
  return sum;
}

// Whether right_a / all_a and right_b / all_b are within the tolerance, in this direction.
bool alike(const Predictive& rule, Weight right_a, Weight all_a, Weight right_b, Weight all_b) {
  const Wide a = static_cast<Wide>(right_a) * all_b;
  const Wide b = static_cast<Wide>(right_b) * all_a;
  if (rule.as_ratio) return b * rule.denominator >= a * rule.numerator;
  return (a - b) * rule.denominator <= rule.numerator * (static_cast<Wide>(all_a) * all_b);
}

}  // namespace

Constraints::Constraints(std::vector<Linear> linear, std::vector<Predictive> predictive,
                         Counts totals)
    : linear_(std::move(linear)), predictive_(std::move(predictive)), totals_(std::move(totals)) {
  check_sizes();
}

void Constraints::check_sizes() const {
  Wide total = 1;
  for (const Weight weight : totals_) total += weight;
  const auto refuse = [] {
    throw InputError(
        "the fairness constraint has too many digits for these weights to be computed exactly; "
        "round the tolerance, or use smaller integer weights");
  };
  for (const Linear& rule : linear_) {
    if (rule.factors.size() != totals_.size()) {
      throw InputError("a fairness constraint needs one factor per sensitive group and class");
    }
    if (magnitude(rule.most) >= kMost) refuse();
    for (const Wide factor : rule.factors) {
      if (magnitude(factor) >= std::min(kMost / total, kMostFactor)) refuse();
    }
  }
  for (const Predictive& rule : predictive_) {
    if (rule.numerator < 0 || rule.denominator <= 0 || rule.numerator > rule.denominator) {
      throw InputError("a tolerance must be a fraction from 0 to 1");
    }
    if (total >= kMost / total || rule.denominator >= kMost / (total * total)) refuse();
  }
}

bool Constraints::hold(const Weight* selected) const {
  const Counts none(totals_.size(), 0);
  return may_hold(selected, none.data());
}

bool Constraints::may_hold(const Weight* selected, const Weight* open) const {
  for (const Linear& rule : linear_) {
    if (value_of(rule, selected) + reach(rule, open, -1) > rule.most) return false;
  }
  return std::all_of(predictive_.begin(), predictive_.end(), [&](const Predictive& rule) {
    return predictive_may_hold(rule, selected, open);
  });
}

bool Constraints::no_worse(const Weight* kept, const Weight* other, const Weight* open) const {
  for (const Linear& rule : linear_) {
    const Wide value = value_of(rule, kept);
    if (value > value_of(rule, other) && value + reach(rule, open, 1) > rule.most) return false;
  }
  if (predictive_.empty() || std::equal(kept, kept + totals_.size(), other)) return true;
  return std::all_of(predictive_.begin(), predictive_.end(), [&](const Predictive& rule) {
    return predictive_always_holds(rule, kept, open);
  });
}

Constraints::Range Constraints::range(const Predictive& rule, std::size_t group,
                                      const Weight* selected, const Weight* open) const {
  const std::size_t negative = 2 * group;
  const std::size_t positive = negative + 1;
  if (rule.of_selected) {
    return {.least_right = selected[positive],
            .most_right = selected[positive] + open[positive],
            .least_wrong = selected[negative],
            .most_wrong = selected[negative] + open[negative]};
  }
  return {.least_right = totals_[negative] - selected[negative] - open[negative],
          .most_right = totals_[negative] - selected[negative],
          .least_wrong = totals_[positive] - selected[positive] - open[positive],
          .most_wrong = totals_[positive] - selected[positive]};
}

bool Constraints::predictive_may_hold(const Predictive& rule, const Weight* selected,
                                      const Weight* open) const {
  const std::size_t n_groups = totals_.size() / 2;
  bool all_may_be_empty = true;
  bool some_must_be_empty = false;
  for (std::size_t a = 0; a < n_groups; ++a) {
    const Range r = range(rule, a, selected, open);
    all_may_be_empty = all_may_be_empty && r.least_right + r.least_wrong == 0;
    some_must_be_empty = some_must_be_empty || r.most_right + r.most_wrong == 0;
  }
  if (all_may_be_empty) return true;
  if (some_must_be_empty) return false;
  // Every rate is defined. It is lowest with as few right and as many wrong rows as possible.
  for (std::size_t a = 0; a < n_groups; ++a) {
    const Range high = range(rule, a, selected, open);
    const Weight right = high.least_right;
    const Weight all = std::max<Weight>(right + high.most_wrong, 1);
    const Weight at_least = right + high.most_wrong == 0 ? 1 : right;  // only right ones are left
    for (std::size_t b = 0; b < n_groups; ++b) {
      const Range low = range(rule, b, selected, open);
      const Weight most = low.most_right;
      const Weight most_all = std::max<Weight>(most + low.least_wrong, 1);
      if (a != b && !alike(rule, at_least, all, most, most_all)) return false;
    }
  }
  return true;
}

bool Constraints::predictive_always_holds(const Predictive& rule, const Weight* selected,
                                          const Weight* open) const {
  const std::size_t n_groups = totals_.size() / 2;
  for (std::size_t a = 0; a < n_groups; ++a) {
    const Range high = range(rule, a, selected, open);
    if (high.least_right + high.least_wrong == 0) return false;
    for (std::size_t b = 0; b < n_groups; ++b) {
      const Range low = range(rule, b, selected, open);
      if (low.least_right + low.least_wrong == 0) return false;
      if (a != b && !alike(rule, high.most_right, high.most_right + high.least_wrong,
                           low.least_right, low.least_right + low.most_wrong)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace surelist::fair
