#include "problem.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <tuple>

namespace surelist_checker {
namespace {

Number checked_add(Number a, Number b) {
  Number sum;
  if (__builtin_add_overflow(a, b, &sum)) throw std::overflow_error("a sum is beyond 63 bits");
  return sum;
}

Number checked_multiply(Number a, Number b) {
  Number product;
  if (__builtin_mul_overflow(a, b, &product))
    throw std::overflow_error("a product is beyond 63 bits");
  return product;
}

void require(bool good, const char* what) {
  if (!good) throw std::invalid_argument(what);
}

// The order of groups is ours to choose. With two classes, those of which both cost something come
// first, then those that cost more as class 0, and so on, the dearest first: so the binary digits
// of each part are in few words (see BitCounter).
std::vector<std::size_t> order_of_groups(const ProblemParts& parts) {
  std::vector<std::size_t> order(parts.n_groups);
  std::iota(order.begin(), order.end(), 0);
  if (parts.n_classes != 2) return order;
  const auto key = [&](std::size_t group) {
    const Number zero = parts.cost[2 * group], one = parts.cost[2 * group + 1];
    return std::tuple(std::min(zero, one) == 0, zero <= one, -zero, -one);
  };
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
  return order;
}

void take_captures(Problem& problem, const ProblemParts& parts,
                   const std::vector<std::size_t>& order) {
  problem.n_words = (problem.n_groups + word_bits - 1) / word_bits;
  problem.set_stride<std::int16_t>();  // until it is known how wide the lanes are
  problem.captures.assign(problem.n_antecedents * problem.n_words, 0);
  problem.everything.assign(problem.n_words, 0);
  for (std::size_t group = 0; group < problem.n_groups; ++group) {
    const Word bit = Word{1} << group % word_bits;
    const std::uint8_t* row = parts.captures + order[group] * problem.n_antecedents;
    problem.everything[group / word_bits] |= bit;
    for (std::size_t a = 0; a < problem.n_antecedents; ++a)
      if (row[a]) problem.captures[a * problem.n_words + group / word_bits] |= bit;
  }
}

// Costs without what they have in common, and their sums.
void take_costs(Problem& problem, const ProblemParts& parts,
                const std::vector<std::size_t>& order) {
  const std::size_t n = problem.n_groups * problem.n_classes;
  Number common = 0;
  for (std::size_t i = 0; i < n; ++i) {
    require(parts.cost[i] >= 0, "a cost is negative");
    common = std::gcd(common, parts.cost[i]);
  }
  common = std::max<Number>(common, 1);
  problem.factor = checked_multiply(parts.factor, common);
  problem.cost.resize(n);
  for (std::size_t group = 0; group < problem.n_groups; ++group) {
    Number* costs = problem.cost.data() + group * problem.n_classes;
    for (std::size_t q = 0; q < problem.n_classes; ++q)
      costs[q] = parts.cost[order[group] * problem.n_classes + q] / common;
    problem.most_cost =
        checked_add(problem.most_cost, *std::max_element(costs, costs + problem.n_classes));
  }
}

void take_prices(Problem& problem, const ProblemParts& parts) {
  require(parts.prices.size() == problem.n_antecedents, "a price for each antecedent");
  problem.price = parts.prices;
  if (problem.price.empty()) return;
  const auto [least, most] = std::minmax_element(problem.price.begin(), problem.price.end());
  require(*least >= 0, "a price is negative");
  problem.least_price = *least;
  problem.one_price = *least == *most;
}

void take_limits(Problem& problem, const ProblemParts& parts) {
  const auto m = problem.n_antecedents;
  problem.is_label.assign(problem.n_classes, 0);
  problem.forbidden.assign(m, 0);
  problem.required.assign(m, 0);
  require(parts.required.size() <= word_bits, "more than 64 required antecedents");
  require(!parts.labels.empty(), "no label for rules");
  for (const auto label : parts.labels) {
    require(label < problem.n_classes, "a label that is no class");
    problem.is_label[label] = 1;
  }
  for (const auto a : parts.forbidden) {
    require(a < m, "a forbidden antecedent that is none");
    problem.forbidden[a] = 1;
  }
  for (std::size_t i = 0; i < parts.required.size(); ++i) {
    const auto a = parts.required[i];
    // Then no list is allowed, and there is nothing to prove.
    require(a < m && !problem.forbidden[a], "a required antecedent that is none, or forbidden");
    problem.required[a] = Word{1} << i;
    problem.all_required |= problem.required[a];
  }
  problem.first = parts.first;
  for (const auto a : problem.first) require(a < m, "a first antecedent that is none");
}

void take_order(Problem& problem, const ProblemParts& parts) {
  problem.format = parts.format;
  if (problem.format == 1) return;
  const std::size_t m = problem.n_antecedents;
  constexpr std::uint32_t none = ~std::uint32_t{0};
  problem.rank.assign(m, none);
  require(parts.order.size() == m, "an order of all antecedents");
  for (std::size_t i = 0; i < m; ++i) {
    require(parts.order[i] < m && problem.rank[parts.order[i]] == none, "an order is not one");
    problem.rank[parts.order[i]] = static_cast<std::uint32_t>(i);
  }
}

// See the ranges in the header.
void check_ranges(const Problem& problem) {
  const auto m = static_cast<Number>(problem.n_antecedents);
  const Number dearest =
      problem.price.empty() ? 0 : *std::max_element(problem.price.begin(), problem.price.end());
  Number bound = checked_multiply(problem.most_cost, problem.factor);
  bound = checked_add(bound, checked_multiply(m + 2, dearest));
  bound = checked_add(bound, problem.target);
  bound = checked_multiply(bound, 4 * (m + 4));
  if (bound >= Number{1} << 62) throw std::overflow_error("a sum of gains is beyond 62 bits");
}

}  // namespace

Problem make_problem(const ProblemParts& parts) {
  Problem problem;
  problem.n_groups = parts.n_groups;
  problem.n_antecedents = parts.n_antecedents;
  problem.n_classes = parts.n_classes;
  // Antecedents, groups and places in lists are counted in 32 bits.
  constexpr std::size_t most = std::size_t{1} << 31;
  require(parts.n_groups < most && parts.n_antecedents < most, "too many groups or antecedents");
  require(parts.n_classes > 0 && parts.factor > 0, "no class, or no factor");
  require(parts.target >= 0 && parts.longest >= 0, "a negative target or length");
  problem.target = parts.target;
  problem.longest = parts.longest;
  problem.limited = parts.limited;
  const auto order = order_of_groups(parts);
  take_captures(problem, parts, order);
  take_costs(problem, parts, order);
  take_prices(problem, parts);
  take_limits(problem, parts);
  take_order(problem, parts);
  check_ranges(problem);
  return problem;
}

}  // namespace surelist_checker
