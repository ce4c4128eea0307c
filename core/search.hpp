// Branch and bound over rule lists (the paper's Algorithms "Incremental branch-and-bound" and "The
// inner loop of CORELS"), on groups of equivalent points. All state lives in one object; it can be
// stopped at any time with the best list and what has been proven, and continued.
//
// Read search.cpp for the loop, expand.cpp for what happens to a prefix's children, keep.cpp for
// which of them stay.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <random>

#include "beam.hpp"
#include "bound_set.hpp"
#include "budget.hpp"
#include "capture_counts.hpp"
#include "gain_potential.hpp"
#include "last_rule.hpp"
#include "objective.hpp"
#include "prefix_tree.hpp"
#include "problem.hpp"
#include "queue.hpp"
#include "symmetry_map.hpp"
#include "trace.hpp"

namespace surelist {

struct SearchOptions {
  Regularization regularization;
  Policy policy = Policy::kLowerBound;
  Symmetry symmetry = Symmetry::kCaptured;
  BoundSet bounds = BoundSet::all();
  std::optional<Length> max_length;           // longest prefix allowed
  std::optional<Prefix> initial_rule_list;    // warm start
  std::optional<double> time_limit;           // seconds, for each run
  std::optional<std::size_t> memory_limit;    // bytes
  std::optional<std::uint64_t> max_prefixes;  // queue insertions
  std::size_t beam_width = 100;               // 0: no first incumbent by beam search
  std::optional<double> trace_interval;       // seconds between samples
  std::uint64_t random_state = 0;             // seed of the random policy
  std::string kernels = "auto";               // instruction set, for tests
};

enum class Status : std::uint8_t {
  kRunning,
  kOptimal,
  kTimeLimit,
  kMemoryLimit,
  kPrefixLimit,
  kInterrupted,
};

struct RuleListResult {
  Prefix prefix;
  std::vector<Label> labels;
  Label default_label = 0;
  Weight loss = 0;
};

class Search {
 public:
  Search(std::shared_ptr<const Problem> problem, SearchOptions options);

  // Begins or continues, allowing another time_limit, until done or stopped. `poll` is called about
  // every twentieth of a second, so that a caller can look after other things.
  Status run(const std::function<void()>& poll);
  void interrupt() { interrupted_.store(true, std::memory_order_relaxed); }  // from any thread

  Status status() const { return status_; }
  Objective objective() const { return best_; }
  Objective lower_bound() const;  // proven: no rule list has a smaller objective
  RuleListResult best() const;
  const Prefix& best_prefix() const { return best_prefix_; }
  Objective objective_of(const Prefix& prefix) const;
  const ObjectiveScale& scale() const { return scale_; }
  const Counters& counters() const { return counters_; }
  const Trace& trace() const { return trace_; }
  std::size_t queue_size() const { return tree_.n_open(); }

 private:
  using Clock = std::chrono::steady_clock;

  // A child of the prefix being expanded that no bound has excluded so far.
  struct Child {
    Antecedent antecedent = 0;
    Label label = 0;
    Weight captured = 0;  // weight its last rule captures
    Weight prefix_loss = 0;
    Weight minority = 0;      // equivalent-points loss of what it leaves
    Weight default_loss = 0;  // of what it leaves
    Weight bound_loss = 0;    // see PrefixRecord
  };

  // search.cpp: the loop
  bool must_stop();
  bool out_of_time(std::size_t n_counts);
  void call_poll();
  void finish(Status status);
  PrefixId next_prefix();
  void offer(Objective objective, Prefix prefix);
  void collect_garbage();
  bool prunable(const PrefixRecord& record) const;
  double elapsed() const;
  std::size_t memory() const;
  void sample(bool improved);
  Weight loss_of(const Prefix& prefix, RuleListResult* described) const;

  // expand.cpp: a prefix and its children
  void expand(PrefixId id);
  void evaluate_children();
  void put_back(PrefixId id);
  void open(PrefixId id);
  void list_viable(PrefixId id);
  bool parent_is_hopeless();
  bool knows_net_gains() const;
  void evaluate(Antecedent s);
  void measure(Antecedent s, Child& child) const;
  bool rejected(const Child& child);
  bool in_wrong_order(const Child& child);
  bool worth_keeping(Child& child);
  bool length_prunes(Weight loss);
  bool potential_prunes(Child& child, bool& at_most_one_more);
  void look_at_last_rule(const Child& child);
  bool find_last_rule(const Child& child, Weight most, LastRule::Found& found);
  bool count_last_rule(const Child& child, Weight most, LastRule::Found& found);

  // keep.cpp: which children stay
  void keep_children(PrefixId parent);
  void drop_similar_siblings();
  bool dominated_by_sibling(const Child& child, const Child& kept);
  Weight sum_outside(Antecedent inside, Antecedent outside, bool spread, Weight most) const;
  void insert(PrefixId parent, const Child& child);
  bool symmetric_to_better(const Child& child, std::uint32_t& entry, PrefixId& superseded);

  std::shared_ptr<const Problem> problem_;
  SearchOptions options_;
  ObjectiveScale scale_;
  Objective infinite_;  // above every objective
  Length max_length_;

  PrefixTree tree_;
  SymmetryMap map_;
  Queue queue_;
  Beam beam_;
  Trace trace_;
  std::mt19937_64 random_;

  // The incumbent.
  Objective best_;
  Prefix best_prefix_;
  Budget budget_;                    // what a list may lose and still beat the incumbent
  Length longest_by_objective_ = 0;  // Theorem "Upper bound on prefix length" for the incumbent
  bool improved_ = false;            // since garbage was last collected
  Counters counters_;

  Status status_ = Status::kRunning;
  bool beam_done_ = false;
  std::atomic<bool> interrupted_{false};
  Clock::time_point started_;
  double time_before_ = 0;  // of earlier runs
  double next_poll_ = 0;
  std::uint64_t work_ = 0;  // since the clock was last looked at
  std::uint64_t work_per_count_;
  const std::function<void()>* poll_ = nullptr;
  std::exception_ptr poll_error_;
  Status stop_ = Status::kRunning;  // why to stop, once it is known

  // The prefix being expanded, and scratch space for it.
  CaptureCounter counter_;
  CaptureCounts counts_;
  CaptureCounts child_counts_;
  GainPotential potential_;
  LastRule last_rule_;
  PrefixId last_expanded_ = kNoPrefix;
  PrefixRecord parent_;
  Prefix parent_antecedents_;
  std::vector<Word> set_;   // groups the parent has not captured
  BitSlices::Set set_cut_;  // the same in slices, made when first needed
  bool set_is_cut_ = false;
  BitSlices::Set child_cut_;
  std::vector<Word> viable_;             // antecedents its children may end with
  std::vector<Word> accepted_;           // of those, the ones not rejected
  std::vector<Weight> default_costs_;    // by label, of what the current child leaves
  std::array<Weight, 2> first_gains_{};  // the most its next rule can gain, by default label
  std::vector<Child> children_;
  std::vector<Word> child_set_;
  Prefix child_antecedents_;
};

}  // namespace surelist
