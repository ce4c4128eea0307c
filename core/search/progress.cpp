// What a running search tells its caller, and when it looks at the clock: progress, the trace, time
// limits and interrupts. Measuring costs time, so each kind of report has a rate of its own, and
// those that take long get a fixed share of the time at most.
#include <algorithm>

#include "search/worker.hpp"

namespace surelist {
namespace {

constexpr double kLookInterval = 0.001;  // seconds
constexpr double kWatchInterval = 0.05;
constexpr double kProgressInterval = 0.1;
constexpr double kProgressShare = 0.01;  // of the time may go into reports of a kind

}  // namespace

// By the calling thread alone. `watch` is user code: never call it while holding the lock.
void Search::look_at_clock() {
  const double now = elapsed();
  if (now >= next_look_) {
    // Reports take the lock, so not too often; a trace sets its own rate.
    next_look_ = context_.options.trace_interval ? now : now + kLookInterval;
    report_progress(now);
  }
  const std::optional<double>& limit = context_.options.time_limit;
  if (interrupted_.load(std::memory_order_relaxed)) {
    halt(Status::kInterrupted);
  } else if (limit && now - limit_from_ >= *limit) {
    halt(Status::kTimeLimit);
  } else if (pause_.seconds && now - time_before_ >= *pause_.seconds) {
    Status expected = Status::kRunning;
    stop_.compare_exchange_strong(expected, Status::kPaused);
  }
}

void Search::report_progress(double now) {
  const bool report = run_options_->with_progress && now >= next_progress_;
  Progress progress;
  {
    const Lock locked(mutex_);
    counters_.time = now;
    if (trace_.due(now)) {
      sample_locked(false);
      trace_.rest_until(now + (elapsed() - now) / kProgressShare);
    }
    if (report) progress = progress_locked();
  }
  if (report) {
    next_progress_ = now + std::max(kProgressInterval, (elapsed() - now) / kProgressShare);
    progress.remaining = remaining_now();
  }
  if (report || now >= next_watch_) {
    call_watch(report ? &progress : nullptr);
    next_watch_ = now + kWatchInterval;
  }
}

Progress Search::progress_locked() const {
  const ObjectiveScale& scale = context_.scale;
  return {.time = counters_.time,
          .objective = scale.real(incumbent_.objective),
          .lower_bound = scale.real(lower_bound_locked()),
          .expanded = counters_.expanded,
          .queue = tree_.n_open(),
          .memory = counters_.memory,
          .remaining = remaining_,
          .proven_length = proven_length_,
          .queue_by_length = tree_.logical()};
}

// An exception of the caller must not leave a prefix half expanded: interrupt first, rethrow in
// `run`.
void Search::call_watch(const Progress* progress) {
  try {
    run_options_->watch(progress);
  } catch (...) {
    const Lock locked(mutex_);
    error_ = std::current_exception();
    interrupted_ = true;
  }
}

// Counting the remaining prefixes takes longer than the rest of a report, so it is done less often.
double Search::remaining_now() {
  const double now = elapsed();
  if (now < next_remaining_) return remaining_;
  const Lock locked(mutex_);
  remaining_ = remaining_locked().fine;
  next_remaining_ = now + (elapsed() - now) / kProgressShare;
  return remaining_;
}

Remaining Search::remaining_locked() const {
  return remaining_evaluations(tree_, context_.scale, incumbent_.objective,
                               context_.problem->n_antecedents(),
                               context_.on(Bound::kEquivalentPoints));
}

void Search::sample_locked(bool improved) {
  Sample sample;
  sample.counters = counters_;
  sample.objective = context_.scale.real(incumbent_.objective);
  sample.lower_bound = context_.scale.real(lower_bound_locked());
  sample.length = static_cast<Length>(best_prefix_.size());
  sample.proven_length = proven_length_;
  sample.improved = improved;
  const Remaining remaining = remaining_locked();
  sample.remaining_fine = remaining.fine;
  sample.remaining_coarse = remaining.coarse;
  sample.queue_logical = tree_.logical();
  sample.queue_physical = tree_.physical();
  trace_.record(std::move(sample));
}

double Search::elapsed() const {
  return time_before_ + std::chrono::duration<double>(Clock::now() - started_).count();
}

std::size_t Search::memory_locked() const {
  std::size_t of_stage = 0;
  if (stage_) {
    const Search& stage = *stage_;
    stage.assert_locked();
    of_stage = stage.memory_locked() - context_.nbytes();  // which is shared
  }
  return context_.nbytes() + workers_.size() * workers_.front()->expander.nbytes() +
         tree_.nbytes() + map_.nbytes() + queue_.nbytes() + of_stage;
}

void Search::count_memory_locked() {
  counters_.memory = memory_locked();
  counters_.max_memory = std::max(counters_.max_memory, counters_.memory);
}

}  // namespace surelist
