// The last rule, for many cuts of the rule before it at once: one lane of a vector for each cut.
//
// The rows come in the order of the last rule's chain. A row is counted in the lanes whose cut does
// not capture it (key >= cut), and after each row that ends a value of the chain, a lane looks at
// what a last rule that cuts there would save. One pass over the rows so finds the best last rule
// of a chain for 32 cuts of the rule before, with 16-bit numbers.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/types.hpp"

namespace surelist::cuts {

inline constexpr std::size_t kLaneBytes = 64;
template <class T>
inline constexpr std::size_t kLanes = kLaneBytes / sizeof(T);

// A number for each lane.
template <class T>
struct alignas(kLaneBytes) Lane {
  std::array<T, kLanes<T>> at{};
};

// The rows in the order of the last rule's chain, without those that it never captures.
template <class T>
struct LastRule {
  std::span<const std::uint32_t> rows;  // as places in `keys`
  std::span<const T> weights;           // two classes: positive for class 1, negative for class 0
  std::span<const std::uint8_t> labels;
  std::span<const T> ends;  // -1 after the last row of a value, 0 after others; empty: always -1
};

// Two classes. `most` and `least` get the greatest and least sum of signed weights of the rows
// before a cut; 0, that of no rows, is among them.
template <class T>
using TwoClasses = void (*)(const LastRule<T>& last, const T* keys, const Lane<T>& cuts,
                            Lane<T>& most, Lane<T>& least);

// Any number of classes. `left` is what each lane leaves by class, and `best` gets the greatest sum
// of the largest class before a cut and the largest class of the rest, a cut before all rows among
// them. `scratch` has room for as
// many lanes as classes.
template <class T>
using ManyClasses = void (*)(const LastRule<T>& last, const T* keys, const Lane<T>& cuts,
                             std::span<const Lane<T>> left, std::span<Lane<T>> scratch,
                             Lane<T>& best);

template <class T>
struct LaneLoops {
  TwoClasses<T> two;
  ManyClasses<T> many;
};

struct LaneKernels {
  std::string_view name;
  LaneLoops<std::int16_t> narrow;
  LaneLoops<std::int32_t> middle;
  LaneLoops<std::int64_t> wide;

  template <class T>
  const LaneLoops<T>& loops() const {
    if constexpr (sizeof(T) == 2) {
      return narrow;
    } else if constexpr (sizeof(T) == 4) {
      return middle;
    } else {
      return wide;
    }
  }
};

// By name ("auto", "baseline", "avx2", "avx512"); throws InputError where the processor has none.
const LaneKernels& lane_kernels(std::string_view name);

const LaneKernels& baseline_lanes();
const LaneKernels& avx2_lanes();
const LaneKernels& avx512_lanes();

}  // namespace surelist::cuts
