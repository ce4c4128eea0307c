// Gain potential: a lower bound on the loss of lists with j more rules. If the list ends with
// default label q, a rule gains at most cost_u(q) − floor_u on a group u. So a rule s gains at most
// G_q(s|S) = the sum of that over S∩s; G_q only falls as S shrinks; and j more rules lose at least
// max(minority(S), cost of q on S − the j largest G_q), for some q. The first of the rules captures
// all of S that its antecedent does, so it also pays for the groups it harms: where this net gain
// is known, it replaces the smallest of the j gains.
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
    Antecedent used = kNoAntecedent;        // an antecedent that cannot be used again
    const Weight* first_gains = nullptr;    // by label, the largest net gain of the first; null: G
  };

  // Whether no list with so many more rules can keep to the budget.
  bool prunes(const Rest& rest, const ObjectiveScale& scale, const Budget& budget,
              MoreRules more) const;
  // Lower bound on the objective of every list with one to `most` more rules.
  Objective lower_bound(const Rest& rest, const ObjectiveScale& scale, Length most,
                        Objective infinite) const;

 private:
  struct Lengths {
    Length most = 1;      // rules to follow
    Length shortest = 0;  // list that is looked for
  };
  // Calls visit(j, loss reached with j more rules) while more rules can help; stops on true.
  template <class Visit>
  void for_each_length(const Rest& rest, const ObjectiveScale& scale, Label label, Lengths lengths,
                       Visit&& visit) const;

  std::size_t n_classes_;
  const Kernels& kernels_;
  Aligned<LargestGains> gains_;  // by label
};

}  // namespace surelist
