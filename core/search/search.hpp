// Branch and bound over rule lists (the paper's Algorithms "Incremental branch-and-bound" and "The
// inner loop of CORELS"), on groups of equivalent points. All state lives in one object; it can be
// stopped at any time with the best list and what has been proven, and continued.
//
// Read search.cpp for the loop, expander.cpp for what happens to a prefix's children, insert.cpp
// for which of them enter the tree.
//
// Threads: workers expand prefixes in parallel, a few at a time. One lock guards the tree, the
// queue and the incumbent; it is held for a fraction of the time that expansions take. The symmetry
// map has locks of its own. Members say which lock guards them, and `make thread-safety` checks it.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <random>

#include "base/mutex.hpp"
#include "context/context.hpp"
#include "heuristics/beam.hpp"
#include "heuristics/local_search.hpp"
#include "prune/remaining.hpp"
#include "prune/symmetry_map.hpp"
#include "search/expander.hpp"
#include "search/reclamation.hpp"
#include "search/turns.hpp"
#include "store/closed_log.hpp"
#include "store/open_prefixes.hpp"
#include "store/prefix_tree.hpp"
#include "store/queue.hpp"
#include "store/trace.hpp"

namespace surelist {

struct RuleListResult {
  Prefix prefix;
  std::vector<Label> labels;
  std::vector<Weight> losses;  // of each rule, its surcharge included
  Label default_label = 0;
  Weight loss = 0;
};

// How far a search has come.
struct Progress {
  double time = 0;
  double objective = 0;
  double lower_bound = 0;
  std::uint64_t expanded = 0;
  std::size_t queue = 0;
  std::size_t memory = 0;
  double remaining = 0;      // log10 of how many prefixes remain to be evaluated, at most
  Length proven_length = 0;  // no list of up to so many rules is better
  std::vector<std::uint64_t> queue_by_length;  // open prefixes
};

class Search {
 public:
  Search(std::shared_ptr<const Problem> problem, SearchOptions options);
  ~Search();

  using Watch = std::function<void(const Progress*)>;
  struct RunOptions {
    // Called in the thread that called `run`, about every twentieth of a second, so that the caller
    // can do other work. It gets the progress, less often, or null.
    Watch watch = [](const Progress*) {};
    bool with_progress = false;
    Pause pause = {};
  };
  // Begins or continues until done, stopped or paused; after a stop, but not after a pause, it gets
  // another time_limit.
  Status run(const RunOptions& options);
  void interrupt() { interrupted_.store(true, std::memory_order_relaxed); }  // from any thread

  // A rule list that was found elsewhere; from any thread, also while the search runs. Returns
  // whether it is better than the incumbent; throws InputError if it is not allowed.
  bool offer(const Prefix& prefix);

  // A snapshot: all that a later search needs to continue from here, that is the open prefixes, the
  // symmetry map, the best list and the counters. Not while it runs.
  std::string save() const;
  // In a new search for the same problem and options: continues from a snapshot.
  void restore(std::string_view state);

  // Loans: open prefixes are lent to another search, on another machine, which begins with them
  // alone (`begin_with`) and returns a `report`. Not while either of the two runs.
  struct Loan {
    std::uint64_t ticket = 0;
    std::size_t size = 0;  // number of prefixes; 0: none is open, and the ticket is void
    std::string prefixes;
  };
  Loan lend(std::size_t most);
  void begin_with(std::string_view prefixes);
  std::string report() const;
  // Ends a loan: those of its descendants that are open take its place in the tree. `closed` are
  // the chunks of the other search's log of closed prefixes.
  void settle(std::uint64_t ticket, std::string_view report, std::string_view closed);
  void reclaim(std::uint64_t ticket);  // ends a loan as if it had not been made
  void reclaim_all();
  void pass_time(double now);  // sets the time, if others have searched meanwhile: seconds
  std::size_t n_open() const;  // prefixes that could be lent now

  // At any time, from any thread.
  Status status() const;
  Objective objective() const;
  Objective lower_bound() const;  // proven: no rule list has a smaller objective
  // No list of up to so many rules has a smaller objective; nothing if that holds for any number.
  std::optional<Length> proven_length() const;
  // What the closed prefixes of the last complete stage prove, which are in a file of their own:
  // the name of the log and ".length". Nothing if those of the tree prove more. `lower_bound` holds
  // for all lists.
  struct LengthProof {
    Length length = 0;
    Objective lower_bound;
  };
  std::optional<LengthProof> length_proof() const;
  RuleListResult best() const;
  Counters counters() const;
  std::vector<Sample> trace() const;
  Objective objective_of(const Prefix& prefix) const;
  const ObjectiveScale& scale() const { return context_.scale; }
  // Antecedents by rank: the order of rules with one label.
  std::vector<Antecedent> order() const;

 private:
  using Clock = std::chrono::steady_clock;
  using Lock = MutexLock;
  class Worker;
  struct Job;
  static constexpr std::uint64_t kEndless = std::uint64_t{1} << 62;  // work; sums do not overflow

  // A stage of the proof by length, which offers every improvement to `outer`.
  Search(const SearchContext& context, SearchOptions options, Search& outer);
  Search(SearchContext context, Search* outer);

  // search.cpp, turns.cpp, take.cpp, progress.cpp: the loop. Functions named "locked" are called
  // with the lock held.
  void start_from_given_lists_locked() SURELIST_REQUIRES(mutex_);
  void begin_run_locked(const RunOptions& options) SURELIST_REQUIRES(mutex_);
  void plant_locked() SURELIST_REQUIRES(mutex_);
  void work(Worker& worker);
  void run_workers();
  void take_turns();
  void run_local_search(std::uint64_t work);
  void search_tree();
  bool has_worked(std::uint64_t work);
  std::uint64_t work_left() const;
  void run_beam();
  bool widen_beam_locked() SURELIST_REQUIRES(mutex_);
  bool must_stop_locked() SURELIST_REQUIRES(mutex_);
  std::size_t batch() const;  // prefixes that a worker takes at a time, at most
  bool take_locked(Worker& worker) SURELIST_REQUIRES(mutex_);
  void find_paths_locked(Worker& worker) SURELIST_REQUIRES(mutex_);
  PrefixId take_next_locked() SURELIST_REQUIRES(mutex_);
  PrefixId next_locked() SURELIST_REQUIRES(mutex_);
  void give_back_locked(PrefixId id) SURELIST_REQUIRES(mutex_);
  void look_at_clock();
  void report_progress(double now);
  Progress progress_locked() const SURELIST_REQUIRES(mutex_);
  void halt(Status status);
  void call_watch(const Progress* progress);
  void fail(std::exception_ptr error);
  void finish_locked(Status status) SURELIST_REQUIRES(mutex_);
  Objective offer_locked(Objective objective, const Prefix& prefix) SURELIST_REQUIRES(mutex_);
  void collect_garbage_locked() SURELIST_REQUIRES(mutex_);
  Objective lower_bound_locked() const SURELIST_REQUIRES(mutex_);
  double remaining_now();
  Remaining remaining_locked() const SURELIST_REQUIRES(mutex_);
  void sample_locked(bool improved) SURELIST_REQUIRES(mutex_);
  double elapsed() const;
  std::size_t memory_locked() const SURELIST_REQUIRES(mutex_);
  void count_memory_locked() SURELIST_REQUIRES(mutex_);
  bool prunable(const PrefixRecord& record, const Incumbent& incumbent) const;
  bool is_dominated(const PrefixRecord& record) const;
  Weight loss_of(const Prefix& prefix, RuleListResult* described) const;

  // insert.cpp: which children enter the tree
  void expand(Worker& worker, Objective best);
  void find_new(Worker& worker, const Task& parent);
  void claim_places(Worker& worker, Job& job);
  bool expand_at_once(Worker& worker, Job& job, Objective best);
  void remember(Worker& worker, std::size_t c, SymmetryMap::Price price, std::size_t part);
  bool is_new(Worker& worker, const Task& parent, std::size_t c);
  void make_task(const Task& parent, const Child& child, const Aligned<Word>& accepted,
                 Task& task) const;
  void close_locked(Worker& worker) SURELIST_REQUIRES(mutex_);
  void insert_locked(const Task& task, const Child& child, const SymmetryMap::Place& place,
                     Weight set_weight) SURELIST_REQUIRES(mutex_);
  void log_child(Worker& worker, const Task& parent, Antecedent last, Settled settled);
  void log_settled(Worker& worker, const Prefix& prefix, Settled settled);
  bool supersedes_locked(const PrefixRecord& record, PrefixId old) const SURELIST_REQUIRES(mutex_);
  bool is_crowded_locked() const SURELIST_REQUIRES(mutex_);
  double queue_key(const Child& child, const PrefixRecord& record, Weight set_weight) const;

  // dive.cpp: depth first without memory
  bool must_dive_locked() const SURELIST_REQUIRES(mutex_);
  bool dive(Worker& worker, const Task& top, std::vector<Task>& left);
  void push_children(Worker& worker, const Task& parent, std::vector<Task>& stack);

  // lengths.cpp: the proof by length
  Length length_at_start() const;
  Objective least_beyond_locked() const SURELIST_REQUIRES(mutex_);
  Weight minority() const;
  bool lengths_done_locked() const SURELIST_REQUIRES(mutex_);
  SearchOptions stage_options_locked(Length length) const SURELIST_REQUIRES(mutex_);
  void begin_stage_locked() SURELIST_REQUIRES(mutex_);
  void run_stage(std::uint64_t work);
  void adopt_locked(Objective objective, const Prefix& prefix) SURELIST_REQUIRES(mutex_);
  void count_stage_locked() SURELIST_REQUIRES(mutex_);
  void end_stage_locked(Status status) SURELIST_REQUIRES(mutex_);
  void skip_settled_lengths_locked() SURELIST_REQUIRES(mutex_);

  // planting.cpp: prefixes from elsewhere
  class Planter;
  enum class PlantOrder : std::uint8_t { kFirst, kByPolicy };  // in the queue
  void replant_locked(std::string_view prefixes, PlantOrder order) SURELIST_REQUIRES(mutex_);
  void plant_below_locked(PrefixId id, const std::vector<Task>& tasks) SURELIST_REQUIRES(mutex_);
  double planted_key(const OpenPrefix& open) const;

  // loans.cpp, snapshot.cpp: what searches on several machines, or one after the other, exchange
  struct SavedState;
  struct Lent {
    std::vector<PrefixId> ids;
    std::vector<Prefix> paths;  // in order
  };
  struct Settlement;
  void check_allowed(const Prefix& prefix) const;
  void check_at_rest_locked() const SURELIST_REQUIRES(mutex_);
  void take_over_locked(const OpenPrefix& open, Settlement& settlement) SURELIST_REQUIRES(mutex_);
  void close_loan_locked(const Settlement& settlement) SURELIST_REQUIRES(mutex_);
  enum class StateKind : std::uint8_t { kSnapshot, kReport };
  std::string write_state(StateKind kind) const;
  void put_open_prefixes_locked(StateKind kind, std::string& bytes) const SURELIST_REQUIRES(mutex_);
  // Tells Clang what it cannot see: that a lambda is called where the lock is held; and that the
  // lock of a stage that is not running is as good as held, because the outer search alone uses it
  // then. (Taking that lock would reverse the order of locks in offer_locked.)
  void assert_locked() const SURELIST_ASSERT_CAPABILITY(mutex_) {}
  SavedState read_state(std::string_view state) const;

  const SearchContext context_;

  alignas(kApart) mutable Mutex mutex_;
  std::condition_variable changed_;  // the queue, or that there is reason to stop
  PrefixTree tree_ SURELIST_GUARDED_BY(mutex_);
  Reclamation reclamation_ SURELIST_GUARDED_BY(mutex_);
  Queue queue_ SURELIST_GUARDED_BY(mutex_);
  Trace trace_ SURELIST_GUARDED_BY(mutex_);
  Counters counters_ SURELIST_GUARDED_BY(mutex_);
  Incumbent incumbent_ SURELIST_GUARDED_BY(mutex_);
  Prefix best_prefix_ SURELIST_GUARDED_BY(mutex_);
  mutable Objective proven_ SURELIST_GUARDED_BY(mutex_);  // largest lower bound seen to hold
  bool improved_ SURELIST_GUARDED_BY(mutex_) = false;     // since garbage was last collected
  Status status_ SURELIST_GUARDED_BY(mutex_) = Status::kRunning;
  std::size_t n_working_ SURELIST_GUARDED_BY(mutex_) = 0;
  std::size_t n_waiting_ SURELIST_GUARDED_BY(mutex_) = 0;
  std::uint64_t n_taken_ SURELIST_GUARDED_BY(mutex_) = 0;          // prefixes, in this run
  std::uint64_t n_taken_of_tree_ SURELIST_GUARDED_BY(mutex_) = 0;  // and since the search began
  PrefixId last_expanded_ SURELIST_GUARDED_BY(mutex_) = kNoPrefix;
  std::mt19937_64 random_ SURELIST_GUARDED_BY(mutex_);
  std::exception_ptr error_ SURELIST_GUARDED_BY(mutex_);
  bool broken_ SURELIST_GUARDED_BY(mutex_) = false;
  std::size_t memory_at_start_ SURELIST_GUARDED_BY(mutex_) = 0;
  Length proven_length_ SURELIST_GUARDED_BY(mutex_) = 0;
  bool lengths_fail_ SURELIST_GUARDED_BY(mutex_) = false;  // there is no memory for that proof
  std::map<std::uint64_t, Lent> loans_ SURELIST_GUARDED_BY(mutex_);
  std::uint64_t last_ticket_ SURELIST_GUARDED_BY(mutex_) = 0;

  alignas(kApart) SymmetryMap map_;      // has locks of its own
  std::optional<ClosedLog> closed_log_;  // likewise
  std::atomic<bool> is_running_{false};
  std::atomic<bool> interrupted_{false};
  std::atomic<Status> stop_{Status::kRunning};  // why to stop, once it is known
  std::atomic<bool> turn_over_{false};          // whether to stop only for the next turn
  std::atomic<std::uint64_t> work_done_{0};     // as in the counters
  // Written by the calling thread while no worker runs; workers only read them.
  std::uint64_t turn_until_ = 0;  // work
  std::uint64_t pause_until_ = 0;
  std::uint64_t work_until_ = 0;
  Search* const outer_;  // of a stage

  // Used by the calling thread of run() alone, or while nothing runs.
  alignas(kApart) Turns turns_;
  std::unique_ptr<Search> stage_;  // of the proof by length; changed with the lock held
  Beam beam_;
  bool beam_done_ = false;
  std::unique_ptr<LocalSearch> local_;
  Objective local_from_;  // the best list when it last began anew
  std::size_t beam_width_ = 0;
  Weight prefix_loss_at_start_ = 0;
  Clock::time_point started_;
  double time_before_ = 0;  // of earlier runs
  double limit_from_ = 0;   // when the time limit began
  Pause pause_;
  double next_look_ = 0;
  double next_watch_ = 0;
  double next_progress_ = 0;
  double next_remaining_ = 0;
  double remaining_ = 0;
  const RunOptions* run_options_ = nullptr;
  std::vector<std::unique_ptr<Worker>> workers_;  // the first is the calling thread's
};

}  // namespace surelist
