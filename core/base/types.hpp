// The types that all of the core uses: weights, antecedents, labels, prefixes, and the one error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace surelist {

using Weight = std::int64_t;          // weight of rows; counts are weights of one each
using Antecedent = std::uint32_t;     // index of an antecedent
using Label = std::uint32_t;          // code of a class
using Length = std::uint32_t;         // number of rules in a prefix
using Word = std::uint64_t;           // 64 groups (or antecedents) of a set
__extension__ using Wide = __int128;  // exact objectives

// Weights in fewer bits, for loops over many of them: in units of some power of two, rounded up or
// down, so that a bound stays a bound.
using Narrow = std::uint16_t;
inline constexpr std::size_t kNarrowLanes = 32;  // of the widest vector register

// Sums of weights stay below this, so that a few of them can be added.
inline constexpr Weight kMostWeight = Weight{1} << 60;

inline constexpr Antecedent kNoAntecedent = std::numeric_limits<Antecedent>::max();

// A list of antecedents in order, the paper's d_p.
using Prefix = std::vector<Antecedent>;

// Input that the engine refuses. The message says what was wrong and what to do about it.
class InputError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

}  // namespace surelist
