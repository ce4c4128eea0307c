#include "kernels.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#define SURELIST_X86 1
// GCC 12 warns of its own intrinsics' deliberately undefined registers.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#define SURELIST_AVX2 __attribute__((target("avx2,popcnt,bmi,bmi2")))
#define SURELIST_AVX512                                                 \
  __attribute__((                                                       \
      target("avx2,popcnt,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl," \
             "avx512vpopcntdq,prefer-vector-width=512")))
#else
#define SURELIST_X86 0
#endif

namespace surelist {
namespace {

template <class Lane>
[[gnu::always_inline]] inline void add_rows(Lane* __restrict sums, const Lane* __restrict matrix,
                                            std::size_t n_values, const std::uint32_t* groups,
                                            std::size_t n_groups) {
  std::size_t g = 0;
  // Four rows a pass, so that the accumulators are loaded and stored a quarter as often.
  for (; g + 4 <= n_groups; g += 4) {
    const Lane* __restrict a = matrix + groups[g] * n_values;
    const Lane* __restrict b = matrix + groups[g + 1] * n_values;
    const Lane* __restrict c = matrix + groups[g + 2] * n_values;
    const Lane* __restrict d = matrix + groups[g + 3] * n_values;
    for (std::size_t i = 0; i < n_values; ++i) {
      sums[i] = static_cast<Lane>(sums[i] + a[i] + b[i] + c[i] + d[i]);
    }
  }
  for (; g < n_groups; ++g) {
    const Lane* __restrict a = matrix + groups[g] * n_values;
    for (std::size_t i = 0; i < n_values; ++i) {
      sums[i] = static_cast<Lane>(sums[i] + a[i]);
    }
  }
}

template <class Lane>
[[gnu::always_inline]] inline void widen(const Lane* __restrict left, const Lane* __restrict sums,
                                         std::size_t n, Weight* __restrict lanes) {
  if (left == nullptr) {
    for (std::size_t i = 0; i < n; ++i) lanes[i] = static_cast<Weight>(sums[i]);
  } else {
    for (std::size_t i = 0; i < n; ++i) {
      lanes[i] = static_cast<Weight>(static_cast<Lane>(left[i] - sums[i]));
    }
  }
}

// Weight is the costs of both labels, ceiling all but the cheaper one.
[[gnu::always_inline]] inline void derive(Weight* lanes, std::size_t stride, std::size_t n) {
  const Weight* __restrict zero = lanes;
  const Weight* __restrict one = lanes + stride;
  const Weight* __restrict floor = lanes + 2 * stride;
  Weight* __restrict ceiling = lanes + 3 * stride;
  Weight* __restrict weight = lanes + 4 * stride;
  for (std::size_t s = 0; s < n; ++s) {
    weight[s] = zero[s] + one[s];
    ceiling[s] = zero[s] + one[s] - floor[s];
  }
}

[[gnu::always_inline]] inline LargestGains gains(const Weight* __restrict cost,
                                                 const Weight* __restrict floor, const Word* viable,
                                                 std::size_t n) {
  // For each lane of a vector first, then for all.
  constexpr std::size_t kLanes = 8;
  Weight largest[kLanes] = {};
  Weight second[kLanes] = {};
  Weight owner[kLanes] = {};
  for (std::size_t first = 0; first < n; first += kLanes) {
    const Word word = viable[first / 64] >> (first % 64);
    const std::size_t end = std::min(kLanes, n - first);
    for (std::size_t i = 0; i < end; ++i) {
      const Weight there = -static_cast<Weight>((word >> i) & 1);
      const Weight gain = (cost[first + i] - floor[first + i]) & there;
      const Weight lesser = gain < largest[i] ? gain : largest[i];
      second[i] = lesser > second[i] ? lesser : second[i];
      owner[i] = gain > largest[i] ? static_cast<Weight>(first + i) : owner[i];
      largest[i] = gain > largest[i] ? gain : largest[i];
    }
  }
  LargestGains found;
  for (std::size_t i = 0; i < kLanes; ++i) {
    const bool larger = largest[i] > found.largest;
    found.second = std::max({found.second, second[i], larger ? found.largest : largest[i]});
    if (larger) found.owner = static_cast<Antecedent>(owner[i]);
    found.largest = std::max(found.largest, largest[i]);
  }
  return found;
}

[[gnu::always_inline]] inline Weight overlap(const Word* a, const Word* b, const Word* shifts,
                                             std::size_t n) {
  Weight sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sum += static_cast<Weight>(std::popcount(a[i] & b[i])) << shifts[i];
  }
  return sum;
}

[[gnu::always_inline]] inline Narrow reach(const RuleAfter& after, std::size_t n) {
  const RuleAfter local = after;
  Narrow most = 0;
  for (std::size_t t = 0; t < n / kNarrowLanes * kNarrowLanes; ++t) {
    most = std::max(most, local.reach(t));
  }
  return most;
}

[[gnu::always_inline]] inline void narrow(const Weight* __restrict cost,
                                          const Weight* __restrict floor,
                                          const Word* __restrict viable, std::size_t n,
                                          const NarrowGains& gains) {
  Narrow* __restrict up = gains.up;
  Narrow* __restrict down = gains.down;
  const unsigned shift = gains.shift;
  const Weight most_lost = (Weight{1} << shift) - 1;
  for (std::size_t first = 0; first < n; first += 64) {
    const Word word = viable[first / 64];
    const std::size_t end = std::min<std::size_t>(64, n - first);
    for (std::size_t i = 0; i < end; ++i) {
      const std::size_t s = first + i;
      const Weight gain = (cost[s] - floor[s]) & -static_cast<Weight>((word >> i) & 1);
      up[s] = static_cast<Narrow>((gain + most_lost) >> shift);
      down[s] = static_cast<Narrow>(gain >> shift);
    }
  }
}

[[gnu::always_inline]] inline void spread(const Weight* ceiling, const Weight* floor,
                                          const Narrow* a, const Narrow* b, unsigned shift,
                                          const Word* viable, std::size_t n, Word* result) {
  for (std::size_t first = 0; first < n; first += 64) {
    const std::size_t end = std::min<std::size_t>(64, n - first);
    Word above = 0;
    for (std::size_t i = 0; i < end; ++i) {
      const std::size_t s = first + i;
      const Weight shared = (static_cast<Weight>(a[s]) + b[s]) << shift;
      above |= static_cast<Word>(ceiling[s] - floor[s] > shared) << i;
    }
    result[first / 64] = above & viable[first / 64];
  }
}

[[gnu::always_inline]] inline void consider(const Weight* __restrict cost, Weight total, Weight q,
                                            std::size_t n, Weight* __restrict loss,
                                            Weight* __restrict label, Weight* __restrict rest) {
  for (std::size_t s = 0; s < n; ++s) {
    const bool cheaper = q == 0 || cost[s] < loss[s];
    loss[s] = cheaper ? cost[s] : loss[s];
    label[s] = cheaper ? q : label[s];
    const Weight left = total - cost[s];
    rest[s] = q == 0 || left < rest[s] ? left : rest[s];
  }
}

[[gnu::always_inline]] inline void judge_all(const ChildTests& tests, const Word* viable,
                                             std::size_t n,
                                             ChildTests::Verdict* __restrict verdicts) {
  const ChildTests local = tests;  // nothing that `verdicts` could alias
  for (std::size_t first = 0; first < n; first += 64) {
    const Word word = viable[first / 64];
    const std::size_t end = std::min<std::size_t>(64, n - first);
    for (std::size_t i = 0; i < end; ++i) {
      const bool there = (word >> i) & 1;
      const Weight verdict = local.verdict(first + i);
      verdicts[first + i] = static_cast<ChildTests::Verdict>(there ? verdict : local.kAbsent);
    }
  }
}

[[gnu::always_inline]] inline void overlaps(const Word* a, const Word* b, const Word* shifts,
                                            const SliceLane* lanes, std::size_t n_lanes,
                                            Weight* sums, std::size_t stride) {
  for (std::size_t i = 0; i < n_lanes; ++i) {
    const std::size_t at = lanes[i].begin;
    sums[i * stride] = overlap(a + at, b + at, shifts + at, lanes[i].end - at);
  }
}

[[gnu::always_inline]] inline Weight triple(const Word* a, const Word* b, const Word* c,
                                            const Word* shifts, std::size_t n) {
  Weight sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sum += static_cast<Weight>(std::popcount(a[i] & b[i] & c[i])) << shifts[i];
  }
  return sum;
}

[[gnu::always_inline]] inline void walk_along(const PrefixWalk& walk) {
  for (std::size_t i = walk.lane.begin; i < walk.lane.end; ++i) {
    const Word slice = walk.slices[i];
    const Word shift = walk.shifts[i];
    const auto sum = [&](Word word) { return static_cast<Weight>(std::popcount(word)) << shift; };
    Word seen = 0;
    Word once = 0;
    Word ones = 0;
    for (std::size_t j = 0; j < walk.n_rules; ++j) {
      const Word captured = walk.captured[j][i] & slice;
      const Word again = captured & once;
      const Word added = captured & ~seen;
      if (walk.signs[j] != 0) {
        walk.worth[j] += walk.signs[j] * sum(added);
        for (std::size_t k = 0; k < j; ++k) {
          walk.worth[k] -= walk.signs[j] * sum(again & walk.captured[k][i]);
        }
      }
      if (walk.labels[j] == 1) ones |= added;
      once = (once & ~captured) | added;
      seen |= captured;
    }
    walk.once[i] = once;
    walk.ones[i] = ones;
  }
}

[[gnu::always_inline]] inline void cut_words(const Word* slices, const Word* groups,
                                             const std::uint32_t* word_of, std::size_t n,
                                             Word* result) {
  for (std::size_t i = 0; i < n; ++i) result[i] = slices[i] & groups[word_of[i]];
}

[[gnu::always_inline]] inline void subtract(const Word* a, const Word* b, std::size_t n,
                                            Word* result) {
  for (std::size_t i = 0; i < n; ++i) result[i] = a[i] & ~b[i];
}

// Eight words at a time, in one register or a few.
typedef Word Words __attribute__((vector_size(64)));

[[gnu::always_inline]] inline void leave_all(const Word* all, const Word* const* captured,
                                             std::size_t n_sets, std::size_t n, Word* result) {
  constexpr std::size_t kWords = sizeof(Words) / sizeof(Word);
  const std::size_t whole = n / kWords * kWords;
  for (std::size_t i = 0; i < whole; i += kWords) {
    Words left;
    std::memcpy(&left, all + i, sizeof left);
    for (std::size_t j = 0; j < n_sets; ++j) {
      Words gone;
      std::memcpy(&gone, captured[j] + i, sizeof gone);
      left &= ~gone;
    }
    std::memcpy(result + i, &left, sizeof left);
  }
  for (std::size_t i = whole; i < n; ++i) {
    Word left = all[i];
    for (std::size_t j = 0; j < n_sets; ++j) left &= ~captured[j][i];
    result[i] = left;
  }
}

// The same loops under each instruction set's attribute; a macro, because attributes are no
// template parameters.
#define SURELIST_KERNELS(suffix, attribute)                                                       \
  template <class Lane>                                                                           \
  attribute void add_rows_##suffix(Lane* sums, const Lane* matrix, std::size_t n_values,          \
                                   const std::uint32_t* groups, std::size_t n_groups) {           \
    add_rows(sums, matrix, n_values, groups, n_groups);                                           \
  }                                                                                               \
  template <class Lane>                                                                           \
  attribute void widen_##suffix(const Lane* left, const Lane* sums, std::size_t n,                \
                                Weight* lanes) {                                                  \
    widen(left, sums, n, lanes);                                                                  \
  }                                                                                               \
  attribute void derive_##suffix(Weight* lanes, std::size_t stride, std::size_t n) {              \
    derive(lanes, stride, n);                                                                     \
  }                                                                                               \
  attribute LargestGains gains_##suffix(const Weight* cost, const Weight* floor,                  \
                                        const Word* viable, std::size_t n) {                      \
    return gains(cost, floor, viable, n);                                                         \
  }                                                                                               \
  attribute void subtract_##suffix(const Word* a, const Word* b, std::size_t n, Word* result) {   \
    subtract(a, b, n, result);                                                                    \
  }                                                                                               \
  attribute void leave_##suffix(const Word* all, const Word* const* captured, std::size_t n_sets, \
                                std::size_t n, Word* result) {                                    \
    leave_all(all, captured, n_sets, n, result);                                                  \
  }                                                                                               \
  attribute Narrow reach_##suffix(const RuleAfter& after, std::size_t n) {                        \
    return reach(after, n);                                                                       \
  }                                                                                               \
  attribute void narrow_##suffix(const Weight* cost, const Weight* floor, const Word* viable,     \
                                 std::size_t n, const NarrowGains& gains) {                       \
    narrow(cost, floor, viable, n, gains);                                                        \
  }                                                                                               \
  attribute void spread_##suffix(const Weight* ceiling, const Weight* floor, const Narrow* a,     \
                                 const Narrow* b, unsigned shift, const Word* viable,             \
                                 std::size_t n, Word* result) {                                   \
    spread(ceiling, floor, a, b, shift, viable, n, result);                                       \
  }                                                                                               \
  attribute void consider_##suffix(const Weight* cost, Weight total, Weight q, std::size_t n,     \
                                   Weight* loss, Weight* label, Weight* rest) {                   \
    consider(cost, total, q, n, loss, label, rest);                                               \
  }                                                                                               \
  attribute void judge_##suffix(const ChildTests& tests, const Word* viable, std::size_t n,       \
                                ChildTests::Verdict* verdicts) {                                  \
    judge_all(tests, viable, n, verdicts);                                                        \
  }

SURELIST_KERNELS(baseline, )
void cut_baseline(const Word* slices, const Word* groups, const std::uint32_t* word_of,
                  std::size_t n, Word* result) {
  cut_words(slices, groups, word_of, n, result);
}
Weight triple_baseline(const Word* a, const Word* b, const Word* c, const Word* shifts,
                       std::size_t n) {
  return triple(a, b, c, shifts, n);
}
void walk_baseline(const PrefixWalk& walk) { walk_along(walk); }
void overlaps_baseline(const Word* a, const Word* b, const Word* shifts, const SliceLane* lanes,
                       std::size_t n_lanes, Weight* sums, std::size_t stride) {
  overlaps(a, b, shifts, lanes, n_lanes, sums, stride);
}

constexpr Kernels kBaseline{"baseline",
                            add_rows_baseline<std::uint16_t>,
                            add_rows_baseline<std::uint32_t>,
                            add_rows_baseline<std::uint64_t>,
                            widen_baseline<std::uint16_t>,
                            widen_baseline<std::uint32_t>,
                            widen_baseline<std::uint64_t>,
                            derive_baseline,
                            overlaps_baseline,
                            triple_baseline,
                            walk_baseline,
                            cut_baseline,
                            subtract_baseline,
                            leave_baseline,
                            narrow_baseline,
                            reach_baseline,
                            gains_baseline,
                            spread_baseline,
                            consider_baseline,
                            judge_baseline};

#if SURELIST_X86
SURELIST_KERNELS(avx2, SURELIST_AVX2)
SURELIST_KERNELS(avx512, SURELIST_AVX512)

SURELIST_AVX2 void cut_avx2(const Word* slices, const Word* groups, const std::uint32_t* word_of,
                            std::size_t n, Word* result) {
  cut_words(slices, groups, word_of, n, result);
}
SURELIST_AVX2 Weight triple_avx2(const Word* a, const Word* b, const Word* c, const Word* shifts,
                                 std::size_t n) {
  return triple(a, b, c, shifts, n);
}
SURELIST_AVX2 void walk_avx2(const PrefixWalk& walk) { walk_along(walk); }
SURELIST_AVX2 void overlaps_avx2(const Word* a, const Word* b, const Word* shifts,
                                 const SliceLane* lanes, std::size_t n_lanes, Weight* sums,
                                 std::size_t stride) {
  overlaps(a, b, shifts, lanes, n_lanes, sums, stride);
}

SURELIST_AVX512 inline __m512i count_step(__m512i sum, const Word* a, const Word* b) {
  const __m512i both = _mm512_and_si512(_mm512_loadu_si512(a), _mm512_loadu_si512(b));
  return _mm512_add_epi64(sum, _mm512_popcnt_epi64(both));
}

SURELIST_AVX512 inline __m512i overlap_step(__m512i sum, const Word* a, const Word* b,
                                            const Word* shifts) {
  const __m512i both = _mm512_and_si512(_mm512_loadu_si512(a), _mm512_loadu_si512(b));
  return _mm512_add_epi64(sum,
                          _mm512_sllv_epi64(_mm512_popcnt_epi64(both), _mm512_loadu_si512(shifts)));
}

SURELIST_AVX512 void cut_avx512(const Word* slices, const Word* groups,
                                const std::uint32_t* word_of, std::size_t n, Word* result) {
  for (std::size_t i = 0; i < n; i += 8) {
    const __m256i at = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(word_of + i));
    const __m512i words = _mm512_i32gather_epi64(at, groups, sizeof(Word));
    _mm512_storeu_si512(result + i, _mm512_and_si512(words, _mm512_loadu_si512(slices + i)));
  }
}

SURELIST_AVX512 Weight triple_avx512(const Word* a, const Word* b, const Word* c,
                                     const Word* shifts, std::size_t n) {
  __m512i sum = _mm512_setzero_si512();
  for (std::size_t i = 0; i < n; i += 8) {
    const __m512i all =
        _mm512_and_si512(_mm512_loadu_si512(a + i),
                         _mm512_and_si512(_mm512_loadu_si512(b + i), _mm512_loadu_si512(c + i)));
    sum = _mm512_add_epi64(
        sum, _mm512_sllv_epi64(_mm512_popcnt_epi64(all), _mm512_loadu_si512(shifts + i)));
  }
  return _mm512_reduce_add_epi64(sum);
}

SURELIST_AVX512 void walk_avx512(const PrefixWalk& walk) {
  __m512i worth[PrefixWalk::kMostRules];
  for (std::size_t j = 0; j < walk.n_rules; ++j) worth[j] = _mm512_setzero_si512();
  for (std::size_t i = walk.lane.begin; i < walk.lane.end; i += 8) {
    const __m512i slice = _mm512_loadu_si512(walk.slices + i);
    const __m512i shift = _mm512_loadu_si512(walk.shifts + i);
    __m512i seen = _mm512_setzero_si512();
    __m512i once = _mm512_setzero_si512();
    __m512i ones = _mm512_setzero_si512();
    for (std::size_t j = 0; j < walk.n_rules; ++j) {
      const __m512i captured = _mm512_and_si512(_mm512_loadu_si512(walk.captured[j] + i), slice);
      const __m512i again = _mm512_and_si512(captured, once);
      const __m512i added = _mm512_andnot_si512(seen, captured);
      if (walk.signs[j] != 0) {
        const __mmask8 minus = walk.signs[j] < 0 ? 0xFF : 0;
        const __m512i zero = _mm512_setzero_si512();
        const __m512i sum = _mm512_sllv_epi64(_mm512_popcnt_epi64(added), shift);
        worth[j] = _mm512_add_epi64(worth[j], _mm512_mask_sub_epi64(sum, minus, zero, sum));
        for (std::size_t k = 0; k < j; ++k) {
          const __m512i both = _mm512_and_si512(again, _mm512_loadu_si512(walk.captured[k] + i));
          const __m512i lost = _mm512_sllv_epi64(_mm512_popcnt_epi64(both), shift);
          worth[k] = _mm512_sub_epi64(worth[k], _mm512_mask_sub_epi64(lost, minus, zero, lost));
        }
      }
      if (walk.labels[j] == 1) ones = _mm512_or_si512(ones, added);
      once = _mm512_or_si512(_mm512_andnot_si512(captured, once), added);
      seen = _mm512_or_si512(seen, captured);
    }
    _mm512_storeu_si512(walk.once + i, once);
    _mm512_storeu_si512(walk.ones + i, ones);
  }
  for (std::size_t j = 0; j < walk.n_rules; ++j) {
    walk.worth[j] += _mm512_reduce_add_epi64(worth[j]);
  }
}

SURELIST_AVX512 void overlaps_avx512(const Word* a, const Word* b, const Word* shifts,
                                     const SliceLane* lanes, std::size_t n_lanes, Weight* sums,
                                     std::size_t stride) {
  for (std::size_t lane = 0; lane < n_lanes; ++lane) {
    __m512i even = _mm512_setzero_si512();
    __m512i odd = _mm512_setzero_si512();
    std::size_t i = lanes[lane].begin;
    for (; i + 16 <= lanes[lane].shifted; i += 16) {
      even = count_step(even, a + i, b + i);
      odd = count_step(odd, a + i + 8, b + i + 8);
    }
    for (; i + 16 <= lanes[lane].end; i += 16) {
      even = overlap_step(even, a + i, b + i, shifts + i);
      odd = overlap_step(odd, a + i + 8, b + i + 8, shifts + i + 8);
    }
    if (i < lanes[lane].end) even = overlap_step(even, a + i, b + i, shifts + i);
    sums[lane * stride] = _mm512_reduce_add_epi64(_mm512_add_epi64(even, odd));
  }
}

constexpr Kernels kAvx2{"avx2",
                        add_rows_avx2<std::uint16_t>,
                        add_rows_avx2<std::uint32_t>,
                        add_rows_avx2<std::uint64_t>,
                        widen_avx2<std::uint16_t>,
                        widen_avx2<std::uint32_t>,
                        widen_avx2<std::uint64_t>,
                        derive_avx2,
                        overlaps_avx2,
                        triple_avx2,
                        walk_avx2,
                        cut_avx2,
                        subtract_avx2,
                        leave_avx2,
                        narrow_avx2,
                        reach_avx2,
                        gains_avx2,
                        spread_avx2,
                        consider_avx2,
                        judge_avx2};
constexpr Kernels kAvx512{"avx512",
                          add_rows_avx512<std::uint16_t>,
                          add_rows_avx512<std::uint32_t>,
                          add_rows_avx512<std::uint64_t>,
                          widen_avx512<std::uint16_t>,
                          widen_avx512<std::uint32_t>,
                          widen_avx512<std::uint64_t>,
                          derive_avx512,
                          overlaps_avx512,
                          triple_avx512,
                          walk_avx512,
                          cut_avx512,
                          subtract_avx512,
                          leave_avx512,
                          narrow_avx512,
                          reach_avx512,
                          gains_avx512,
                          spread_avx512,
                          consider_avx512,
                          judge_avx512};

bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"); }
bool has_avx512() {
  return has_avx2() && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vpopcntdq");
}
#endif

}  // namespace

const Kernels& kernels(std::string_view name) {
#if SURELIST_X86
  if ((name == "auto" || name == "avx512") && has_avx512()) return kAvx512;
  if ((name == "auto" || name == "avx2") && has_avx2()) return kAvx2;
#endif
  if (name == "auto" || name == "baseline") return kBaseline;
  throw InputError("this processor has no kernels named '" + std::string(name) + "'");
}

}  // namespace surelist

#if SURELIST_X86
#pragma GCC diagnostic pop
#endif
