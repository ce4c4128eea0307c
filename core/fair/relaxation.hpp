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

// What a set of groups costs beyond what no label avoids (the equivalent points of the relaxed
// problem): predicting 0 costs what label 1 would save, and the other way round.
struct Costs {
  Weight saved[2] = {0, 0};  // by label

  Weight of(Label label) const { return saved[1 - label]; }
  // Compared with `label`, the other label gains and harms this much; and both together.
  Weight gain(Label label) const { return saved[1 - label]; }
  Weight harm(Label label) const { return saved[label]; }
  Weight net(Label label) const { return gain(label) - harm(label); }
  Label cheaper() const { return saved[1] > saved[0] ? 1 : 0; }

  Costs operator-(const Costs& other) const {
    return {{saved[0] - other.saved[0], saved[1] - other.saved[1]}};
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
  // What no label avoids on a group; which label saves something there, and how much.
  Weight floor(std::size_t group) const { return floor_[group]; }
  Weight spread(std::size_t group) const { return spread_[group]; }
  Label label(std::size_t group) const { return label_[group]; }
  // The relaxed loss of a prefix, or of a list, from its loss and what it selects; for a prefix,
  // what no label avoids in the groups that it leaves is added by the caller.
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
  std::vector<Weight> floor_;
  std::vector<Weight> spread_;
  std::vector<std::uint8_t> label_;
};

}  // namespace surelist::fair
