// The loops of lanes.hpp, for the instruction set of the file that includes this.
#pragma once

#include "cuts/lanes.hpp"

namespace surelist::cuts {
namespace {

// A vector of the compiler's own: it becomes one or more registers of any instruction set.
template <class T>
struct Vector {
  typedef T Type __attribute__((vector_size(kLaneBytes), may_alias));
};

template <class T>
void two_classes(const LastRule<T>& last, const T* keys, const Lane<T>& cuts, Lane<T>& most,
                 Lane<T>& least) {
  using V = typename Vector<T>::Type;
  const V cut = *reinterpret_cast<const V*>(&cuts);
  V sum = {};
  V high = {};
  V low = {};
  const std::size_t n = last.rows.size();
  const bool ties = !last.ends.empty();
  if (!ties) {
    for (std::size_t i = 0; i < n; ++i) {
      const V left = (keys[last.rows[i]] - V{}) >= cut;
      sum += left & last.weights[i];
      high = sum > high ? sum : high;
      low = sum < low ? sum : low;
    }
  } else {
    for (std::size_t i = 0; i < n; ++i) {
      const V left = (keys[last.rows[i]] - V{}) >= cut;
      sum += left & last.weights[i];
      const V here = sum & last.ends[i];
      high = here > high ? here : high;
      low = here < low ? here : low;
    }
  }
  *reinterpret_cast<V*>(&most) = high;
  *reinterpret_cast<V*>(&least) = low;
}

template <class T>
void many_classes(const LastRule<T>& last, const T* keys, const Lane<T>& cuts,
                  std::span<const Lane<T>> left_by_class, std::span<Lane<T>> scratch,
                  Lane<T>& best) {
  using V = typename Vector<T>::Type;
  const V cut = *reinterpret_cast<const V*>(&cuts);
  V* const before = reinterpret_cast<V*>(scratch.data());
  const V* const all = reinterpret_cast<const V*>(left_by_class.data());
  const std::size_t n_classes = left_by_class.size();
  for (std::size_t label = 0; label < n_classes; ++label) before[label] = V{};
  V found = all[0];
  for (std::size_t label = 1; label < n_classes; ++label) {
    found = all[label] > found ? all[label] : found;
  }
  const std::size_t n = last.rows.size();
  for (std::size_t i = 0; i < n; ++i) {
    const V left = (keys[last.rows[i]] - V{}) >= cut;
    before[last.labels[i]] += left & last.weights[i];
    if (!last.ends.empty() && last.ends[i] == 0) continue;
    V captured = before[0];
    V rest = all[0] - before[0];
    for (std::size_t label = 1; label < n_classes; ++label) {
      const V one = before[label];
      const V other = all[label] - one;
      captured = one > captured ? one : captured;
      rest = other > rest ? other : rest;
    }
    captured += rest;
    found = captured > found ? captured : found;
  }
  *reinterpret_cast<V*>(&best) = found;
}

template <class T>
constexpr LaneLoops<T> lane_loops() {
  return {.two = two_classes<T>, .many = many_classes<T>};
}

constexpr LaneKernels make_lanes(std::string_view name) {
  return {.name = name,
          .narrow = lane_loops<std::int16_t>(),
          .middle = lane_loops<std::int32_t>(),
          .wide = lane_loops<std::int64_t>()};
}

}  // namespace
}  // namespace surelist::cuts
