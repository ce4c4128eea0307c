// Counters and the trace of a search. Counters are always kept; the trace, if there is one, is a
// series of samples, taken at a set rate and at each improvement.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "base/types.hpp"
#include "problem/bound_set.hpp"

namespace surelist {

struct Counters {
  std::uint64_t expanded = 0;                 // prefixes whose children were evaluated
  std::uint64_t evaluated = 0;                // objectives computed
  std::uint64_t lower_bound_evaluations = 0;  // b(d_p) computed
  std::uint64_t queue_insertions = 0;
  std::uint64_t max_queue = 0;        // most open prefixes at any time
  std::uint64_t last_rule_looks = 0;  // prefixes whose last rule was evaluated in place
  std::uint64_t at_once = 0;          // prefixes expanded without a place in the queue
  std::uint64_t dived = 0;            // prefixes expanded depth first, for lack of memory
  std::uint64_t improvements = 0;
  std::uint64_t work = 0;  // about nanoseconds of one core: see work.hpp
  std::uint64_t garbage_collected = 0;
  Length longest_prefix = 0;
  double time = 0;             // seconds of search so far
  double time_to_optimum = 0;  // when the best list was found
  std::size_t memory = 0;
  std::size_t max_memory = 0;
  std::array<std::uint64_t, kBounds> pruned{};
  std::uint64_t pruned_by_symmetry = 0;

  void prune(Bound bound) { ++pruned[static_cast<std::size_t>(bound)]; }

  // Adds the counts of an expander, and clears them there.
  void take(Counters& other) {
    expanded += other.expanded;
    evaluated += other.evaluated;
    lower_bound_evaluations += other.lower_bound_evaluations;
    last_rule_looks += other.last_rule_looks;
    at_once += other.at_once;
    dived += other.dived;
    work += other.work;
    longest_prefix = std::max(longest_prefix, other.longest_prefix);
    for (std::size_t i = 0; i < kBounds; ++i) pruned[i] += other.pruned[i];
    pruned_by_symmetry += other.pruned_by_symmetry;
    other = Counters{};
  }
};

struct Sample {
  Counters counters;
  double objective = 0;
  double lower_bound = 0;
  Length length = 0;         // of the best list
  Length proven_length = 0;  // no list of up to so many rules is better
  double remaining_fine = 0;
  double remaining_coarse = 0;
  bool improved = false;
  std::vector<std::uint64_t> queue_logical;  // by prefix length
  std::vector<std::uint64_t> queue_physical;
};

class Trace {
 public:
  explicit Trace(std::optional<double> interval) : interval_(interval) {}

  bool on() const { return interval_.has_value(); }
  bool due(double time) const { return interval_ && time >= next_; }
  void record(Sample sample) {
    next_ = sample.counters.time + *interval_;
    samples_.push_back(std::move(sample));
  }
  // No sample before then: samples that take long are taken less often.
  void rest_until(double time) { next_ = std::max(next_, time); }
  const std::vector<Sample>& samples() const { return samples_; }

 private:
  std::optional<double> interval_;
  double next_ = 0;
  std::vector<Sample> samples_;
};

}  // namespace surelist
