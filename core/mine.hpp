// Antecedents: conjunctions of up to `max_clauses` Boolean features, optionally negated.
#pragma once

#include <functional>

#include "collapse.hpp"
#include "problem.hpp"

namespace surelist {

// A clause: 2·feature, plus one where the feature is negated.
using Literal = std::uint32_t;
using Conjunction = std::vector<Literal>;

struct MiningOptions {
  std::size_t max_clauses = 1;  // 0: only what is given
  bool negations = false;
  Weight min_support = 1;  // least and greatest weight an antecedent may capture, both inclusive
  Weight max_support = 0;
  CostMatrix costs;
  std::vector<Conjunction> given;  // antecedents in any case; literals in rising order
  std::function<void()> watch;     // called very often, if any; what it throws ends the mining
};

struct Mined {
  // For each antecedent all conjunctions with those captures, shortest first.
  std::vector<std::vector<Conjunction>> antecedents;
  Problem problem;
};

// Mines on collapsed rows of feature bits. Conjunctions that capture nothing (contradictory
// clauses) are left out; conjunctions that capture the same rows become one antecedent.
Mined mine(const Patterns& features, const MiningOptions& options);

}  // namespace surelist
