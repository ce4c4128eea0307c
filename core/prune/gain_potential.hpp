// Gain potential. If the list ends with default label q, a group u can gain at most
// cost_u(q) − floor_u by being captured first; so one rule s gains at most
// G_q(s|S) = Σ over S∩s of that, G_q only falls as S shrinks, and j more rules reach at best
// max(minority(S), cost of q on S − the j largest G_q) in loss, for some q. The first of them
// captures all it can, so it also pays for the groups it harms: where that net gain is known, it
// takes the place of the smallest of the j.
#pragma once

#include "base/aligned.hpp"
#include "base/types.hpp"
#include "context/budget.hpp"
#include "count/capture_counts.hpp"
#include "problem/objective.hpp"
#include "store/prefix_tree.hpp"

namespace surelist {

class GainPotential {
 public:
  GainPotential(const Problem& problem, const Kernels& kernels);

  // Finds the largest gains among the antecedents in `viable` (a set of bits).
  void reset(const CaptureCounts& counts, const Word* viable);

  // The largest gain that any one rule has for a default label.
  Weight largest(Label label) const { return gains_[label].largest; }

  // A prefix whose groups not captured are a subset of those counted.
  struct Rest {
    Weight prefix_loss = 0;
    Length length = 0;
    const Weight* default_costs = nullptr;  // what each default label costs on what is not captured
    Weight minority = 0;                    // equivalent-points loss there
    Antecedent used = kNoAntecedent;        // an antecedent that has been used up
    const Weight* first_gains = nullptr;    // by label, the most the first rule gains; null: as G
  };

  // Whether no list with so many more rules can keep to the budget.
  bool prunes(const Rest& rest, const ObjectiveScale& scale, const Budget& budget,
              MoreRules more) const;
  // Lower bound on the objective of every list with one to `most` more rules.
  Objective lower_bound(const Rest& rest, const ObjectiveScale& scale, Length most,
                        Objective infinite) const;

 private:
  // Calls visit(j, loss reached with j more rules) while more rules can help; stops on true.
  template <class Visit>
  void for_each_length(const Rest& rest, const ObjectiveScale& scale, Label label, Length most,
                       Visit&& visit) const;

  std::size_t n_classes_;
  const Kernels& kernels_;
  Aligned<LargestGains> gains_;  // by label
};

}  // namespace surelist
