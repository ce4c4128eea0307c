// Beam search under a relaxation: finds good lists quickly, and evaluates a set of multipliers.
//
// Nothing here is a proof. It finds fair lists, which become the incumbent, and the list of least
// relaxed objective, from which the search for multipliers takes its direction.
#pragma once

#include "fair/bound.hpp"
#include "fair/incumbent.hpp"

namespace surelist::fair {

class Beam {
 public:
  struct Best {
    double objective = 1e300;  // relaxed
    Counts selected;
  };

  Beam(const FairProblem& problem, const Gains::Index& index, std::size_t width)
      : problem_(problem), index_(index), width_(width) {}

  Best run(const Relaxation& relaxation, Incumbent& incumbent);
  std::uint64_t work() const { return work_; }

 private:
  struct Child {
    double objective;
    std::size_t parent;
    std::size_t usable;
    Label label;
  };

  void consider(const State& state, const Relaxation& relaxation, Incumbent& incumbent,
                std::size_t parent);
  void consider_child(const State& state, const Relaxation& relaxation, Incumbent& incumbent,
                      Child child);
  std::vector<State> next(const std::vector<State>& states) const;
  double real(const Relaxation& relaxation, Weight relaxed, Length length) const;

  const FairProblem& problem_;
  const Gains::Index& index_;
  std::size_t width_;
  Gains gains_;
  std::vector<Child> children_;
  Capture rest_;
  Weight spent_ = 0;  // relaxed loss of the state at hand, with what no label avoids in the rest
  Best best_;
  std::uint64_t work_ = 0;
};

}  // namespace surelist::fair
