// Conjunctions of two cuts. All of one pair of chains are a family: a grid of cuts, in which a box
// stands for every conjunction between its lowest and its highest cuts.
//
// Captures are monotone: whatever conjunction of a box is meant, it captures at least what the
// lowest cuts do, and at most what the highest do. And a loss only grows with the rows. So the rows
// that the lowest cuts capture and those that the highest leave give a bound of the whole box.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>

#include "cuts/cover.hpp"

namespace surelist::cuts {

// The pair of chains. Cut n_cuts + 1 of a chain, which captures all rows, leaves the other alone.
using Family = std::array<std::uint32_t, 2>;

struct Conjunction {
  Family chains{};
  std::array<Key, 2> cuts{};
};

// Both ends belong to it. Cut 0 captures nothing.
struct Box {
  std::array<Key, 2> low{};
  std::array<Key, 2> high{};

  bool single() const { return low == high; }
};

// The rows that a rule may leave, side by side.
template <class T>
struct LeftRows {
  std::vector<std::uint32_t> rows;  // of the table
  std::vector<std::uint8_t> labels;
  std::vector<T> weights;
  std::vector<T> by_class;

  void clear(std::size_t n_classes) {
    rows.clear();
    labels.clear();
    weights.clear();
    by_class.assign(n_classes, 0);
  }
  void add(std::uint32_t row, std::uint8_t label, T weight) {
    rows.push_back(row);
    labels.push_back(label);
    weights.push_back(weight);
    by_class[label] += weight;
  }
};

// What is lost if the best label is predicted.
template <class T>
T loss_of(std::span<const T> by_class) {
  T all = 0;
  T most = 0;
  for (const T weight : by_class) {
    all += weight;
    most = std::max(most, weight);
  }
  return all - most;
}

// What is lost at least if only so many labels are predicted.
template <class T>
T beyond(std::span<const T> by_class, std::size_t n_labels) {
  if (by_class.size() <= n_labels) return 0;
  std::vector<T> weights(by_class.begin(), by_class.end());
  std::sort(weights.begin(), weights.end());
  return std::accumulate(weights.begin(), weights.end() - static_cast<std::ptrdiff_t>(n_labels),
                         T{0});
}

}  // namespace surelist::cuts
