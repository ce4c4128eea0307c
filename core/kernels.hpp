// The loops that take the time, compiled for several instruction sets. One binary runs everywhere:
// the best set that the processor has is chosen when a search is made.
#pragma once

#include <array>
#include <string_view>

#include "types.hpp"

namespace surelist {

// What one more rule t may still gain from a set S after another rule s, for all t at once. The
// arrays go by t; see last_rule.hpp for their meaning.
struct RuleAfter {
  const Weight* gain = nullptr;  // of t in S
  const Weight* harm = nullptr;
  const Weight* gain_outside = nullptr;  // of t outside s, in the whole problem
  const Weight* harm_overlap = nullptr;  // of t and s together, in the whole problem
  Weight gain_left = 0;                  // what s leaves of all the gain in S
  Weight harm_taken = 0;                 // harm of s in S

  constexpr Weight reach(std::size_t t) const {
    Weight most = gain[t] < gain_outside[t] ? gain[t] : gain_outside[t];
    most = most < gain_left ? most : gain_left;
    const Weight taken = harm_taken < harm_overlap[t] ? harm_taken : harm_overlap[t];
    const Weight certain = harm[t] > taken ? harm[t] - taken : 0;
    return most - certain;
  }
};

struct Kernels {
  std::string_view name;

  // sums += the rows of `matrix` (n_values each) that `groups` names.
  void (*add_rows_16)(std::uint16_t* sums, const std::uint16_t* matrix, std::size_t n_values,
                      const std::uint32_t* groups, std::size_t n_groups);
  void (*add_rows_32)(std::uint32_t* sums, const std::uint32_t* matrix, std::size_t n_values,
                      const std::uint32_t* groups, std::size_t n_groups);
  void (*add_rows_64)(std::uint64_t* sums, const std::uint64_t* matrix, std::size_t n_values,
                      const std::uint32_t* groups, std::size_t n_groups);

  // Σ over i of popcount(a[i] & b[i]) · 2^shifts[i]; n is a multiple of 8.
  Weight (*weighted_overlap)(const Word* a, const Word* b, const Word* shifts, std::size_t n);

  // Largest reach over the first n rules t.
  Weight (*largest_reach)(const RuleAfter& after, std::size_t n);
};

// "auto", or one of the names for tests; throws InputError where the processor lacks it.
const Kernels& kernels(std::string_view name);
inline constexpr std::array<std::string_view, 4> kKernelNames{"auto", "baseline", "avx2", "avx512"};

}  // namespace surelist
