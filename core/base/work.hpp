// Counted work: what an operation costs, in about nanoseconds of one core of a current machine,
// from the sizes of what it looks at. Limits and turns that count work instead of looking at a
// clock make the same data give the same result on every machine. The rates were fitted to measured
// processor time; that they are rough does no harm.
#pragma once

#include <cstdint>

namespace surelist::work {

inline constexpr std::uint64_t kSecond = 1'000'000'000;

// A pass over so many bytes that lie in a row, and one over so many elements that each decide
// something.
constexpr std::uint64_t bytes(std::size_t n) { return n / 32; }
constexpr std::uint64_t elements(std::size_t n) { return n; }

}  // namespace surelist::work
