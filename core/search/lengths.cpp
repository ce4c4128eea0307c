// The proof by length: stage L proves that no list of at most L rules is better than the incumbent,
// for L = 1, 2, 3, … Each stage is a search of its own with max_length L. Stages are fast even
// where the whole search is not: they look only for lists that beat the best one of any length, and
// the last two rules are counted rather than searched. Prefixes are taken by lower bound: then the
// cheapest of those that leave the same groups mostly comes first, and the others need not be
// expanded. Where that takes too much memory, the search goes depth first.
//
// After stage L no list of up to L rules is better than the incumbent. Longer ones cost at least
// (L + 1)·λ and the minority weight; once that is no better either, the incumbent is optimal.
#include <algorithm>
#include <cstdio>

#include "search/search.hpp"
#include "search/worker.hpp"

namespace surelist {
namespace {

// A stage may use this part (one in …) of the memory that is left, and this much at most; beyond
// that it dives.
constexpr std::size_t kStagePart = 2;
constexpr std::size_t kMostStageMemory = std::size_t{1} << 28;
// The closed prefixes of stages go to files of their own: one for the current stage, and one for
// the last complete stage, which implies all earlier ones.
constexpr const char* kCurrentLog = ".stage";
constexpr const char* kSettledLog = ".length";

}  // namespace

// No list with up to so many rules exists, but for one that has been evaluated.
Length Search::length_at_start() const {
  const Constraints& constraints = context_.constraints();
  const std::size_t shortest = constraints.shortest().size();
  return static_cast<Length>(shortest > constraints.first.size() ? shortest - 1 : shortest);
}

Objective Search::least_beyond_locked() const {
  if (proven_length_ >= context_.max_length) return context_.infinite;
  return context_.scale.of(minority(), proven_length_ + 1);
}

// What every list loses at least.
Weight Search::minority() const {
  return context_.on(Bound::kEquivalentPoints) ? context_.problem->minority_weight() : 0;
}

bool Search::lengths_done_locked() const { return least_beyond_locked() >= incumbent_.objective; }

std::optional<Length> Search::proven_length() const {
  const Lock locked(mutex_);
  if (lower_bound_locked() == incumbent_.objective) return std::nullopt;
  return proven_length_;
}

SearchOptions Search::stage_options_locked(Length length) const {
  SearchOptions options = context_.options;
  options.max_length = length;
  options.policy = Policy::kLowerBound;
  options.by_length = false;
  options.beam_width = 0;
  options.time_limit.reset();
  options.work_limit.reset();
  options.trace_interval.reset();
  options.initial_rule_list.reset();
  options.rival = best_prefix_;
  if (context_.on(Bound::kSettledLengths)) {
    options.shortest = length;
    // If no longer list can be better, the limit excludes nothing, but would keep prefixes apart
    // that only differ in length, and rules from being inserted.
    if (context_.scale.of(minority(), length + 1) >= incumbent_.objective) {
      options.max_length = context_.options.max_length;
    }
  }
  if (options.closed_log) *options.closed_log += kCurrentLog;
  const std::size_t shared = context_.nbytes();
  std::size_t limit = kMostStageMemory + shared;
  if (options.memory_limit) {
    const std::size_t used = std::min(memory_locked(), *options.memory_limit);
    limit = std::min(limit, shared + (*options.memory_limit - used) / kStagePart);
  }
  options.memory_limit = limit;
  return options;
}

// The proof of the tree is preferred if it is complete, or if its bound is higher and the best list
// is longer than what is proven by length.
std::optional<Search::LengthProof> Search::length_proof() const {
  const Lock locked(mutex_);
  const bool any = context_.options.by_length && proven_length_ > length_at_start();
  if (!any || tree_.empty()) return std::nullopt;
  const Objective bound = std::min(least_beyond_locked(), incumbent_.objective);
  if (bound < lower_bound_locked() && proven_length_ < best_prefix_.size()) return std::nullopt;
  return LengthProof{proven_length_, bound};
}

void Search::begin_stage_locked() {
  if (context_.certifies()) std::remove((*context_.options.closed_log + kCurrentLog).c_str());
  stage_.reset(new Search(context_, stage_options_locked(proven_length_ + 1), *this));
}

// Continues the current stage, or begins the next, for so much work.
void Search::run_stage(std::uint64_t work) {
  {
    const Lock locked(mutex_);
    if (!stage_) begin_stage_locked();
    Search& stage = *stage_;
    stage.assert_locked();
    stage.adopt_locked(incumbent_.objective, best_prefix_);
  }
  RunOptions options;
  options.watch = [this](const Progress*) {
    look_at_clock();
    if (stop_ != Status::kRunning) stage_->interrupt();
  };
  options.pause.work = std::min(work, work_left());
  if (context_.options.time_limit) {
    options.pause.seconds = std::max(0.0, *context_.options.time_limit - (elapsed() - limit_from_));
  }
  const Status status = stage_->run(options);
  look_at_clock();
  const Lock locked(mutex_);
  count_stage_locked();
  if (status == Status::kOptimal || status == Status::kMemoryLimit) end_stage_locked(status);
}

// A better list from elsewhere, while the search does not run.
void Search::adopt_locked(Objective objective, const Prefix& prefix) {
  if (objective >= incumbent_.objective) return;
  incumbent_.reset(context_, objective);
  best_prefix_ = prefix;
  improved_ = true;
}

void Search::count_stage_locked() {
  Search& stage = *stage_;
  stage.assert_locked();
  Counters counters = stage.counters_;
  turns_.took(Turns::kLength, counters.work);
  counters_.take(counters);
  work_done_ = counters_.work;
  stage.counters_ = Counters{};
  count_memory_locked();
}

// What the stages have settled, the tree need not look for.
void Search::skip_settled_lengths_locked() {
  if (!context_.options.by_length || !context_.on(Bound::kSettledLengths)) return;
  incumbent_.shortest = proven_length_ + 1;
  incumbent_.reset(context_, incumbent_.objective);
  improved_ = true;
}

void Search::end_stage_locked(Status status) {
  stage_.reset();
  if (status == Status::kMemoryLimit) {  // not even the fixed tables fit
    lengths_fail_ = true;
    return;
  }
  if (context_.certifies()) {
    const std::string& log = *context_.options.closed_log;
    const std::string settled = log + kSettledLog;
    if (std::rename((log + kCurrentLog).c_str(), settled.c_str()) != 0) {
      throw std::runtime_error("the closed prefixes could not be written to '" + settled + "'");
    }
  }
  ++proven_length_;
  skip_settled_lengths_locked();
  if (trace_.on()) sample_locked(false);
}

}  // namespace surelist
