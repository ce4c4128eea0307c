// The loop of the search. Read `run` first: it starts workers, each of which runs `work`: take
// prefixes, expand them without the lock, insert their children with it.
#include "search/search.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "base/bits.hpp"
#include "problem/bounds.hpp"
#include "search/worker.hpp"

namespace surelist {
namespace {

constexpr std::size_t kWider = 10;  // times, each beam compared with the one before
constexpr std::size_t kWidest = 10000;
constexpr std::uint64_t kWorkPerWidth = 50;  // prefixes expanded, before each place of a wider beam
constexpr std::size_t kShards = 32;          // of the symmetry map, for each of several threads
constexpr std::size_t kNarrowBeam = 10;      // if local search follows
constexpr Weight kNoLoss = std::numeric_limits<Weight>::max();

std::size_t first_beam_width(const SearchOptions& options) {
  return options.by_length ? std::min(options.beam_width, kNarrowBeam) : options.beam_width;
}

}  // namespace

Search::Search(std::shared_ptr<const Problem> problem, SearchOptions options)
    : Search(SearchContext(std::move(problem), std::move(options)), nullptr) {}

Search::Search(const SearchContext& context, SearchOptions options, Search& outer)
    : Search(SearchContext(context, std::move(options)), &outer) {}

Search::Search(SearchContext context, Search* outer)
    : context_(std::move(context)),
      tree_(context_.problem->n_antecedents(), context_.options.policy != Policy::kRandom),
      reclamation_(std::max<std::size_t>(context_.options.n_jobs, 1)),
      trace_(context_.options.trace_interval),
      random_(context_.options.random_state),
      map_(context_, context_.options.n_jobs > 1 ? kShards * context_.options.n_jobs : 1),
      outer_(outer),
      beam_(context_),
      beam_width_(first_beam_width(context_.options)) {
  if (context_.certifies()) closed_log_.emplace(*context_.options.closed_log);
  start_from_given_lists_locked();
  turns_.begin(context_.problem->n_antecedents(), context_.options.beam_width > 1);
  if (context_.options.without_tree) turns_.go_without_tree();
  proven_length_ = length_at_start();
  for (std::size_t i = 0; i < std::max<std::size_t>(context_.options.n_jobs, 1); ++i) {
    workers_.push_back(std::make_unique<Worker>(*this, i));
  }
  plant_locked();
  count_memory_locked();
  memory_at_start_ = counters_.memory;
}

void Search::start_from_given_lists_locked() {
  best_prefix_ = context_.constraints().shortest();
  incumbent_.reset(context_, objective_of(best_prefix_));
  const SearchOptions& options = context_.options;
  if (options.initial_rule_list) {
    const Prefix& initial = *options.initial_rule_list;
    check_distinct(initial, context_.problem->n_antecedents(), "initial_rule_list");
    const bool allowed =
        initial.size() <= context_.max_length && context_.constraints().allow(initial);
    if (allowed) adopt_locked(objective_of(initial), initial);
  }
  if (options.rival) adopt_locked(objective_of(*options.rival), *options.rival);
  improved_ = false;
}

// Plants the root of the tree, and below it the rules that every list begins with.
void Search::plant_locked() {
  const Prefix& first = context_.constraints().first;
  if (context_.max_length <= first.size()) return;  // `first` is the only list
  RuleListResult planted;
  loss_of(first, &planted);
  PrefixRecord record;
  if (context_.on(Bound::kEquivalentPoints))
    record.bound_loss = context_.problem->minority_weight();
  PrefixId id = tree_.insert(record);
  for (std::size_t i = 0; i < first.size(); ++i) {
    record.parent = id;
    record.length += 1;
    record.antecedent = first[i];
    record.label = planted.labels[i];
    record.prefix_loss += planted.losses[i];
    record.bound_loss = std::max(record.bound_loss, record.prefix_loss);
    tree_.take(id);
    const PrefixId child = tree_.insert(record);
    tree_.close(id, nullptr);
    id = child;
  }
  prefix_loss_at_start_ = record.prefix_loss;
  beam_.start(first, record.prefix_loss, beam_width_);
  if (context_.options.policy != Policy::kRandom) queue_.push(0, id);
  counters_.queue_insertions = 1;
  counters_.max_queue = 1;
}

Search::~Search() = default;

Status Search::run(const RunOptions& options) {
  {
    const Lock locked(mutex_);
    if (broken_) throw std::logic_error("the search failed before and cannot go on");
    if (is_running_) throw std::logic_error("the search is running already, in another thread");
    if (!loans_.empty()) throw std::logic_error("some prefixes are lent: settle or reclaim them");
    if (status_ == Status::kOptimal) return status_;
    begin_run_locked(options);
  }
  run_workers();
  is_running_ = false;
  const Lock locked(mutex_);
  if (!broken_) finish_locked(stop_ == Status::kRunning ? Status::kOptimal : stop_.load());
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  return status_;
}

// Limits count from here on, unless the last run was only paused.
void Search::begin_run_locked(const RunOptions& options) {
  is_running_ = true;
  const std::uint64_t work = counters_.work;
  if (status_ != Status::kPaused) {
    limit_from_ = counters_.time;
    work_until_ = work + std::min(context_.options.work_limit.value_or(kEndless), kEndless);
  }
  status_ = Status::kRunning;
  stop_ = Status::kRunning;
  interrupted_ = false;
  run_options_ = &options;
  pause_ = options.pause;
  n_taken_ = 0;
  work_done_ = work;
  turn_until_ = kEndless;
  pause_until_ = work + std::min(pause_.work.value_or(kEndless), kEndless);
  time_before_ = counters_.time;
  started_ = Clock::now();
  next_look_ = next_watch_ = next_progress_ = next_remaining_ = time_before_;
}

void Search::run_workers() try {
  run_beam();
  if (context_.options.by_length) return take_turns();
  search_tree();
} catch (...) {
  fail(std::current_exception());
}

// All workers, until no prefix is open or there is reason to stop.
void Search::search_tree() {
  std::vector<std::thread> threads;
  try {
    for (std::size_t i = 1; i < workers_.size(); ++i) {
      threads.emplace_back([this, i] { work(*workers_[i]); });
    }
  } catch (const std::system_error&) {
    // The system has no more threads: fewer workers do the same work.
  }
  work(*workers_.front());
  for (std::thread& thread : threads) thread.join();
}

void Search::run_beam() {
  Worker& worker = *workers_.front();
  while (!beam_done_ && !worker.must_stop()) {
    beam_done_ = !beam_.step(context_.counter, worker.expander.counts(), objective(),
                             [&](Objective objective, const Prefix& prefix) {
                               if (context_.constraints().missing(prefix) == 0)
                                 worker.offer(objective, prefix);
                             });
    worker.expander.counters().work +=
        worker.expander.counts().work() +
        work::elements(context_.problem->n_antecedents() * context_.problem->n_classes());
  }
  const Lock locked(mutex_);
  counters_.take(worker.expander.counters());
  work_done_ = counters_.work;
}

// A wider beam takes a small share of the time that the search has taken so far.
bool Search::widen_beam_locked() {
  const std::size_t wider = kWider * beam_width_;
  if (context_.options.by_length || beam_width_ == 0 || wider > kWidest ||
      counters_.expanded < kWorkPerWidth * wider) {
    return false;
  }
  const std::optional<std::size_t>& limit = context_.options.memory_limit;
  if (limit && memory_locked() + beam_.nbytes(wider) > *limit) return false;
  beam_width_ = wider;
  beam_.start(context_.constraints().first, prefix_loss_at_start_, wider);
  beam_done_ = false;
  return true;
}

// What each worker does, until no prefix is open or there is reason to stop.
void Search::work(Worker& worker) try {
  Lock locked(mutex_);
  while (!must_stop_locked()) {
    if (worker.is_main() && widen_beam_locked()) {
      locked.unlock();
      run_beam();
      locked.lock();
      if (improved_) collect_garbage_locked();
    } else if (take_locked(worker)) {
      n_working_ += 1;
      reclamation_.start_reading(worker.index);
      const Objective best = incumbent_.objective;
      worker.expander.look_for(incumbent_.shortest);
      worker.is_diving = must_dive_locked();
      locked.unlock();
      expand(worker, best);
      locked.lock();
      n_working_ -= 1;
      reclamation_.stop_reading(worker.index, map_);
      close_locked(worker);
      counters_.take(worker.expander.counters());
      work_done_ = counters_.work;
      count_memory_locked();
      if (improved_) collect_garbage_locked();
      if (n_waiting_ > 0) changed_.notify_all();
    } else if (n_working_ == 0) {
      break;
    } else {
      n_waiting_ += 1;
      locked.wait(changed_);
      n_waiting_ -= 1;
    }
  }
  changed_.notify_all();
} catch (...) {
  fail(std::current_exception());
}

void Search::fail(std::exception_ptr error) {
  const Lock locked(mutex_);
  if (!error_) error_ = std::move(error);
  broken_ = true;  // children may be lost: nothing can be proven any more
  stop_ = Status::kInterrupted;
  changed_.notify_all();
}

// Limits on prefixes and memory are checked before every expansion, so that they are exact.
bool Search::must_stop_locked() {
  if (stop_ != Status::kRunning) return true;
  if (tree_.empty()) return false;  // the search is complete: no limit matters any more
  const SearchOptions& options = context_.options;
  // Growth is kept within the limit by diving (dive.cpp); what exists at the start must fit.
  if (options.memory_limit && memory_at_start_ > *options.memory_limit) {
    stop_ = Status::kMemoryLimit;
  } else if (options.max_prefixes && counters_.queue_insertions >= *options.max_prefixes) {
    stop_ = Status::kPrefixLimit;
  } else if (pause_.prefixes && n_taken_ >= *pause_.prefixes) {
    stop_ = Status::kPaused;
  } else {
    has_worked(0);
  }
  return stop_ != Status::kRunning;
}

// Stops for a reason that, unlike a pause, does not wait for the end of an expansion.
void Search::halt(Status status) {
  for (Status before : {Status::kRunning, Status::kPaused}) {
    if (stop_.compare_exchange_strong(before, status)) return;
  }
}

void Search::finish_locked(Status status) {
  status_ = status;
  counters_.time = elapsed();
  count_memory_locked();
  for (const std::unique_ptr<Worker>& worker : workers_) {
    counters_.take(worker->expander.counters());
    if (closed_log_) closed_log_->write(worker->closed);
  }
  if (closed_log_) closed_log_->flush();
  // A search that a limit has stopped may be complete: if no open prefix can beat the incumbent.
  if (lower_bound_locked() == incumbent_.objective) {
    status_ = Status::kOptimal;
  } else if (status == Status::kOptimal) {
    throw std::logic_error("the search ended with prefixes still open");
  }
  if (objective_of(best_prefix_) != incumbent_.objective) {
    throw std::logic_error("the best rule list does not have the objective recorded for it");
  }
  if (trace_.on()) sample_locked(false);
}

Objective Search::offer_locked(Objective objective, const Prefix& prefix) {
  if (objective >= incumbent_.objective) return incumbent_.objective;  // another was better
  incumbent_.reset(context_, objective);
  best_prefix_ = prefix;
  improved_ = true;
  if (outer_ != nullptr) {
    const Lock locked(outer_->mutex_);
    return outer_->offer_locked(objective, prefix);
  }
  ++counters_.improvements;
  if (is_running_) counters_.time = elapsed();
  counters_.time_to_optimum = counters_.time;
  if (trace_.on()) sample_locked(true);
  return objective;
}

// Whether the bounds in use exclude every extension of an open prefix.
bool Search::prunable(const PrefixRecord& record, const Incumbent& incumbent) const {
  const Weight loss = record.bound_loss;
  const Budget& budget = incumbent.budget_of_tree;
  return (context_.on(Bound::kHierarchical) &&
          (bounds::hierarchical_prunes(loss, budget.at(record.length)) ||
           bounds::hierarchical_prunes(record.prefix_loss, incumbent.budget.at(record.length)))) ||
         (context_.on(Bound::kLookahead) &&
          bounds::lookahead_prunes(loss, budget.at(record.length + 1)));
}

void Search::collect_garbage_locked() {
  improved_ = false;
  counters_.garbage_collected += tree_.collect_garbage([this](const PrefixRecord& record) {
    assert_locked();
    return prunable(record, incumbent_);
  });
}

Objective Search::lower_bound_locked() const {
  // Every list has been evaluated or excluded, except proper extensions of open prefixes; these
  // have at least one more rule.
  if (broken_) return {};
  Objective least = incumbent_.objective;
  std::vector<Weight> least_loss;  // by length; exact objectives take longer to compute
  tree_.for_each_open([&](const PrefixRecord& record) {
    if (record.length >= least_loss.size()) least_loss.resize(record.length + 1, kNoLoss);
    least_loss[record.length] = std::min(least_loss[record.length], record.bound_loss);
  });
  for (Length length = 0; length < least_loss.size(); ++length) {
    if (least_loss[length] == kNoLoss) continue;
    const Length priced = std::max<Length>(length + 1, context_.options.shortest);
    least = std::min(least, context_.scale.of(least_loss[length], priced));
  }
  if (context_.options.by_length) least = std::max(least, least_beyond_locked());
  proven_ = std::max(proven_, least);  // a child's bound may be weaker than its parent's
  return std::min(proven_, incumbent_.objective);
}

}  // namespace surelist
