// The optimum by brute force, on rows, from the definition of a rule list. It shares no code with
// the engine, so that the two cannot have the same mistake. Objectives are whole numbers: the true
// value times λ's denominator times the weight of all rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace brute {

__extension__ using Int = __int128;

struct Row {
  std::uint32_t captures = 0;  // bit s: antecedent s captures the row
  std::uint32_t label = 0;
  std::int64_t weight = 1;

  bool operator==(const Row&) const = default;
};

struct Data {
  std::size_t n_antecedents = 0;
  std::size_t n_classes = 2;
  std::vector<Row> rows;

  bool operator==(const Data&) const = default;
};

// λ as a fraction.
struct Penalty {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;

  bool operator==(const Penalty&) const = default;
};

inline Int total_weight(const Data& data) {
  Int total = 0;
  for (const Row& row : data.rows) total += row.weight;
  return total;
}

inline Int scale(const Data& data, const Penalty& penalty) {
  return penalty.denominator * total_weight(data);
}

inline Int objective_of(const Data& data, const Penalty& penalty, Int loss, std::size_t length) {
  return penalty.denominator * loss +
         penalty.numerator * total_weight(data) * static_cast<Int>(length);
}

// Loss of the best label for the rows that `rule` captures (all rows if it is null) and that none
// of the antecedents in `used` captures.
inline Int majority_loss(const Data& data, std::uint32_t used, const std::size_t* rule) {
  std::vector<Int> weights(data.n_classes, 0);
  Int all = 0;
  for (const Row& row : data.rows) {
    if ((row.captures & used) != 0) continue;
    if (rule != nullptr && ((row.captures >> *rule) & 1) == 0) continue;
    weights[row.label] += row.weight;
    all += row.weight;
  }
  return all - *std::max_element(weights.begin(), weights.end());
}

// The least objective of all lists of at most `longest` distinct antecedents. Which rows reach a
// rule depends only on the set of antecedents before it, so each set is solved once: sets with more
// antecedents first.
inline Int optimum(const Data& data, const Penalty& penalty, std::size_t longest) {
  const std::size_t n_sets = std::size_t{1} << data.n_antecedents;
  const Int rule = objective_of(data, penalty, 0, 1);
  std::vector<Int> least(n_sets);
  for (std::size_t i = n_sets; i > 0; --i) {
    const auto used = static_cast<std::uint32_t>(i - 1);
    least[used] = objective_of(data, penalty, majority_loss(data, used, nullptr), 0);
    if (static_cast<std::size_t>(__builtin_popcount(used)) >= longest) continue;
    for (std::size_t s = 0; s < data.n_antecedents; ++s) {
      if ((used >> s) & 1) continue;
      const Int first = rule + objective_of(data, penalty, majority_loss(data, used, &s), 0);
      least[used] = std::min(least[used], first + least[used | (1u << s)]);
    }
  }
  return least[0];
}

// The same by enumerating every list that starts with the antecedents in `used`, which have cost
// `so_far`; without dynamic programming, to check the function above.
inline Int optimum_by_enumeration(const Data& data, const Penalty& penalty, std::size_t longest,
                                  std::uint32_t used = 0, Int so_far = 0) {
  Int best = so_far + objective_of(data, penalty, majority_loss(data, used, nullptr), 0);
  if (static_cast<std::size_t>(__builtin_popcount(used)) >= longest) return best;
  for (std::size_t s = 0; s < data.n_antecedents; ++s) {
    if ((used >> s) & 1) continue;
    const Int first = objective_of(data, penalty, majority_loss(data, used, &s), 1);
    best = std::min(
        best, optimum_by_enumeration(data, penalty, longest, used | (1u << s), so_far + first));
  }
  return best;
}

// The objective of one rule list, row by row.
inline Int objective_of_list(const Data& data, const Penalty& penalty,
                             const std::vector<std::uint32_t>& prefix,
                             const std::vector<std::uint32_t>& labels,
                             std::uint32_t default_label) {
  Int loss = 0;
  for (const Row& row : data.rows) {
    std::uint32_t predicted = default_label;
    for (std::size_t k = prefix.size(); k > 0; --k) {
      if ((row.captures >> prefix[k - 1]) & 1) predicted = labels[k - 1];
    }
    if (predicted != row.label) loss += row.weight;
  }
  return objective_of(data, penalty, loss, prefix.size());
}

}  // namespace brute
