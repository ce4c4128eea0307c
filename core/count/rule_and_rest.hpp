// What a rule and the default that follows it cost, each with its best label.
#pragma once

#include <algorithm>

#include "count/capture_counts.hpp"
#include "problem/constraints.hpp"

namespace surelist {

struct RuleAndRest {
  Weight rule;  // with its surcharge
  Weight rest;
};

inline RuleAndRest rule_and_rest(const CaptureCounts& counts, Antecedent s,
                                 const Constraints& constraints) {
  const std::size_t total = counts.total();
  Weight rule = counts.cost(0)[s];
  Weight rest = counts.cost(0)[total] - rule;
  for (Label q = 1; q < counts.n_classes(); ++q) {
    rule = std::min(rule, counts.cost(q)[s]);
    rest = std::min(rest, counts.cost(q)[total] - counts.cost(q)[s]);
  }
  if (constraints.rule_label) rule = counts.cost(*constraints.rule_label)[s];
  return {rule + constraints.surcharge(s), rest};
}

}  // namespace surelist
