// Groups are put into one order whatever the order of the rows was, so that the same data give the
// same problem, and so the same search.
#include "problem/problem.hpp"

#include <algorithm>
#include <numeric>

#include "base/bits.hpp"
#include "base/transpose.hpp"

namespace surelist {
namespace {

Weight minority(const Patterns& patterns, std::size_t g) {
  const Weight* weights = patterns.weights(g);
  const Weight* end = weights + patterns.n_classes;
  return std::accumulate(weights, end, Weight{0}) - *std::max_element(weights, end);
}

// Groups with equal minority weight, and then with equal weights, become neighbours: sets of groups
// with a certain bit in their minority weight, or in what a label costs above it, are then short
// ranges (bit_slices.hpp).
std::vector<std::uint32_t> canonical_order(const Patterns& patterns) {
  std::vector<std::uint32_t> order(patterns.size());
  std::iota(order.begin(), order.end(), 0u);
  std::vector<Weight> floor(patterns.size());
  for (std::size_t g = 0; g < floor.size(); ++g) floor[g] = minority(patterns, g);
  const auto before = [&](std::uint32_t i, std::uint32_t j) {
    if (floor[i] != floor[j]) return floor[i] > floor[j];
    const Weight* a = patterns.weights(i);
    const Weight* b = patterns.weights(j);
    for (std::size_t c = 0; c < patterns.n_classes; ++c) {
      if (a[c] != b[c]) return a[c] > b[c];
    }
    const Word* row = patterns.row(i);
    return std::lexicographical_compare(row, row + patterns.n_words, patterns.row(j),
                                        patterns.row(j) + patterns.n_words);
  };
  std::sort(order.begin(), order.end(), before);
  return order;
}

}  // namespace

Problem::Problem(Patterns patterns, CostMatrix costs)
    : n_rows_(patterns.n_rows),
      n_groups_(patterns.size()),
      n_antecedents_(patterns.n_bits),
      n_classes_(patterns.n_classes),
      group_words_(bits::words(n_groups_)),
      costs_(std::move(costs)),
      captured_(n_antecedents_ * group_words_, 0),
      weight_(n_groups_),
      cost_(n_groups_ * n_classes_),
      floor_(n_groups_),
      ceiling_(n_groups_),
      class_weights_(n_classes_, 0) {
  if (n_classes_ < 2) throw InputError("a problem needs at least two classes");
  if (n_groups_ == 0) throw InputError("a problem needs at least one row of positive weight");
  if (costs_.values.empty()) {
    costs_.values.assign(n_classes_ * n_classes_, 1);
    for (std::size_t c = 0; c < n_classes_; ++c) costs_.values[c * n_classes_ + c] = 0;
  }
  check_costs(patterns);
  const std::vector<std::uint32_t> order = canonical_order(patterns);
  for (std::size_t g = 0; g < n_groups_; ++g) {
    const Weight* weights = patterns.weights(order[g]);
    add_group(g, weights);
    group_weights_.insert(group_weights_.end(), weights, weights + n_classes_);
  }
  std::vector<Word> band(bits::kWord * group_words_);
  for (std::size_t s = 0; s < n_antecedents_; s += bits::kWord) {
    bits::transpose_band(
        n_groups_, s / bits::kWord, [&](std::size_t g) { return patterns.row(order[g]); },
        band.data());
    const std::size_t count = std::min(bits::kWord, n_antecedents_ - s) * group_words_;
    std::copy(band.data(), band.data() + count, captured_.data() + s * group_words_);
  }
}

void Problem::add_group(std::size_t group, const Weight* weights) {
  Weight* cost = cost_.data() + group * n_classes_;
  Weight dearest = 0;  // if every class got the prediction that costs it most
  for (std::size_t c = 0; c < n_classes_; ++c) {
    const Weight* row_costs = costs_.values.data() + c * n_classes_;
    for (std::size_t q = 0; q < n_classes_; ++q) cost[q] += weights[c] * row_costs[q];
    dearest += weights[c] * *std::max_element(row_costs, row_costs + n_classes_);
    class_weights_[c] += weights[c];
    total_weight_ += weights[c] * costs_.unit;
  }
  floor_[group] = *std::min_element(cost, cost + n_classes_);
  ceiling_[group] = *std::max_element(cost, cost + n_classes_);
  // With two classes, counting relies on this sum (capture_counts.hpp).
  weight_[group] = n_classes_ == 2 ? cost[0] + cost[1] : dearest;
  largest_loss_ += weight_[group];
  minority_weight_ += floor_[group];
}

// Sums of costs must stay well within a Weight.
void Problem::check_costs(const Patterns& patterns) const {
  if (costs_.values.size() != n_classes_ * n_classes_) {
    throw InputError("the cost matrix must have a row and a column for each class");
  }
  if (std::any_of(costs_.values.begin(), costs_.values.end(), [](Weight c) { return c < 0; }) ||
      costs_.unit < 1) {
    throw InputError("a cost is negative");
  }
  Wide total = 0;
  for (const Weight weight : patterns.class_weights) total += weight;
  const Weight largest = *std::max_element(costs_.values.begin(), costs_.values.end());
  // Up to twice the dearest prediction counts as a group's weight.
  if (total * (2 * static_cast<Wide>(largest) + costs_.unit) > 3 * static_cast<Wide>(kMostWeight)) {
    throw InputError(
        "weights times costs are too large to be computed exactly; use smaller numbers");
  }
}

std::size_t Problem::nbytes() const {
  return captured_.capacity() * sizeof(Word) +
         (weight_.capacity() + cost_.capacity() + floor_.capacity() + ceiling_.capacity() +
          group_weights_.capacity()) *
             sizeof(Weight);
}

}  // namespace surelist
