// One thread's part of a search: an expander, the prefixes it works on, and what came of them.
#pragma once

#include "search/search.hpp"

namespace surelist {

// A prefix taken from the tree, and its children that asked for a place.
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
  std::vector<Task> left;  // what a stop has left to do below it
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

  // Counts work rather than looking at the clock each time.
  bool must_stop() {
    if (is_main() && (work_ += work_per_count_) >= kWorkPerLook) {
      work_ = 0;
      search_.look_at_clock();
    }
    search_.has_worked(expander.counters().work);
    return search_.stop_.load(std::memory_order_relaxed) != Status::kRunning;
  }

  // A pause waits for the end of an expansion: one that takes longer than from one pause to the
  // next would never come to it.
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
  std::vector<std::size_t> fresh;  // which of the expander's children are new
  struct AtOnce {
    Child child;
    std::size_t key = 0;
  };
  std::vector<AtOnce> at_once;  // children of one prefix to be expanded without a place in the tree
  Task task_at_once;
  std::vector<Job> jobs;
  std::size_t n_jobs = 0;       // of those, in use
  std::vector<PrefixId> above;  // scratch: how far up their paths have been walked
  bool is_diving = false;       // what it finds enters neither tree nor map
  ClosedLog::Buffer closed;

 private:
  // Values added between looks at the clock.
  static constexpr std::uint64_t kWorkPerLook = 1u << 20;

  Search& search_;
  std::uint64_t work_per_count_;
  std::uint64_t work_ = kWorkPerLook;  // look before anything else
};

}  // namespace surelist
