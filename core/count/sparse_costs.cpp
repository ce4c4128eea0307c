// For each group, the cost that most labels share, and the labels with another one.
#include "count/sparse_costs.hpp"

#include <algorithm>

namespace surelist {
namespace {

// The cost that most labels share.
Weight most_common(const Problem& problem, std::size_t group, std::vector<Weight>& sorted) {
  for (Label q = 0; q < problem.n_classes(); ++q) sorted[q] = problem.cost(group, q);
  std::sort(sorted.begin(), sorted.end());
  Weight found = sorted.front();
  std::ptrdiff_t most = 0;
  for (auto first = sorted.begin(); first != sorted.end();) {
    const auto last = std::upper_bound(first, sorted.end(), *first);
    if (last - first > most) {
      most = last - first;
      found = *first;
    }
    first = last;
  }
  return found;
}

}  // namespace

SparseCosts::SparseCosts(const Problem& problem) : begin_{0} {
  std::vector<Weight> sorted(problem.n_classes());
  for (std::size_t g = 0; g < problem.n_groups(); ++g) {
    const Weight usual = most_common(problem, g, sorted);
    usual_.push_back(usual);
    for (Label q = 0; q < problem.n_classes(); ++q) {
      if (problem.cost(g, q) != usual) savings_.push_back({q, usual - problem.cost(g, q)});
    }
    begin_.push_back(savings_.size());
  }
}

std::size_t SparseCosts::nbytes() const {
  return usual_.capacity() * sizeof(Weight) + begin_.capacity() * sizeof(std::size_t) +
         savings_.capacity() * sizeof(Saving);
}

}  // namespace surelist
