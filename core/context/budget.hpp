// The budget: how much a rule list of each length may lose and still beat the incumbent. The
// comparison loss/W + λ·K < R^c is solved for the loss once, so that the inner loop compares whole
// weights, and stays exact.
#pragma once

#include <algorithm>

#include "problem/objective.hpp"

namespace surelist {

// How many more rules a bound considers: from `least` to `most`.
struct MoreRules {
  Length least = 1;
  Length most = 1;
};

class Budget {
 public:
  // For lengths from 0 to `longest`, and a few more for the lookahead. Lists with fewer rules than
  // `shortest` are not looked for: whatever is shorter has to become as long.
  void reset(const ObjectiveScale& scale, Objective best, Length longest, Length shortest) {
    shortest_ = shortest;
    most_.assign(longest + kLookahead + 1, kNothing);
    for (Length length = 0; length < most_.size(); ++length) {
      const Objective left = best - scale.of(0, std::max(length, shortest));
      if (left.value <= 0) break;  // longer lists are over budget before they lose anything
      most_[length] = scale.weight_within({left.value - 1});
    }
  }

  // The largest loss with which a list of this length beats the incumbent; −1: none does.
  Weight at(Length length) const { return most_[std::min<std::size_t>(length, most_.size() - 1)]; }

  // Up to this length, it is the same for all.
  Length shortest() const { return shortest_; }

 private:
  static constexpr Weight kNothing = -1;
  static constexpr Length kLookahead = 3;
  std::vector<Weight> most_;
  Length shortest_ = 0;
};

}  // namespace surelist
