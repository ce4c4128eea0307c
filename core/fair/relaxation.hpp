// The Lagrangian relaxation: breaking a linear constraint costs, keeping it pays.
//
// With multipliers m_j ≥ 0, every fair list satisfies Σ_j ⌊m_j f_j / e_j⌋ · selected ≤ Σ_j ⌊m_j
// most_j / e_j⌋, where e_j is the largest factor of constraint j: weights are not negative, so
// rounding factors down is allowed, and the left side is a whole number. So with prices θ = Σ_j
// ⌊m_j f_j / e_j⌋ and κ = Σ_j ⌊m_j most_j / e_j⌋ no fair list has unit·loss below its *relaxed
// loss* unit·loss + θ·selected − κ. That is a loss like any other: a sum over groups of rows, of
// what the label of each costs. Every lower bound of the search for lists without constraints holds
// for it, with free labels, and a relaxed loss above the budget excludes a prefix.
#pragma once

#include <span>

#include "fair/constraints.hpp"
#include "problem/problem.hpp"

namespace surelist::fair {

// What a set of groups costs under a relaxation: what no label avoids, and what label 1, or label 0,
// saves in those groups that are better off with it.
struct Costs {
  Weight floor = 0;
  Weight saved_by_1 = 0;
  Weight saved_by_0 = 0;

  Weight of(Label label) const { return floor + (label == 0 ? saved_by_1 : saved_by_0); }
  // What the other label gains over `label`, at most; what it harms; and both together.
  Weight gain(Label label) const { return label == 0 ? saved_by_1 : saved_by_0; }
  Weight harm(Label label) const { return label == 0 ? saved_by_0 : saved_by_1; }
  Weight net(Label label) const { return gain(label) - harm(label); }

  Costs& operator+=(const Costs& other) {
    floor += other.floor;
    saved_by_1 += other.saved_by_1;
    saved_by_0 += other.saved_by_0;
    return *this;
  }
  Costs operator-(const Costs& other) const {
    return {floor - other.floor, saved_by_1 - other.saved_by_1, saved_by_0 - other.saved_by_0};
  }
};

class Relaxation {
 public:
  // `unit` relaxed losses make one loss: see unit_for.
  Relaxation(const Problem& problem, const Constraints& constraints, Weight unit,
             std::vector<Weight> multipliers);

  // The largest unit, up to 2^20, with which no sum leaves 62 bits; and the largest multiplier.
  static Weight unit_for(const Problem& problem, std::size_t n_counts);
  static Weight most_multiplier(Weight unit, std::size_t n_constraints);

  Weight unit() const { return unit_; }
  const std::vector<Weight>& multipliers() const { return multipliers_; }
  const Costs& of_group(std::size_t group) const { return costs_[group]; }
  // The relaxed loss of a prefix, or of a list, from its loss and what it selects.
  Weight of(Weight loss, const Weight* selected) const {
    Weight sum = unit_ * loss - constant_;
    for (std::size_t i = 0; i < prices_.size(); ++i) sum += prices_[i] * selected[i];
    return sum;
  }

 private:
  Weight unit_;
  std::vector<Weight> multipliers_;
  std::vector<Weight> prices_;  // θ
  Weight constant_ = 0;         // κ
  std::vector<Costs> costs_;
};

}  // namespace surelist::fair
