#include "cuts/table.hpp"

#include <algorithm>
#include <numeric>

namespace surelist::cuts {
namespace {

void check(std::size_t n_classes, std::span<const Label> labels, std::span<const Weight> weights,
           const std::vector<std::vector<Key>>& keys, const std::vector<Key>& n_cuts) {
  if (weights.size() != labels.size()) throw InputError("there must be one weight for each label");
  if (n_cuts.size() != keys.size()) throw InputError("there must be a number of cuts for a chain");
  for (const Label label : labels) {
    if (label >= n_classes) throw InputError("a label is no class");
  }
  Weight total = 0;
  for (const Weight weight : weights) {
    if (weight < 0 || weight > kMostWeight - total) throw InputError("weights are out of range");
    total += weight;
  }
  for (std::size_t c = 0; c < keys.size(); ++c) {
    if (keys[c].size() != labels.size()) throw InputError("a chain needs a key for each row");
    for (const Key key : keys[c]) {
      if (key < 0 || key > n_cuts[c]) throw InputError("a key is no place in its chain");
    }
  }
}

// The rows of positive weight, such that rows with equal keys follow each other.
std::vector<std::size_t> sorted_rows(std::span<const Weight> weights,
                                     const std::vector<std::vector<Key>>& keys) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < weights.size(); ++row) {
    if (weights[row] > 0) rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    for (const std::vector<Key>& chain : keys) {
      if (chain[a] != chain[b]) return chain[a] < chain[b];
    }
    return a < b;
  });
  return rows;
}

bool mirrors(const Chain& one, const Chain& other) {
  if (one.n_cuts != other.n_cuts) return false;
  for (std::size_t row = 0; row < one.keys.size(); ++row) {
    if (one.keys[row] + other.keys[row] != one.n_cuts) return false;
  }
  return true;
}

void mark_mirrored(std::vector<Chain>& chains) {
  for (std::size_t c = 1; c < chains.size(); ++c) {
    chains[c].mirrored = !chains[c - 1].mirrored && mirrors(chains[c - 1], chains[c]);
  }
}

}  // namespace

Table make_table(std::size_t n_classes, std::span<const Label> labels,
                 std::span<const Weight> weights, std::vector<std::vector<Key>> keys,
                 std::vector<Key> n_cuts) {
  check(n_classes, labels, weights, keys, n_cuts);
  const std::vector<std::size_t> rows = sorted_rows(weights, keys);
  Table table;
  table.n_classes = n_classes;
  table.chains.resize(keys.size());
  for (std::size_t c = 0; c < keys.size(); ++c) table.chains[c].n_cuts = n_cuts[c];
  table.total = std::accumulate(weights.begin(), weights.end(), Weight{0});
  const auto alike = [&](std::size_t a, std::size_t b) {
    return std::all_of(keys.begin(), keys.end(),
                       [&](const std::vector<Key>& chain) { return chain[a] == chain[b]; });
  };
  std::vector<Weight> by_class(n_classes);
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    std::fill(by_class.begin(), by_class.end(), Weight{0});
    for (end = begin; end < rows.size() && alike(rows[begin], rows[end]); ++end) {
      by_class[labels[rows[end]]] += weights[rows[end]];
    }
    ++table.n_groups;
    const Weight shared = *std::min_element(by_class.begin(), by_class.end());
    table.base += shared * static_cast<Weight>(n_classes - 1);
    for (std::size_t label = 0; label < n_classes; ++label) {
      if (by_class[label] == shared) continue;
      table.labels.push_back(static_cast<Label>(label));
      table.weights.push_back(by_class[label] - shared);
      table.groups.push_back(static_cast<std::uint32_t>(table.n_groups));
      for (std::size_t c = 0; c < keys.size(); ++c) {
        table.chains[c].keys.push_back(keys[c][rows[begin]]);
      }
    }
  }
  mark_mirrored(table.chains);
  return table;
}

}  // namespace surelist::cuts
