// The loops that take the time, compiled for several instruction sets. One binary runs everywhere:
// the best set that the processor has is chosen when a search is made.
#pragma once

#include <array>
#include <string_view>

#include "types.hpp"

namespace surelist {

// What may still be gained from a set by one more rule, for one default label; see last_rule.cpp.
struct LastRuleLimits {
  Weight gain = 0;  // of the rule before the last, in the set
  Weight harm = 0;
  Weight overlap =
      0;  // its gain less all the gain there is: at least this much of a gain is shared
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

  // Largest over t of gain[t] − max(0, harm[t] − limits.harm) − max(0, gain[t] + limits.overlap).
  Weight (*last_rule_reach)(const Weight* gain, const Weight* harm, std::size_t n,
                            const LastRuleLimits& limits);
};

// "auto", or one of the names for tests; throws InputError where the processor lacks it.
const Kernels& kernels(std::string_view name);
inline constexpr std::array<std::string_view, 4> kKernelNames{"auto", "baseline", "avx2", "avx512"};

constexpr Weight last_rule_reach(Weight gain, Weight harm, const LastRuleLimits& limits) {
  const Weight certain_harm = harm > limits.harm ? harm - limits.harm : 0;
  const Weight shared = gain + limits.overlap > 0 ? gain + limits.overlap : 0;
  return gain - certain_harm - shared;
}

}  // namespace surelist
