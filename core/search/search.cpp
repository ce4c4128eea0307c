#include "search/search.hpp"

#include <algorithm>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "base/bits.hpp"
#include "problem/bounds.hpp"
#include "search/worker.hpp"

namespace surelist {
namespace {

constexpr std::size_t kBatch = 64;  // prefixes that a worker takes at a time, at most
constexpr std::size_t kBatchAlone = 8;
constexpr std::size_t kMuchMemory = std::size_t{1} << 26;  // a few prefixes more do not matter
constexpr std::size_t kWider = 10;                         // each beam than the one before
constexpr std::size_t kWidest = 10000;
constexpr std::uint64_t kWorkPerWidth = 50;  // prefixes expanded before, for each place in a beam
constexpr std::size_t kShards = 32;          // of the symmetry map, for each of several threads
constexpr double kLookInterval = 0.001;
constexpr double kWatchInterval = 0.05;
constexpr double kProgressInterval = 0.1;
constexpr double kProgressShare = 0.02;  // of the time may go into finding out how things stand
constexpr std::size_t kNarrowBeam = 10;  // where local search comes after it
constexpr std::uint64_t kLocalUnit = 2;  // of local search, in nanoseconds
constexpr std::uint64_t kEndless = std::uint64_t{1} << 62;  // of work: sums of it do not overflow

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
      map_(context_, context_.options.n_jobs > 1 ? kShards * context_.options.n_jobs : 1),
      trace_(context_.options.trace_interval),
      random_(context_.options.random_state),
      outer_(outer),
      beam_(context_),
      beam_width_(first_beam_width(context_.options)) {
  if (context_.certifies()) closed_log_.emplace(*context_.options.closed_log);
  start_from_given_lists();
  turns_.begin(context_.problem->n_antecedents(), context_.options.beam_width > 1);
  if (context_.options.without_tree) turns_.go_without_tree();
  proven_length_ = length_at_start();
  for (std::size_t i = 0; i < std::max<std::size_t>(context_.options.n_jobs, 1); ++i) {
    workers_.push_back(std::make_unique<Worker>(*this, i == 0));
  }
  plant();
  count_memory_locked();
  memory_at_start_ = counters_.memory;
}

void Search::start_from_given_lists() {
  best_prefix_ = context_.constraints().shortest();
  incumbent_.reset(context_, objective_of(best_prefix_));
  const SearchOptions& options = context_.options;
  if (options.initial_rule_list) {
    const Prefix& initial = *options.initial_rule_list;
    check_distinct(initial, context_.problem->n_antecedents(), "initial_rule_list");
    const bool allowed =
        initial.size() <= context_.max_length && context_.constraints().allow(initial);
    if (allowed) follow_locked(objective_of(initial), initial);
  }
  if (options.rival) follow_locked(objective_of(*options.rival), *options.rival);
  improved_ = false;
}

// The root of the tree, and below it the rules that every list begins with.
void Search::plant() {
  const Prefix& first = context_.constraints().first;
  if (context_.max_length <= first.size()) return;  // there is no other list: nothing to search
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
    is_running_ = true;
    const Status before = status_;
    if (before != Status::kPaused) limit_from_ = counters_.time;
    status_ = Status::kRunning;
    stop_ = Status::kRunning;
    interrupted_ = false;
    pause_ = options.pause;
    n_taken_ = 0;
    work_done_ = counters_.work;
    turn_until_ = kEndless;
    pause_until_ = counters_.work + std::min(pause_.work.value_or(kEndless), kEndless);
    if (before != Status::kPaused) {
      work_until_ =
          counters_.work + std::min(context_.options.work_limit.value_or(kEndless), kEndless);
    }
    time_before_ = counters_.time;
    started_ = Clock::now();
  }
  run_options_ = &options;
  next_look_ = next_watch_ = next_progress_ = next_remaining_ = time_before_;
  run_workers();
  is_running_ = false;
  if (!broken_) finish(stop_ == Status::kRunning ? Status::kOptimal : stop_.load());
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  return status();
}

void Search::run_workers() try {
  run_beam();
  if (context_.options.by_length) return take_turns();
  search_tree();
} catch (...) {
  fail(std::current_exception());
}

// The tree, local search and the proof by length, until one of them is done or somebody says stop.
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

// Until a pause or a limit; never nothing.
std::uint64_t Search::work_left() const {
  const std::uint64_t end = std::min(pause_until_, work_until_);
  return std::max<std::uint64_t>(end - std::min(end, work_done_.load()), 1);
}

// From the best list, unless it found that itself and is still at it.
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

// Whether so much work, on top of what the counters know, ends a turn or meets a limit. From any
// worker; with several of them it is noticed when all is added up.
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

// All workers, until nothing is left or somebody says stop.
void Search::search_tree() {
  std::vector<std::thread> threads;
  try {
    for (std::size_t i = 1; i < workers_.size(); ++i) {
      threads.emplace_back([this, i] { work(*workers_[i]); });
    }
  } catch (const std::system_error&) {
    // The system gives no more threads: those there are will do.
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

// Each wider beam takes a small part of the time that the search has taken by then.
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

// What a worker does until there is nothing left, or somebody says stop.
void Search::work(Worker& worker) try {
  Lock locked(mutex_);
  while (!must_stop_locked()) {
    if (&worker == workers_.front().get() && widen_beam_locked()) {
      locked.unlock();
      run_beam();
      locked.lock();
      if (improved_) collect_garbage_locked();
    } else if (take_locked(worker)) {
      n_working_ += 1;
      worker.is_working = true;
      const Objective best = incumbent_.objective;
      worker.is_diving = must_dive_locked();
      locked.unlock();
      expand(worker, best);
      locked.lock();
      n_working_ -= 1;
      let_go_locked(worker);
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
      changed_.wait(locked);
      n_waiting_ -= 1;
    }
  }
  changed_.notify_all();
} catch (...) {
  fail(std::current_exception());
}

// A worker has finished what it was about. What the map replaced before all of them last did is
// read by nobody any more.
void Search::let_go_locked(Worker& worker) {
  worker.is_working = worker.may_read_replaced = false;
  for (const std::unique_ptr<Worker>& other : workers_) {
    if (other->may_read_replaced) return;
  }
  map_.forget(replaced_);
  replaced_ = map_.take_replaced();
  if (replaced_.empty()) return;
  for (const std::unique_ptr<Worker>& other : workers_) {
    other->may_read_replaced = other->is_working;
  }
}

void Search::fail(std::exception_ptr error) {
  const Lock locked(mutex_);
  if (!error_) error_ = std::move(error);
  broken_ = true;  // children may have been lost: nothing can be proven any more
  stop_ = Status::kInterrupted;
  changed_.notify_all();
}

// Limits on work and memory are looked at before every expansion: they are exact, not approximate.
bool Search::must_stop_locked() {
  if (stop_ != Status::kRunning) return true;
  if (tree_.empty()) return false;  // nothing is left that a limit could prevent
  const SearchOptions& options = context_.options;
  // What grows is kept within the limit by diving; what there is at the start must fit in any case.
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

std::size_t Search::batch() const {
  if (workers_.size() > 1) return kBatch;
  const SearchOptions& options = context_.options;
  // One by one where somebody counts them, or has little memory, or wants them in an order of his
  // own.
  const bool counted = options.max_prefixes || pause_.prefixes ||
                       options.memory_limit.value_or(kMuchMemory) < kMuchMemory;
  return counted || options.policy != Policy::kLowerBound ? 1 : kBatchAlone;
}

// A few prefixes at a time where there are plenty, so that the lock is seldom asked for, and memory
// seldom waited for.
bool Search::take_locked(Worker& worker) {
  const std::size_t fair = tree_.n_open() / (4 * workers_.size());
  const std::size_t most = std::clamp<std::size_t>(fair, 1, batch());
  worker.jobs.resize(std::max(worker.jobs.size(), most));
  worker.n_jobs = 0;
  queue_.peek(most, [this](PrefixId id) { tree_.prefetch(id); });
  while (worker.n_jobs < most) {
    const PrefixId id = take_next_locked();
    if (id == kNoPrefix) break;
    Task& task = worker.jobs[worker.n_jobs++].task;
    task.id = id;
    task.record = tree_[id];
  }
  find_paths_locked(worker);
  return worker.n_jobs > 0;
}

// Up all paths side by side.
void Search::find_paths_locked(Worker& worker) {
  worker.above.clear();
  for (std::size_t i = 0; i < worker.n_jobs; ++i) {
    Task& task = worker.jobs[i].task;
    task.antecedents.resize(task.record.length);
    task.labels.resize(task.record.length);
    worker.above.push_back(task.id);
  }
  for (bool any = true; any;) {
    any = false;
    for (std::size_t i = 0; i < worker.n_jobs; ++i) {
      PrefixId& id = worker.above[i];
      Task& task = worker.jobs[i].task;
      if (id != kNoPrefix) id = tree_.step_up(id, task.antecedents, task.labels);
      any = any || id != kNoPrefix;
    }
  }
  for (std::size_t i = 0; i < worker.n_jobs; ++i) {
    Task& task = worker.jobs[i].task;
    const Word* viable = tree_.viable(task.record.parent);
    task.viable.clear();
    if (viable == nullptr) continue;
    task.viable.assign(viable, viable + bits::words(context_.problem->n_antecedents()));
  }
}

PrefixId Search::take_next_locked() {
  for (PrefixId id = next_locked(); id != kNoPrefix; id = next_locked()) {
    tree_.take(id);
    ++n_taken_;
    ++n_taken_of_tree_;
    if (!prunable(tree_[id], incumbent_) && !replaced(tree_[id])) return id;
    tree_.close(id, nullptr);
    tree_.prune_upwards(id);
  }
  return kNoPrefix;
}

PrefixId Search::next_locked() {
  if (context_.options.policy == Policy::kRandom) {
    constexpr int kTries = 16;  // a path may end where another worker is
    for (int i = 0; i < kTries; ++i) {
      const PrefixId id = tree_.random_leaf(last_expanded_, random_);
      if (id == kNoPrefix || tree_.is_open(id)) return id;
      last_expanded_ = kNoPrefix;
    }
    return kNoPrefix;
  }
  while (!queue_.empty()) {
    const PrefixId id = queue_.pop();
    if (tree_.is_open(id)) return id;
    tree_.left_queue(id);
    tree_.release(id);
  }
  return kNoPrefix;
}

// Stopped in the middle: nothing has been inserted yet, so the prefix simply stays open.
void Search::give_back_locked(PrefixId id) {
  if (!tree_.is_expanding(id)) return tree_.release(id);
  tree_.give_back(id);
  if (context_.options.policy != Policy::kRandom) {
    queue_.push(0, id);
  }
}

// The calling thread alone does this, without the lock: what `watch` does is none of our business.
void Search::look_at_clock() {
  const double now = elapsed();
  if (now >= next_look_) {
    // The others need the lock, too; but a trace has a rate of its own.
    next_look_ = trace_.on() ? now : now + kLookInterval;
    tell_how_things_stand(now);
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

void Search::tell_how_things_stand(double now) {
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

// For what does not wait for the end of an expansion, as a pause does.
void Search::halt(Status status) {
  for (Status before : {Status::kRunning, Status::kPaused}) {
    if (stop_.compare_exchange_strong(before, status)) return;
  }
}

// An exception of the caller's must not leave a prefix half expanded: stop in order, then throw it.
void Search::call_watch(const Progress* progress) {
  try {
    run_options_->watch(progress);
  } catch (...) {
    const Lock locked(mutex_);
    error_ = std::current_exception();
    interrupted_ = true;
  }
}

void Search::finish(Status status) {
  const Lock locked(mutex_);
  status_ = status;
  counters_.time = elapsed();
  count_memory_locked();
  for (const std::unique_ptr<Worker>& worker : workers_) {
    counters_.take(worker->expander.counters());
    if (closed_log_) closed_log_->write(worker->closed);
  }
  if (closed_log_) closed_log_->flush();
  // What a limit cut off may still be proven: nothing open can beat the incumbent.
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
  if (objective >= incumbent_.objective) return incumbent_.objective;  // another worker was faster
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
  const Budget& budget = incumbent.budget;
  return (context_.on(Bound::kHierarchical) &&
          bounds::hierarchical_prunes(loss, budget.at(record.length))) ||
         (context_.on(Bound::kLookahead) &&
          bounds::lookahead_prunes(loss, budget.at(record.length + 1)));
}

void Search::collect_garbage_locked() {
  improved_ = false;
  counters_.garbage_collected += tree_.collect_garbage(
      [this](const PrefixRecord& record) { return prunable(record, incumbent_); });
}

Objective Search::lower_bound_locked() const {
  // Everything that starts with an open prefix pays for one more rule: the prefix itself has been
  // evaluated. Everything else has been evaluated or excluded.
  if (broken_) return {};
  Objective least = incumbent_.objective;
  tree_.for_each_open([&](const PrefixRecord& record) {
    const Objective bound = context_.scale.of(record.bound_loss, record.length + 1);
    if (bound < least) least = bound;
  });
  if (context_.options.by_length) least = std::max(least, least_beyond_locked());
  proven_ = std::max(proven_, least);  // a child's bound may be weaker than its parent's was
  return std::min(proven_, incumbent_.objective);
}

double Search::elapsed() const {
  return time_before_ + std::chrono::duration<double>(Clock::now() - started_).count();
}

std::size_t Search::memory_locked() const {
  const std::size_t stage = stage_ ? stage_->memory_locked() - context_.nbytes() : 0;
  return context_.nbytes() + workers_.size() * workers_.front()->expander.nbytes() +
         tree_.nbytes() + map_.nbytes() + queue_.nbytes() + stage;
}

void Search::count_memory_locked() {
  counters_.memory = memory_locked();
  counters_.max_memory = std::max(counters_.max_memory, counters_.memory);
}

// Counting what remains takes longer than all else that is reported, so it is looked at less often.
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

}  // namespace surelist
