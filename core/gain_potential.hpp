// Gain potential. If the list ends with default label q, a group u can gain at most
// cost_u(q) − floor_u by being captured first; so one rule s gains at most
// G_q(s|S) = Σ over S∩s of that, G_q only falls as S shrinks, and j more rules reach at best
// max(minority(S), cost of q on S − the j largest G_q) in loss, for some q.
#pragma once

#include "capture_counts.hpp"
#include "objective.hpp"
#include "prefix_tree.hpp"
#include "types.hpp"

namespace surelist {

class GainPotential {
 public:
  // Lower bounds on the objective of every list that adds exactly one rule, or two and more.
  struct Bounds {
    Objective one;
    Objective more;
  };

  explicit GainPotential(const Problem& problem);

  // Finds the largest gains among the antecedents in `viable` (a set of bits).
  void reset(const CaptureCounts& counts, const Word* viable);

  // For a prefix whose groups not captured are a subset of those counted. `default_costs` holds
  // what each default label costs there, `minority` the equivalent-points loss there; `used` has
  // been used up. `infinite` stands where no such list exists; at most `most_rules` may be added.
  Bounds bounds(const ObjectiveScale& scale, Weight prefix_loss, Length length,
                const Weight* default_costs, Weight minority, Antecedent used, Length most_rules,
                Objective infinite) const;

 private:
  struct Gain {
    Weight gain = 0;
    Antecedent antecedent = kNoAntecedent;
  };
  // Beyond this many rules the smallest kept gain stands for every further one.
  static constexpr std::size_t kKept = 8;

  const Gain* gains(Label label) const { return gains_.data() + label * kKept; }

  std::size_t n_classes_;
  std::vector<Gain> gains_;  // per label, largest first
};

}  // namespace surelist
