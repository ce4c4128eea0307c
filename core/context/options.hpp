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

// Which prefixes the symmetry-aware map treats as equal: none, those with the same antecedents, or
// those that capture the same groups.
enum class Symmetry : std::uint8_t { kNone, kPermutation, kCaptured };

inline constexpr std::array<std::string_view, 3> kSymmetryNames{"none", "permutation", "captured"};

struct SearchOptions {
  Regularization regularization;
  Policy policy = Policy::kLowerBound;
  Symmetry symmetry = Symmetry::kCaptured;
  BoundSet bounds = BoundSet::all();
  std::optional<Length> max_length;           // longest prefix allowed
  Constraints constraints;                    // on rule lists
  std::optional<Prefix> initial_rule_list;    // warm start
  std::optional<double> time_limit;           // seconds, for each run
  std::optional<std::size_t> memory_limit;    // bytes
  std::optional<std::uint64_t> max_prefixes;  // queue insertions
  std::optional<std::uint64_t> work_limit;    // counted work, for each run: see work.hpp
  // Whether the search through the tree takes turns with local search and the proof by length: see
  // turns.hpp. With max_prefixes, which counts prefixes of the tree, there is no proof by length.
  bool by_length = false;
  bool without_tree = false;  // for tests, with by_length: the tree gets no turn
  // For a stage of the proof by length: a list of any length, which others have to beat.
  std::optional<Prefix> rival;
  // And the least length that it looks for: shorter lists are settled, and none of them is better.
  Length shortest = 0;
  std::size_t beam_width = 100;          // 0: no beam search for a first incumbent
  std::size_t n_jobs = 1;                // threads
  std::optional<double> trace_interval;  // seconds between samples
  std::uint64_t random_state = 0;        // seed of the random policy
  std::string kernels = "auto";          // instruction set, for tests
  // The file for the settled prefixes, from which a certificate is made. A checker that knows
  // nothing of the search must be able to account for every child of a closed prefix. So
  // settled_lengths and replacement, which no checker knows, are off then; and a prefix that a
  // cheaper one dominates keeps its descendants.
  std::optional<std::string> closed_log;
};

// When a run pauses, independently of its limits.
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
  kPaused,  // see Pause
};

inline constexpr std::array<std::string_view, 8> kStatusNames{
    "running",      "optimal",    "time_limit",  "memory_limit",
    "prefix_limit", "work_limit", "interrupted", "paused"};

}  // namespace surelist
