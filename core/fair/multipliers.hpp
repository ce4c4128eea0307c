// The search for multipliers: those with the greatest least relaxed objective.
//
// A subgradient method: while the list of least relaxed objective breaks a constraint, the
// constraint's multiplier is raised. Any multipliers give valid bounds, so floating point does no
// harm here.
#pragma once

#include "fair/beam.hpp"

namespace surelist::fair {

class Multipliers {
 public:
  Multipliers(const FairProblem& problem, const Gains::Index& index, Weight unit);

  // One step; false when there is nothing more to gain.
  bool step(Incumbent& incumbent);
  // The best ones so far, in units.
  const std::vector<Weight>& best() const { return best_; }
  std::uint64_t work() const { return beam_.work(); }

 private:
  std::vector<Weight> whole() const;
  bool move(const Beam::Best& found, const Incumbent& incumbent);

  const FairProblem& problem_;
  Weight unit_;
  Beam beam_;
  std::vector<double> now_;
  std::vector<Weight> best_;
  double best_objective_ = -1e300;
  double pace_ = 1.0;
  int since_best_ = 0;
  int steps_ = 0;
};

}  // namespace surelist::fair
