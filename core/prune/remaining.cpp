// Logarithms are added instead of numbers multiplied: 10^100 prefixes are common.
#include "prune/remaining.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "problem/bounds.hpp"

namespace surelist {
namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();

double log10_sum(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kNothing ? a : a + std::log10(1 + std::pow(10, b - a));
}

// log10 of Σ_{k=0}^{most} n!/(n−k)!: the ordered choices of up to `most` of n antecedents.
double log10_arrangements(std::size_t n, std::size_t most) {
  double term = 0;
  double sum = 0;
  for (std::size_t k = 1; k <= std::min(n, most); ++k) {
    term += std::log10(static_cast<double>(n - k + 1));
    sum = log10_sum(sum, term);
  }
  return sum;
}

}  // namespace

Remaining remaining_evaluations(const PrefixTree& tree, const ObjectiveScale& scale, Objective best,
                                std::size_t n_antecedents, bool with_minority) {
  // Prefixes with the same length and the same number of rules to come count alike.
  std::map<std::pair<Length, Length>, double> fine;
  tree.for_each_open([&](const PrefixRecord& record) {
    const Weight loss = with_minority ? record.bound_loss : record.prefix_loss;
    const Objective bound = scale.of(loss, record.length);
    const Length most =
        bounds::length_from_prefix(scale, best, bound, record.length, n_antecedents);
    ++fine[{record.length, most - record.length}];
  });
  Remaining remaining{kNothing, kNothing};
  const Length longest = bounds::length_from_objective(scale, best, n_antecedents);
  for (const auto& [key, count] : fine) {
    const auto [length, more] = key;
    const std::size_t left = n_antecedents - length;
    const double log_count = std::log10(count);
    remaining.fine = log10_sum(remaining.fine, log_count + log10_arrangements(left, more));
    const Length coarse_more = longest > length ? longest - length : 0;
    remaining.coarse =
        log10_sum(remaining.coarse, log_count + log10_arrangements(left, coarse_more));
  }
  return remaining;
}

double total_evaluations(const Regularization& regularization, std::size_t n_antecedents,
                         std::size_t n_classes, bool symmetry_aware) {
  std::size_t longest = n_antecedents;
  if (regularization.numerator > 0) {
    const auto classes = static_cast<Wide>(n_classes);
    const Wide most =
        (classes - 1) * regularization.denominator / (classes * regularization.numerator);
    longest = static_cast<std::size_t>(std::min(most, static_cast<Wide>(n_antecedents)));
  }
  if (!symmetry_aware) return log10_arrangements(n_antecedents, longest);
  double term = 0;  // log10 of M!/(M−k)! / (k−1)!
  double sum = 0;
  for (std::size_t k = 1; k <= longest; ++k) {
    term += std::log10(static_cast<double>(n_antecedents - k + 1));
    if (k > 1) term -= std::log10(static_cast<double>(k - 1));
    sum = log10_sum(sum, term);
  }
  return sum;
}

}  // namespace surelist
