// The immutable input of a search: groups of equivalent points, the antecedents that capture them,
// and what each possible prediction costs on each group.
#pragma once

#include <span>

#include "base/aligned.hpp"
#include "base/types.hpp"
#include "problem/collapse.hpp"

namespace surelist {

// What it costs to predict a label for a row of a class, in units of its weight: class-major whole
// numbers, `unit` of which make one row's weight. Empty: every wrong label costs one.
struct CostMatrix {
  std::vector<Weight> values;
  Weight unit = 1;
};

class Problem {
 public:
  // From rows of antecedent bits; equal rows have become one group already.
  explicit Problem(Patterns patterns, CostMatrix costs = {});

  std::size_t n_rows() const { return n_rows_; }
  std::size_t n_groups() const { return n_groups_; }
  std::size_t n_antecedents() const { return n_antecedents_; }
  std::size_t n_classes() const { return n_classes_; }
  std::size_t group_words() const { return group_words_; }
  // The weight of all rows, in units of cost: a loss of 1 in the objective.
  Weight total_weight() const { return total_weight_; }
  // Above every sum of costs.
  Weight largest_loss() const { return largest_loss_; }
  std::size_t nbytes() const;

  // The groups that an antecedent captures, as a set of bits.
  const Word* captured(Antecedent s) const { return captured_.data() + s * group_words_; }
  // The support of the theorems: an upper bound on what any prediction costs the group. Its weight,
  // unless there is a cost matrix.
  Weight weight(std::size_t group) const { return weight_[group]; }
  // What predicting `label` costs on the group: the weight of every other class, or by the matrix.
  Weight cost(std::size_t group, Label label) const { return cost_[group * n_classes_ + label]; }
  // The least that any prediction costs: the paper's equivalent-points (minority) weight.
  Weight floor(std::size_t group) const { return floor_[group]; }
  // The most that a prediction may cost.
  Weight ceiling(std::size_t group) const { return ceiling_[group]; }
  std::span<const Weight> class_weights() const { return class_weights_; }
  // By group and class, group-major. Together with the captures they determine the problem.
  std::span<const Weight> group_weights() const { return group_weights_; }
  const CostMatrix& costs() const { return costs_; }
  Weight minority_weight() const { return minority_weight_; }

 private:
  void add_group(std::size_t group, const Weight* weights);
  void check_costs(const Patterns& patterns) const;

  std::size_t n_rows_ = 0;
  std::size_t n_groups_ = 0;
  std::size_t n_antecedents_ = 0;
  std::size_t n_classes_ = 0;
  std::size_t group_words_ = 0;
  CostMatrix costs_;
  Weight total_weight_ = 0;
  Weight largest_loss_ = 0;
  Weight minority_weight_ = 0;
  Aligned<Word> captured_;  // antecedent-major
  Aligned<Weight> weight_;
  Aligned<Weight> cost_;  // group-major
  Aligned<Weight> floor_;
  Aligned<Weight> ceiling_;
  Aligned<Weight> class_weights_;
  Aligned<Weight> group_weights_;
};

}  // namespace surelist
