#pragma once

#include <cstddef>
#include <cstdint>

#include "problem.hpp"

namespace surelist_checker {

// The loops that take the time, compiled for several instruction sets where the compiler and the
// system can choose among them at run time. All arrays are aligned to 64 bytes, and n a multiple of
// lane_block.

template <class Lane>
void add_rows(Lane* sums, const Lane* rows, std::size_t row_size, std::size_t begin,
              std::size_t end, const std::uint32_t* groups, std::size_t n_groups);

template <class Lane>
void subtract(const Lane* whole, const Lane* part, std::size_t n, Lane* rest);

// For each of n antecedents and each part: the bits of its words, each word's shifted by its digit.
// Part i has the words from ends[i] to ends[i + 1]. `sums` is by part and antecedent.
void count_bits(const Word* set, const Word* captures, const Word* shifts, std::size_t n_words,
                std::size_t n, const std::size_t* ends, std::size_t n_parts, std::size_t stride,
                std::int32_t* sums);

// For two classes: the greatest net and gain of antecedents that may be active, by default label.
// `up` is what predicting 1 saves over 0, `down` the other way round, of each antecedent.
template <class Lane>
struct Greatest {
  Lane net[2];
  Lane gain[2];
  Lane n_active;
};

template <class Lane>
Greatest<Lane> greatest(const Lane* up, const Lane* down, const Lane* usable, Lane may_predict_0,
                        Lane may_predict_1, Lane price, std::size_t n);

// For two classes: what net can be at most, by default label, once an antecedent has captured as
// much `up` and `down` as is given. Of what another one captures, at most that can be gone: so its
// lead of up over down grows by at most the captured down, and is never above its up.
template <class Lane>
struct MostNet {
  Lane net[2];
};

template <class Lane>
MostNet<Lane> most_net(const Lane* up, const Lane* down, const Lane* usable, Lane may_predict_0,
                       Lane may_predict_1, Lane captured_up, Lane captured_down, std::size_t n);

// For rule (P): the greatest net and up of usable antecedents, never below 0, and a number that no
// up + max(0, net) exceeds.
struct MostOfPairs {
  Number net;
  Number up;
  Number half;
};

template <class Lane>
MostOfPairs most_of_pairs(const Lane* up, const Lane* down, const Lane* usable, std::size_t n);

// What t shares with each antecedent u in the whole problem bounds what both gain in a set: see
// `Settler::pairs_with`.
template <class Lane>
struct Partners {
  const Lane *up, *down;                // of each u in the set
  const Lane* whole_up;                 // of each u in all groups
  const Lane *shared_up, *shared_down;  // of each u with t, in all groups
  const Lane* usable;
  Lane own_up, own_down, own_whole_up;  // of t
  Lane all_up;                          // of the set
};

// The most that t and another can gain, at most: together, or t alone where the other is in front.
template <class Lane>
Lane most_with_partner(const Partners<Lane>& partners, std::size_t n);

// For two classes: costs, gains, floor, ceil and rulecost, as `Sums` lays them out, from `up`,
// `down` and floor.
template <class Lane>
void derive_two(const Lane* parts, std::size_t stride, Number factor, bool may_predict_0,
                bool may_predict_1, Number* sums);

}  // namespace surelist_checker
