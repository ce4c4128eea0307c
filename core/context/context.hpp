// The context of a search: problem, options and tables, which all workers read and none changes.
#pragma once

#include <memory>

#include "base/aligned.hpp"
#include "context/options.hpp"
#include "count/capture_counts.hpp"
#include "count/pair_gains.hpp"
#include "problem/objective.hpp"
#include "problem/problem.hpp"

namespace surelist {

// Tables that depend on the problem alone; several searches for it share them.
struct ProblemTables {
  ProblemTables(const Problem& problem, const Kernels& kernels);

  CaptureCounter counter;
  PairGains pairs;
  Aligned<Weight> rank;  // antecedents by falling support: the order of rules with one label
};

struct SearchContext {
  SearchContext(std::shared_ptr<const Problem> shared_problem, SearchOptions search_options);
  // For the same problem with other options (and the same kernels).
  SearchContext(const SearchContext& other, SearchOptions search_options);

  std::shared_ptr<const Problem> problem;
  SearchOptions options;
  const Kernels& kernels;
  ObjectiveScale scale;
  Length max_length;   // longest prefix allowed
  Objective infinite;  // above every objective
  std::shared_ptr<const ProblemTables> tables;
  const CaptureCounter& counter;
  const PairGains& pairs;
  const Aligned<Weight>& rank;
  Aligned<Word> usable;  // antecedents that are not forbidden

  // Whether the caller allows longer prefixes. (That antecedents are distinct is a bound, and may
  // be switched off.)
  bool may_extend(Length length) const {
    return !options.max_length || length < *options.max_length;
  }
  bool on(Bound bound) const { return options.bounds[bound]; }
  bool certifies() const { return options.closed_log.has_value(); }
  const Constraints& constraints() const { return options.constraints; }
  // With two classes, the net gain of a single rule follows from the counts.
  bool knows_net_gains() const {
    return problem->n_classes() == 2 && (on(Bound::kGainPotential) || on(Bound::kLastRule));
  }
  std::size_t nbytes() const { return problem->nbytes() + counter.nbytes() + pairs.nbytes(); }

 private:
  SearchContext(std::shared_ptr<const Problem> shared_problem, SearchOptions search_options,
                std::shared_ptr<const ProblemTables> shared_tables);
};

}  // namespace surelist
