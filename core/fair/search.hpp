// The search for the best fair rule list: branch and bound over prefixes with their labels.
//
// A rule may predict either label, whatever the majority of what it captures, unless the options
// say otherwise. First multipliers and a first fair list are found; then prefixes are taken from
// the queue until none is left that could begin a better fair list. One step is a slice of that, by
// counted work, so the caller decides about limits; an expansion that a step does not finish goes
// on in the next one.
#pragma once

#include <queue>

#include "fair/multipliers.hpp"
#include "fair/store.hpp"
#include "fair/values.hpp"

namespace surelist::fair {

struct Counters {
  std::uint64_t expanded = 0;
  std::uint64_t evaluated = 0;  // lists whose rates were compared
  std::uint64_t stored = 0;
  std::uint64_t work = 0;
  std::uint64_t improvements = 0;
  // Prefixes that each kind of bound excluded.
  std::uint64_t by_bound = 0;
  std::uint64_t by_feasibility = 0;
  std::uint64_t by_domination = 0;
  std::uint64_t by_value = 0;
};

class Search {
 public:
  Search(std::shared_ptr<const Problem> problem, Constraints constraints, Options options);
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  // Works for about so much counted work; false when the search is over.
  bool step(std::uint64_t work);
  // A list to begin with: it is taken if it is allowed and fair.
  bool offer(const Prefix& prefix, const std::vector<Label>& labels, Label default_label);

  bool over() const { return over_; }
  bool found() const { return incumbent_.found(); }
  const FairList& list() const { return incumbent_.list(); }
  Objective objective() const { return incumbent_.objective(); }
  // No fair list is below; the incumbent's objective when the search is over.
  Objective lower_bound() const;
  // No fair list of up to so many rules is better; nothing when the search is over.
  std::optional<Length> proven_length() const;
  const ObjectiveScale& scale() const { return problem_.scale(); }
  Counters counters() const;
  std::size_t n_open() const { return queue_.size() + (current_ ? 1 : 0); }
  std::size_t nbytes() const;

  // The proof: the relaxation, the prefixes that were expanded or dominate others (for each the
  // number of rules, then twice each antecedent plus its label), and what is known of sets.
  Weight unit() const { return unit_; }
  std::vector<Weight> multipliers() const;
  std::vector<std::uint32_t> closed() const;
  std::vector<Values::Claim> claims() const;

 private:
  struct Queued {
    Wide key;
    Node node;
    bool operator<(const Queued& other) const {
      return key != other.key ? key > other.key : node > other.node;
    }
  };
  // The expansion under way.
  struct Current {
    Node node = kNoNode;
    State state;
    Capture rest;
    Weight spent = 0;       // relaxed loss of the prefix, with what no label avoids in the rest
    std::size_t child = 0;  // twice the position among usable antecedents, plus the label
    Gains gains;
  };

  void begin_tree(std::vector<Weight> multipliers);
  void take();
  void start(Node node);
  // Raises its lower bound by the sums of its own set; before, it has at most that of its parent's.
  void raise_lower(const Current& at);
  // Looks at the children of the current prefix until the work is done.
  void go_on(std::uint64_t until);
  // False where the work ran out.
  bool look_at(Current& at, std::size_t usable, Label label, std::uint64_t until);
  bool continue_with(Current& at, const State& next, Weight spent, const Reach& reach,
                     std::uint64_t until);
  void insert(Node before, const State& state, const Reach& reach);
  Wide key(Node node) const;
  Length rules_left(Length length) const;

  FairProblem problem_;
  Gains::Index index_;
  Weight unit_;
  RelaxedScale relaxed_;
  Incumbent incumbent_;
  std::optional<Multipliers> search_for_multipliers_;
  std::optional<Relaxation> relaxation_;
  std::optional<Values> values_;
  Store store_;
  std::priority_queue<Queued> queue_;
  std::optional<Current> current_;
  bool over_ = false;
  Counters counters_;
};

}  // namespace surelist::fair
