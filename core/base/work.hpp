// Counted work: an estimate of an operation's time, in nanoseconds of one core, from the sizes of
// its input. Limits and turns count work instead of reading a clock, so that the same data give the
// same result on every machine. The rates were fitted to measured processor time; they need only be
// rough.
#pragma once

#include <cstdint>

namespace surelist::work {

inline constexpr std::uint64_t kSecond = 1'000'000'000;

// A sequential pass over so many bytes; and one over so many elements with a decision for each.
constexpr std::uint64_t bytes(std::size_t n) { return n / 32; }
constexpr std::uint64_t elements(std::size_t n) { return n; }

}  // namespace surelist::work
