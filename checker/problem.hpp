#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace surelist_checker {

using Number = std::int64_t;
using Word = std::uint64_t;

constexpr std::size_t word_bits = 64;
// Arrays of one number for each antecedent have whole vectors of so many bytes.
constexpr std::size_t vector_bytes = 64;

// The problem as numbers: what `src/surelist/checker.py` has made of the data and the header.
//
// Costs and prices are whole, to one scale. `cost` is divided by what all costs have in common, the
// `factor`, so that sums over groups fit in narrow lanes; everything else is to scale.
//
// Ranges. Let B = sum of the greatest costs of all groups + (m + 2) * greatest price + target. No
// cost of a prefix, completion, set or child is above B; a sum of up to m + 1 gains or savings is
// at most 4 * (m + 1) * B. `Problem` refuses unless 4 * (m + 4) * B < 2^62, computed with overflow
// detection: so no sum or difference of two such numbers wraps, and the loops need not look.
struct Problem {
  std::size_t n_groups = 0;
  std::size_t n_antecedents = 0;
  std::size_t n_classes = 0;
  std::size_t n_words = 0;       // of a set of groups
  std::size_t stride = 0;        // one number for each antecedent, one for all groups, and padding
  std::vector<Word> captures;    // by antecedent: the groups that it captures
  std::vector<Word> everything;  // all groups
  std::vector<Number> cost;      // by group and class, in units of factor
  Number factor = 1;
  Number most_cost = 0;  // greatest costs of all groups, in units of factor: bounds every sum
  std::vector<Number> price;
  Number least_price = 0;
  bool one_price = true;  // all prices are the least one
  Number target = 0;
  Number longest = 0;                   // rules of a list: the lesser of L and N, or m
  bool limited = false;                 // whether L or N is given: without, length does not matter
  std::vector<std::uint8_t> is_label;   // by class: whether rules may predict it
  std::vector<std::uint8_t> forbidden;  // by antecedent
  std::vector<Word> required;           // by antecedent: its bit among the required ones, or 0
  Word all_required = 0;
  std::vector<std::uint32_t> first;
  int format = 1;
  std::vector<std::uint32_t> rank;  // by antecedent, in format 2: its place in the header's order

  template <class Lane>
  void set_stride() {
    constexpr std::size_t lanes = vector_bytes / sizeof(Lane);
    stride = (n_antecedents / lanes + 1) * lanes;
  }
  const Word* captured_by(std::size_t antecedent) const {
    return captures.data() + antecedent * n_words;
  }
  const Number* costs_of(std::size_t group) const { return cost.data() + group * n_classes; }
};

// What a problem is made of. `captures` is by group and antecedent, 0 or 1; `cost` by group and
// class. Raises std::overflow_error if numbers are too large, std::invalid_argument if they do not
// fit together.
struct ProblemParts {
  std::size_t n_groups, n_antecedents, n_classes;
  const std::uint8_t* captures;
  const Number* cost;
  Number factor;
  std::vector<Number> prices;
  Number target;
  Number longest;
  bool limited;
  std::vector<std::uint32_t> labels, required, forbidden, first;
  int format;
  std::vector<std::uint32_t> order;  // of all antecedents, in format 2
};

Problem make_problem(const ProblemParts& parts);

}  // namespace surelist_checker
