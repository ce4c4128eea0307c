// A worker: one thread's expander, the prefixes it has taken, and their children.
#pragma once

#include "search/search.hpp"

namespace surelist {

// A prefix taken from the tree, and its children that are to enter the tree.
struct Search::Job {
  struct Candidate {
    Child child;
    SymmetryMap::Place place;
  };
  Task task;
  bool done = false;
  std::vector<Candidate> children;
  Aligned<Word> accepted;  // antecedents that their extensions may use
  Weight set_weight = 0;   // of what the prefix has not captured
  std::vector<Task> left;  // prefixes below it that a stop has left unexpanded
};

class alignas(kApart) Search::Worker final : public ExpanderHost {
 public:
  Worker(Search& search, std::size_t number)
      : index(number),
        expander(search.context_, *this),
        keys(search.context_),
        search_(search),
        work_per_count_(search.context_.problem->n_groups() *
                        (search.context_.problem->n_antecedents() + 64)) {}

  Objective offer(Objective objective, const Prefix& prefix) override {
    const Lock locked(search_.mutex_);
    return search_.offer_locked(objective, prefix);
  }

  // Looks at the clock only after some work: it is called very often.
  bool must_stop() {
    if (is_main() && (work_ += work_per_count_) >= kWorkPerLook) {
      work_ = 0;
      search_.look_at_clock();
    }
    search_.has_worked(expander.counters().work);
    return search_.stop_.load(std::memory_order_relaxed) != Status::kRunning;
  }

  // A pause waits for the end of an expansion. Otherwise an expansion that takes longer than the
  // time between two pauses would be repeated forever.
  bool must_abandon() override {
    return must_stop() && search_.stop_.load(std::memory_order_relaxed) != Status::kPaused;
  }

  // Keys of the expander's children.
  void make_keys(const Prefix& antecedents) {
    if (expander.children().empty()) return;
    keys.start(antecedents, expander.set(), expander.sure_to_capture());
    for (const Child& child : expander.children()) {
      const Word* candidates = keys.needs_candidates() ? expander.may_be_captured(child) : nullptr;
      keys.add(child.antecedent, candidates);
    }
  }

  bool is_main() const { return index == 0; }  // in the thread that called run()

  const std::size_t index;
  Expander expander;
  SymmetryKeys keys;
  std::vector<std::size_t> fresh;  // the expander's children that nothing excludes
  struct AtOnce {
    Child child;
    std::size_t key = 0;
  };
  std::vector<AtOnce>
      at_once;  // children of one prefix that are expanded without entering the tree
  Task task_at_once;
  std::vector<Job> jobs;
  std::size_t n_jobs = 0;       // of those, in use
  std::vector<PrefixId> above;  // scratch: where the walk up each path is
  bool is_diving = false;       // see dive.cpp
  ClosedLog::Buffer closed;

 private:
  // Values added between looks at the clock.
  static constexpr std::uint64_t kWorkPerLook = 1u << 20;

  Search& search_;
  std::uint64_t work_per_count_;
  std::uint64_t work_ = kWorkPerLook;  // so that the first call looks
};

}  // namespace surelist
