// The best fair list so far.
#pragma once

#include "fair/problem.hpp"

namespace surelist::fair {

struct FairList {
  Prefix prefix;
  std::vector<Label> labels;
  Label default_label = 0;
  Weight loss = 0;
  Counts selected;
};

class Incumbent {
 public:
  explicit Incumbent(const FairProblem& problem);

  bool found() const { return found_; }
  const FairList& list() const { return list_; }
  // Above every objective while none is found.
  Objective objective() const { return objective_; }

  // Takes the list that ends after a state with default d, if it is allowed, fair and better.
  bool consider(const State& state, const Capture& rest, Label d);
  // The same for the state with one more rule, which need not be made.
  bool consider(const State& state, Antecedent s, Label label, const Capture& capture,
                const Capture& rest, Label d);

 private:
  bool take(const State& state, Demands demands, Weight loss, Length length, const Counts& selected,
            Label d);

  const FairProblem& problem_;
  bool found_ = false;
  FairList list_;
  Objective objective_;
};

}  // namespace surelist::fair
