#pragma once

#include <cstddef>
#include <cstdint>

#include "problem.hpp"

namespace surelist_checker {

// The loops that take the time, compiled for several instruction sets where the compiler and the
// system can choose among them at run time. All arrays are aligned to 64 bytes, and n a multiple of
// vector.

template <class Lane>
void add_rows(Lane* sums, const Lane* rows, std::size_t row_size, std::size_t begin,
              std::size_t end, const std::uint32_t* groups, std::size_t n_groups);

template <class Lane>
void subtract(const Lane* whole, const Lane* part, std::size_t n, Lane* rest);

// Numbers of groups by their binary digits. A row stands for one digit in 64 groups: the word of a
// set that has these, the groups among them that have the digit, and the digit. Part i has the rows
// from ends[i] to ends[i + 1], the highest digits first.
struct Digits {
  const std::uint32_t* places;
  const Word* masks;
  const Word* shifts;
  const std::size_t* ends;
  std::size_t n_parts;
};

// By row: the groups of a set that have its digit.
void spread_bits(const Digits& digits, const Word* set, Word* words);
// By part: the sum of the set's numbers.
void sum_bits(const Digits& digits, const Word* words, std::int32_t* sums);
// By part, `stride` apart: the sums over what each of n columns of `captures` has of the set. Eight
// columns are counted at a time.
void count_bits(const Digits& digits, const Word* words, const Word* captures, std::size_t row_size,
                std::size_t n, std::size_t stride, std::int32_t* sums);

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

// For rule (P): the greatest net of usable antecedents, never below 0, and a number that no
// up + max(0, net) exceeds. Of those with less than `least_down`, the greatest net and up.
struct MostOfPairs {
  Number net;
  Number half;
  Number pair_net;
  Number pair_up;
};

template <class Lane>
MostOfPairs most_of_pairs(const Lane* up, const Lane* down, const Lane* usable, Lane least_down,
                          std::size_t n);

// Marks (with -1) usable antecedents with which a pair may gain more than `two`: at least those of
// which one half alone has more, and that neither harm too much nor, with the greatest net and up
// of the others, gain too little. Returns whether there are any.
template <class Lane>
struct PairLimits {
  Lane two, harmful;  // where down is so much, no pair gains more than `two`
  Lane net, up;       // as much, or less, is too little
};

template <class Lane>
bool mark_halves(const Lane* up, const Lane* down, const Lane* usable,
                 const PairLimits<Lane>& limits, std::size_t n, Lane* marks);

// What t shares with each antecedent u in the whole problem bounds what both gain in a set: see
// `LastTwo::most_with`.
template <class Lane>
struct Partners {
  const Lane *up, *down;                // of each u in the set: at most, and at least
  const Lane* most_down;                // and at most
  const Lane* whole_up;                 // of each u in all groups
  const Lane *shared_up, *shared_down;  // of each u with t, in all groups
  const Lane* usable;
  Lane own_up, own_down, own_whole_up;  // of t
  Lane all_up;                          // of the set
};

// The most that t and another can gain, at most: together, or t alone where the other is in front.
template <class Lane>
Lane most_with_partner(const Partners<Lane>& partners, std::size_t n);

// What each antecedent t shares with another one in a set lies between these bounds, by what both
// share in all groups: of one class.
template <class Lane>
struct SharedBounds {
  const Lane *all_shared, *all_captured;  // in all groups
  const Lane* captured;                   // by t in the set
  Lane own, own_gone;  // what the other one captures in the set, and in all other groups
  Lane others;         // what the set has that it does not capture
  Lane *most, *least;
};

template <class Lane>
void bound_shared(const SharedBounds<Lane>& bounds, std::size_t n);

// For rule (M): a rule more, and which rules t may come next. By class or label, and antecedent t.
template <class Lane>
struct RelaxedRule {
  struct Class {
    const Lane* captured;                    // by t, in the set of Z
    const Lane *shared_most, *shared_least;  // of that, by the rule as well: between these
    const Lane *before_most, *before_least;  // of that, taken before the rule: between these
    Lane *now_most, *now_least;              // and with it
    Lane* cost;                              // of t for this label, or -1 if it cannot go on
    Lane own_new, own_taken;  // of what the rule captures: at most new, at most taken before
    Lane left;                // of the set, at least not taken
  };
  Class classes[2];
  const Lane *usable, *worth, *turn;  // a rule takes more than its worth of its label's class
  int label;
  Lane least_turn;  // of a next rule with the same label
  Lane budget_last, budget_next;
};

// Bounds what is taken with the rule. Whether some rule t may come next and be the last one.
template <class Lane>
bool relax(const RelaxedRule<Lane>& rule, std::size_t n);

// For two classes: costs, gains, floor, ceil and rulecost, as `Sums` lays them out, from `up`,
// `down` and floor.
template <class Lane>
void derive_two(const Lane* parts, std::size_t stride, Number factor, bool may_predict_0,
                bool may_predict_1, Number* sums);

}  // namespace surelist_checker
