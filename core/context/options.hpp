// The options of a search, set by name (designated initialisers), and the ways in which it may end.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "problem/bound_set.hpp"
#include "problem/constraints.hpp"
#include "problem/objective.hpp"
#include "store/queue.hpp"

namespace surelist {

// What the symmetry-aware map takes for equal: nothing, prefixes with the same antecedents, or
// prefixes that capture the same.
enum class Symmetry : std::uint8_t { kNone, kPermutation, kCaptured };

inline constexpr std::array<std::string_view, 3> kSymmetryNames{"none", "permutation", "captured"};

struct SearchOptions {
  Regularization regularization;
  Policy policy = Policy::kLowerBound;
  Symmetry symmetry = Symmetry::kCaptured;
  BoundSet bounds = BoundSet::all();
  std::optional<Length> max_length;           // longest prefix allowed
  Constraints constraints;                    // what else a list must be like
  std::optional<Prefix> initial_rule_list;    // warm start
  std::optional<double> time_limit;           // seconds, for each run
  std::optional<std::size_t> memory_limit;    // bytes
  std::optional<std::uint64_t> max_prefixes;  // queue insertions
  std::optional<std::uint64_t> work_limit;    // counted work, for each run: see work.hpp
  // Whether to look for better lists by local search, and to prove what there is length by length,
  // beside the search through the tree: see turns.hpp. With max_prefixes, which counts prefixes of
  // the tree alone, nothing is proven by length.
  bool by_length = false;
  bool without_tree = false;  // with that, for tests: the tree gets no turn
  // For a stage of that proof: a list of any length. Only better ones are of interest.
  std::optional<Prefix> rival;
  std::size_t beam_width = 100;          // 0: no first incumbent by beam search
  std::size_t n_jobs = 1;                // threads
  std::optional<double> trace_interval;  // seconds between samples
  std::uint64_t random_state = 0;        // seed of the random policy
  std::string kernels = "auto";          // instruction set, for tests
  // Where to write the closed prefixes. A checker that knows nothing of the search must be able to
  // account for every child of each from the set it leaves alone, so some things are different
  // then: rules with the same label are tried in any order, a prefix that a cheaper one replaces
  // keeps its descendants, and prefixes that an edit improves, or the relaxation excludes, are not
  // left out.
  std::optional<std::string> closed_log;
};

// When a run pauses, whatever its limits.
struct Pause {
  std::optional<double> seconds = std::nullopt;
  std::optional<std::uint64_t> prefixes = std::nullopt;  // taken from the queue
  std::optional<std::uint64_t> work = std::nullopt;      // counted: see work.hpp
};

enum class Status : std::uint8_t {
  kRunning,
  kOptimal,
  kTimeLimit,
  kMemoryLimit,
  kPrefixLimit,
  kWorkLimit,
  kInterrupted,
  kPaused,  // the caller wanted it back for a moment
};

inline constexpr std::array<std::string_view, 8> kStatusNames{
    "running",      "optimal",    "time_limit",  "memory_limit",
    "prefix_limit", "work_limit", "interrupted", "paused"};

}  // namespace surelist
