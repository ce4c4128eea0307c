// What is known of a state: the least cost of completing it, and bounds by family.
//
// A family is a set of completions: those whose last rule is of one chain, whose last two are of a
// pair of chains, or whose next rule is of one chain. What is proven of a family on one state holds
// on another as well, less the weight of the rows that this one lacks: a completion costs no more
// than that extra on the first state. A cut that captures something on one state may capture
// nothing on the other, so cut 0, which captures nothing at all, belongs to every chain of a
// family.
#pragma once

#include <memory>
#include <vector>

#include "cuts/proof_log.hpp"

namespace surelist::cuts {

// What is known of a state.
struct Solved {
  Cost value = 0;          // no completion costs less
  std::vector<Cut> rules;  // a completion that costs so much, if the value is below the cutoff
  // By the number of rules and their family: no such completion costs less.
  std::vector<std::vector<Cost>> families;
  Bytes log;               // how this is proven: see proof_log.hpp
  std::size_t nbytes = 0;  // counted by the watch
};
using SolvedPtr = std::shared_ptr<const Solved>;

// What other states say of this one: their families, each less the cost of the rows it lacks.
struct Known {
  struct Source {
    SolvedPtr solved;
    Cost less = 0;
  };
  std::vector<Source> sources;

  Cost bound(std::size_t n_rules, std::size_t family) const;
};

}  // namespace surelist::cuts
