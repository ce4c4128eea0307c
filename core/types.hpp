// The few types everything shares.
#pragma once

#include <cstddef>
#include <cstdint>
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

// Sums of weights stay below this, so that a few of them can be added.
inline constexpr Weight kMostWeight = Weight{1} << 60;

// A list of antecedents in order, the paper's d_p.
using Prefix = std::vector<Antecedent>;

// Input that the engine refuses. The message says what was wrong and what to do about it.
class InputError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

}  // namespace surelist
