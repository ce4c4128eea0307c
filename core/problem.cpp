#include "problem.hpp"

#include <algorithm>
#include <numeric>

#include "bits.hpp"

namespace surelist {

Problem::Problem(Patterns patterns)
    : n_rows_(patterns.n_rows),
      n_groups_(patterns.size()),
      n_antecedents_(patterns.n_bits),
      n_classes_(patterns.n_classes),
      group_words_(bits::words(n_groups_)),
      captured_(n_antecedents_ * group_words_, 0),
      weight_(n_groups_),
      cost_(n_groups_ * n_classes_),
      floor_(n_groups_),
      ceiling_(n_groups_),
      class_weights_(n_classes_, 0) {
  if (n_classes_ < 2) throw InputError("a problem needs at least two classes");
  if (n_groups_ == 0) throw InputError("a problem needs at least one row of positive weight");
  for (std::size_t g = 0; g < n_groups_; ++g) add_group(g, patterns.row(g), patterns.weights(g));
}

void Problem::add_group(std::size_t group, const Word* row, const Weight* weights) {
  bits::for_each(row, bits::words(n_antecedents_),
                 [&](std::size_t s) { bits::set(captured_.data() + s * group_words_, group); });
  const Weight weight = std::accumulate(weights, weights + n_classes_, Weight{0});
  Weight* cost = cost_.data() + group * n_classes_;
  for (std::size_t c = 0; c < n_classes_; ++c) {
    cost[c] = weight - weights[c];
    class_weights_[c] += weights[c];
  }
  weight_[group] = weight;
  floor_[group] = *std::min_element(cost, cost + n_classes_);
  ceiling_[group] = *std::max_element(cost, cost + n_classes_);
  total_weight_ += weight;
  minority_weight_ += floor_[group];
}

std::size_t Problem::nbytes() const {
  return captured_.capacity() * sizeof(Word) +
         (weight_.capacity() + cost_.capacity() + floor_.capacity() + ceiling_.capacity()) *
             sizeof(Weight);
}

}  // namespace surelist
