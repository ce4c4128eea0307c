// One search in turns (turns.hpp): the tree, local search and the proof by length, each for an
// amount of counted work.
#include <algorithm>

#include "search/worker.hpp"

namespace surelist {
namespace {

constexpr std::uint64_t kLocalUnit = 2;  // nanoseconds for a unit of local search's work

}  // namespace

// Until the tree or the proof by length is complete, or there is reason to stop.
void Search::take_turns() {
  while (!has_worked(0) && stop_ == Status::kRunning) {
    Turns::Turn turn;
    {
      const Lock locked(mutex_);
      if (tree_.empty() || lengths_done_locked()) return;
      const bool no_stages = lengths_fail_ || context_.options.max_prefixes;
      turn = turns_.next({n_taken_of_tree_, tree_.n_open()}, no_stages);
    }
    if (turn.kind == Turns::kLength) {
      run_stage(turn.work);
      continue;
    }
    if (turn.kind == Turns::kLocal) {
      run_local_search(turn.work);
      continue;
    }
    const std::uint64_t before = work_done_;
    turn_until_ = before + turn.work;
    search_tree();
    turns_.took(turn.kind, work_done_ - before);
    turn_until_ = kEndless;
    if (turn_over_.exchange(false)) {
      Status paused = Status::kPaused;
      stop_.compare_exchange_strong(paused, Status::kRunning);
    }
  }
}

// Continues, or starts from the best list if somebody else has found a better one.
void Search::run_local_search(std::uint64_t work) {
  Worker& worker = *workers_.front();
  if (!local_) local_ = std::make_unique<LocalSearch>(context_);
  if (objective() != local_from_) local_->start(best().prefix);
  std::uint64_t done = 0;
  const auto offer = [&](Objective objective, const Prefix& prefix) {
    worker.offer(objective, prefix);
  };
  work = std::min(work, work_left());
  while (done < work && !worker.must_stop()) {
    done += kLocalUnit * local_->step(objective(), offer);
  }
  turns_.took(Turns::kLocal, done);
  const Lock locked(mutex_);
  local_from_ = incumbent_.objective;
  counters_.work += done;
  work_done_ = counters_.work;
}

// Work until a pause or a limit; at least 1.
std::uint64_t Search::work_left() const {
  const std::uint64_t end = std::min(pause_until_, work_until_);
  return std::max<std::uint64_t>(end - std::min(end, work_done_.load()), 1);
}

// Whether the work in the counters and `more` ends a turn, a pause or the search. Called by any
// worker; work of other workers that is not yet in the counters is not seen.
bool Search::has_worked(std::uint64_t more) {
  const std::uint64_t work = work_done_.load(std::memory_order_relaxed) + more;
  if (work < std::min({turn_until_, pause_until_, work_until_})) return false;
  if (work >= work_until_) {
    halt(Status::kWorkLimit);
    return true;
  }
  Status expected = Status::kRunning;
  const bool turn_alone = work < pause_until_;
  if (stop_.compare_exchange_strong(expected, Status::kPaused)) turn_over_ = turn_alone;
  return true;
}

}  // namespace surelist
