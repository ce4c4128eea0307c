// Mines antecedents: conjunctions of up to `max_clauses` Boolean features, optionally negated, with
// enough and not too much support.
#pragma once

#include <functional>
#include <limits>

#include "problem/collapse.hpp"
#include "problem/problem.hpp"

namespace surelist {

// A clause: 2·feature, plus one where the feature is negated.
using Literal = std::uint32_t;
using Conjunction = std::vector<Literal>;

// How far mining has come.
struct MiningProgress {
  std::uint64_t tried = 0;  // conjunctions of two and more clauses
  std::size_t antecedents = 0;
};

struct MiningOptions {
  std::size_t max_clauses = 1;  // 0: only the given conjunctions
  bool negations = false;
  Weight min_support = 1;  // least and greatest weight an antecedent may capture, both inclusive
  Weight max_support = 0;
  CostMatrix costs;
  std::vector<Conjunction> given;  // always antecedents; literals in rising order
  // Called very often, if set; an exception that it throws ends the mining. Once it returns false,
  // no further conjunctions of two or more clauses are tried, and the result is what was found so
  // far.
  std::function<bool(const MiningProgress&)> go_on;
  // How many conjunctions of two or more clauses are tried at most. Their order is fixed, so that a
  // mining that was cut short by the clock can be repeated exactly.
  std::uint64_t most_tried = std::numeric_limits<std::uint64_t>::max();
};

struct Mined {
  // For each antecedent all conjunctions with those captures, shortest first.
  std::vector<std::vector<Conjunction>> antecedents;
  Problem problem;
  bool complete = true;     // whether every conjunction was tried
  std::uint64_t tried = 0;  // of those with two and more clauses
  // The loss that no rule list over any conjunctions, mined or not, can avoid: rows with equal
  // features get equal predictions.
  Weight feature_floor = 0;
};

// Mines on collapsed rows of feature bits. Conjunctions that capture nothing (contradictory
// clauses) are left out; conjunctions that capture the same rows become one antecedent.
Mined mine(const Patterns& features, const MiningOptions& options);

}  // namespace surelist
