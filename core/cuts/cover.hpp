// What is known of all cuts of a chain, from those that were solved.
//
// Similar support, for cuts: let cut m of a chain leave the rows S(m), and let V(S) be the least
// cost of some family of completions on S. If the chain's next cuts up to p capture the rows D
// more, then V(S(p)) >= V(S(m)) - cost(D), because a completion of S(p) costs at most that much
// more on S(m); and V(S(m)) >= V(S(p)), because it has fewer rows. With what the rule itself gets
// wrong, loss(p), a list by cut p therefore costs at least
//     value(m) + loss(p) - loss(m) - weight(D)   for p > m, and
//     value(m) + loss(p) - loss(m)               for p < m.
// loss(p) minus the weight that p captures is `right`, minus what its label gets right. So both are
// a number from m plus a sum along the chain, the first of which falls in p and the second rises.
#pragma once

#include <algorithm>
#include <span>

#include "cuts/table.hpp"

namespace surelist::cuts {

using Cost = std::int64_t;  // objectives times a number that makes them whole: see Scale

// A weight costs `loss`, a rule costs `rule`.
struct Scale {
  Cost loss = 1;
  Cost rule = 0;
};

// The sums along a chain that bounds need, cut by cut from cut 0, which captures nothing.
struct Sums {
  std::span<const Weight> loss;
  std::span<const Weight> right;
  Cost unit = 1;  // of a weight

  Cost from_left(Key m, Cost value) const { return value - unit * right[at(m)]; }
  Cost from_right(Key m, Cost value) const { return value - unit * loss[at(m)]; }
  Cost above(Cost left, Key p) const { return left + unit * right[at(p)]; }
  Cost below(Cost right_end, Key p) const { return right_end + unit * loss[at(p)]; }
  Weight captured(Key p) const { return loss[at(p)] - right[at(p)]; }

  static std::size_t at(Key p) { return static_cast<std::size_t>(p); }
};

// The cuts between two solved ones, neither of which belongs to it.
struct Gap {
  Key left = 0;
  Key right = 0;
  Cost from_left = 0;   // Sums::from_left of the left one
  Cost from_right = 0;  // Sums::from_right of the right one

  bool empty() const { return left + 1 >= right; }
  Cost bound(const Sums& sums, Key p) const {
    return std::max(sums.above(from_left, p), sums.below(from_right, p));
  }
  // The cuts that may cost less than the target: first to last, none where first > last.
  std::pair<Key, Key> unsettled(const Sums& sums, Cost target) const;
  // The least that a cut of it may cost; it must have some.
  Cost least(const Sums& sums) const;
};

// Up to `n` of the cuts from first to last, in ascending order, at about equal distances of weight.
void spread(const Sums& sums, Key first, Key last, std::size_t n, std::vector<Key>& cuts);

}  // namespace surelist::cuts
