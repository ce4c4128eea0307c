// How a search over all cuts is proven, as numbers to base 128: what a checker has to try again.
//
// The proof for a state and up to k rules is
//   for k >= 2: the number of pairs, and each pair: its chain, its last chain's place, the number
//     of cuts to solve, and these in ascending order, each as the distance from the one before;
//   for each n from 3 to k: the number of cuts of next rules, and each: its chain, its cut, the two
//     cuts of the same chain from which bounds are taken over (below), and the proof for the state
//     that it leaves and up to n - 1 rules.
// The first of the two is 0 for the state itself with up to n - 1 rules, or i for the i-th cut of
// this chain; the second is 0 for none, or such an i. Both come before.
//
// Where rules ask two cuts, it is for each number of rules from 2 on, and for each pair of chains,
// a tree of boxes, from the whole on: 3 for a box in which the number of rules, or of labels that
// they predict, makes all lists too costly; 0 for another that is not split; or 1 + the axis, the
// last cut of the lower part, the number of families that are settled before and each as the
// distance from the one before, and both parts. With three rules or more, the trees of the settled
// families, of one rule less, come before the parts; all that still wait are settled where a box is
// not split.
#pragma once

#include <span>
#include <utility>

#include "base/leb128.hpp"
#include "cuts/cover.hpp"

namespace surelist::cuts {

using Bytes = std::vector<std::uint8_t>;

// The fewest of the solved cuts, by their values in ascending order, that show that no cut of the
// gap costs less than `least`.
std::vector<Key> needed_cuts(const Sums& sums, const Gap& whole,
                             std::span<const std::pair<Key, Cost>> solved, Cost least);

void log_pair(Bytes& log, std::size_t first, std::size_t last_place, const std::vector<Key>& cuts,
              std::span<const Key> table_cuts);

}  // namespace surelist::cuts
