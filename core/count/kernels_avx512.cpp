// The kernels for AVX-512: the plain loops (kernel_loops.hpp) compiled for it, and by hand those
// loops that count or test bits, for which AVX-512 has instructions that compilers do not find.
#if defined(__x86_64__) && defined(__GNUC__)

#if !defined(__clang__)
// GCC 12 warns of its own intrinsics' deliberately undefined registers.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "count/kernels.hpp"

#define SURELIST_TARGET "avx2,popcnt,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq"
#include "base/target_on.hpp"
#if !defined(__clang__)
#pragma GCC target("prefer-vector-width=512")
#endif

#include "count/kernel_table.hpp"

namespace surelist {
namespace {

// Two or four vectors hold the sums of 64 antecedents while all rows are added.
inline void masked_word(std::int16_t* sums, const Word* bits, std::size_t n_words,
                        const MaskedRow<std::int16_t>* rows, std::size_t n_rows) {
  __m512i low = _mm512_loadu_si512(sums);
  __m512i high = _mm512_loadu_si512(sums + 32);
  for (std::size_t r = 0; r < n_rows; ++r) {
    const Word word = bits[rows[r].group * n_words];
    const __m512i value = _mm512_set1_epi16(rows[r].value);
    low = _mm512_mask_add_epi16(low, static_cast<__mmask32>(word), low, value);
    high = _mm512_mask_add_epi16(high, static_cast<__mmask32>(word >> 32), high, value);
  }
  _mm512_storeu_si512(sums, low);
  _mm512_storeu_si512(sums + 32, high);
}

inline void masked_word(std::int32_t* sums, const Word* bits, std::size_t n_words,
                        const MaskedRow<std::int32_t>* rows, std::size_t n_rows) {
  __m512i all[4];
  for (std::size_t i = 0; i < 4; ++i) all[i] = _mm512_loadu_si512(sums + i * 16);
  for (std::size_t r = 0; r < n_rows; ++r) {
    const Word word = bits[rows[r].group * n_words];
    const __m512i value = _mm512_set1_epi32(rows[r].value);
    for (std::size_t i = 0; i < 4; ++i) {
      const auto mask = static_cast<__mmask16>(word >> (i * 16));
      all[i] = _mm512_mask_add_epi32(all[i], mask, all[i], value);
    }
  }
  for (std::size_t i = 0; i < 4; ++i) _mm512_storeu_si512(sums + i * 16, all[i]);
}

template <class Lane>
void masked_512(Lane* sums, const Word* bits, std::size_t n_words, const MaskedRow<Lane>* rows,
                std::size_t n_rows) {
  for (std::size_t w = 0; w < n_words; ++w) {
    masked_word(sums + w * 64, bits + w, n_words, rows, n_rows);
  }
}

inline __m512i count_step(__m512i sum, const Word* a, const Word* b) {
  const __m512i both = _mm512_and_si512(_mm512_loadu_si512(a), _mm512_loadu_si512(b));
  return _mm512_add_epi64(sum, _mm512_popcnt_epi64(both));
}

inline __m512i overlap_step(__m512i sum, const Word* a, const Word* b, const Word* shifts) {
  const __m512i both = _mm512_and_si512(_mm512_loadu_si512(a), _mm512_loadu_si512(b));
  return _mm512_add_epi64(sum,
                          _mm512_sllv_epi64(_mm512_popcnt_epi64(both), _mm512_loadu_si512(shifts)));
}

void cut_512(const Word* slices, const Word* groups, const std::uint32_t* word_of, std::size_t n,
             Word* result) {
  for (std::size_t i = 0; i < n; i += 8) {
    const __m256i at = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(word_of + i));
    const __m512i words = _mm512_i32gather_epi64(at, groups, sizeof(Word));
    _mm512_storeu_si512(result + i, _mm512_and_si512(words, _mm512_loadu_si512(slices + i)));
  }
}

// One block: a vector holds the sums of its antecedents.
inline __m512i block_512(const SideBySide& counts, const SliceLane& lane, const Word* captured) {
  __m512i even = _mm512_setzero_si512();
  __m512i odd = _mm512_setzero_si512();
  const auto count = [&](std::size_t i) {
    const SliceWord& word = counts.words[i];
    const __m512i there = _mm512_loadu_si512(captured + word.at * SideBySide::kColumns);
    const __m512i members = _mm512_set1_epi64(static_cast<long long>(word.members));
    return _mm512_popcnt_epi64(_mm512_and_si512(members, there));
  };
  std::size_t i = lane.begin;
  for (; i + 2 <= lane.shifted; i += 2) {
    even = _mm512_add_epi64(even, count(i));
    odd = _mm512_add_epi64(odd, count(i + 1));
  }
  for (; i < lane.end; ++i) {
    const __m128i shift = _mm_cvtsi32_si128(static_cast<int>(counts.words[i].shift));
    even = _mm512_add_epi64(even, _mm512_sll_epi64(count(i), shift));
  }
  return _mm512_add_epi64(even, odd);
}

void side_by_side_512(const SideBySide& counts) {
  for (std::size_t b = 0; b < counts.n_blocks; ++b) {
    const std::size_t block = counts.blocks[b];
    const Word* captured = counts.captured + block * counts.block_words;
    for (std::size_t lane = 0; lane < counts.n_lanes; ++lane) {
      _mm512_storeu_si512(counts.sums + lane * counts.stride + block * SideBySide::kColumns,
                          block_512(counts, counts.lanes[lane], captured));
    }
  }
}

// What RuleBeside says of 32 rules at a time.
inline __m512i each(Narrow value) { return _mm512_set1_epi16(static_cast<short>(value)); }

inline __m512i reach_512(const RuleBeside& rule, std::size_t u) {
  const __m512i gain = _mm512_loadu_si512(rule.gain + u);
  const __m512i harm = _mm512_loadu_si512(rule.harm + u);
  const __m512i harm_overlap = _mm512_loadu_si512(rule.harm_overlap + u);
  const __m512i own_gain = each(rule.own_gain);
  const __m512i own_harm = each(rule.own_harm);
  const __m512i own_outside = _mm512_min_epu16(
      own_gain, _mm512_subs_epu16(each(rule.own_whole), _mm512_loadu_si512(rule.gain_overlap + u)));
  const __m512i one_way =
      _mm512_add_epi16(own_gain, _mm512_min_epu16(gain, _mm512_loadu_si512(rule.gain_outside + u)));
  const __m512i other_way = _mm512_add_epi16(gain, own_outside);
  const __m512i most = _mm512_min_epu16(each(rule.gain_left), _mm512_min_epu16(one_way, other_way));
  const __m512i apart = _mm512_subs_epu16(_mm512_add_epi16(own_harm, harm), harm_overlap);
  const __m512i least = _mm512_max_epu16(apart, _mm512_max_epu16(own_harm, harm));
  const __m512i spared = _mm512_min_epu16(_mm512_loadu_si512(rule.harm_before + u), harm_overlap);
  const __m512i rank = _mm512_loadu_si512(rule.rank + u);
  return _mm512_max_epu16(
      _mm512_maskz_subs_epu16(_mm512_cmpge_epu16_mask(rank, each(rule.least_both)), most, least),
      _mm512_maskz_subs_epu16(_mm512_cmpge_epu16_mask(rank, each(rule.least_spared)), own_outside,
                              _mm512_subs_epu16(own_harm, spared)));
}

Narrow largest_beside_512(const RuleBeside& rule, std::size_t n) {
  __m512i most = _mm512_setzero_si512();
  for (std::size_t u = 0; u < n; u += kNarrowLanes) {
    most = _mm512_max_epu16(most, reach_512(rule, u));
  }
  const __m256i half =
      _mm256_max_epu16(_mm512_castsi512_si256(most), _mm512_extracti64x4_epi64(most, 1));
  const __m128i quarter =
      _mm_max_epu16(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
  // There is an instruction for the least of eight, and the largest is its complement.
  const __m128i least = _mm_minpos_epu16(_mm_xor_si128(quarter, _mm_set1_epi16(-1)));
  return static_cast<Narrow>(~_mm_extract_epi16(least, 0));
}

void reaching_beside_512(const RuleBeside& rule, std::size_t n, Narrow needed, Word* result) {
  for (std::size_t u = 0; u < n; u += kNarrowLanes) {
    loops::put_half(result, u, _mm512_cmpge_epu16_mask(reach_512(rule, u), each(needed)));
  }
}

Weight triple_512(const Word* a, const Word* b, const Word* c, const Word* shifts, std::size_t n) {
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

// What a rule adds and no other captures again; or, if it adds nothing, less what others do.
inline __m512i net_sum(__m512i added, __m512i again, bool own, __m512i shift) {
  const __m512i counted = own ? _mm512_andnot_si512(again, added) : _mm512_and_si512(again, added);
  const __m512i sum = _mm512_sllv_epi64(_mm512_popcnt_epi64(counted), shift);
  return own ? sum : _mm512_sub_epi64(_mm512_setzero_si512(), sum);
}

void walk_512(const PrefixWalk& walk) {
  __m512i worth[PrefixWalk::kMostRules];
  __m512i added[PrefixWalk::kMostRules];
  for (std::size_t j = 0; j < walk.n_rules; ++j) worth[j] = _mm512_setzero_si512();
  for (std::size_t i = walk.lane.begin; i < walk.lane.end; i += 8) {
    const __m512i slice = _mm512_loadu_si512(walk.slices + i);
    const __m512i shift = _mm512_loadu_si512(walk.shifts + i);
    const __m512i zero = _mm512_setzero_si512();
    __m512i seen = zero;
    __m512i once = zero;
    __m512i ones = zero;
    __m512i twice[3] = {zero, zero, zero};
    for (std::size_t j = 0; j < walk.n_rules; ++j) {
      const __m512i captured = _mm512_and_si512(_mm512_loadu_si512(walk.captured[j] + i), slice);
      added[j] = _mm512_andnot_si512(seen, captured);
      __m512i& again = twice[walk.signs[j] + 1];
      again = _mm512_or_si512(again, _mm512_and_si512(captured, once));
      if (walk.labels[j] == 1) ones = _mm512_or_si512(ones, added[j]);
      once = _mm512_or_si512(_mm512_andnot_si512(captured, once), added[j]);
      seen = _mm512_or_si512(seen, captured);
    }
    for (std::size_t j = 0; j < walk.n_rules; ++j) {
      const __m512i plus = net_sum(added[j], twice[2], walk.signs[j] == 1, shift);
      worth[j] = _mm512_add_epi64(worth[j], plus);
      if (!walk.has_minus) continue;
      const __m512i minus = net_sum(added[j], twice[0], walk.signs[j] == -1, shift);
      worth[j] = _mm512_sub_epi64(worth[j], minus);
    }
    _mm512_storeu_si512(walk.once + i, once);
    _mm512_storeu_si512(walk.ones + i, ones);
  }
  for (std::size_t j = 0; j < walk.n_rules; ++j) {
    walk.worth[j] += _mm512_reduce_add_epi64(worth[j]);
  }
}

// What RelaxedStep says of 32 rules at a time.
struct Taken512 {
  __m512i most;
  __m512i least;
  __m512i most_between;
  __m512i least_between;
};

inline Taken512 take_512(const RelaxedStep::Class& of, std::size_t t) {
  const __m512i most = _mm512_loadu_si512(of.most + t);
  const __m512i least = _mm512_loadu_si512(of.least + t);
  const __m512i shared = _mm512_loadu_si512(of.shared + t);
  const __m512i taken_most = _mm512_loadu_si512(of.taken_most + t);
  const __m512i taken_least = _mm512_loadu_si512(of.taken_least + t);
  const __m512i own_least = each(of.own_least);
  const __m512i own_taken = each(of.own_taken);
  const __m512i inside = _mm512_subs_epu16(least, _mm512_loadu_si512(of.apart + t));
  const __m512i covered =
      _mm512_subs_epu16(own_least, _mm512_subs_epu16(each(of.own_whole), shared));
  const __m512i squeezed = _mm512_subs_epu16(_mm512_add_epi16(own_least, least), each(of.whole));
  const __m512i both = _mm512_max_epu16(inside, _mm512_max_epu16(covered, squeezed));
  const __m512i added = _mm512_subs_epu16(_mm512_add_epi16(taken_least, both), own_taken);
  Taken512 now;
  now.most_between = _mm512_min_epu16(_mm512_min_epu16(shared, most),
                                      each(narrow::least(of.own_most, of.own_new)));
  now.least_between = _mm512_subs_epu16(both, own_taken);
  now.most = _mm512_add_epi16(
      taken_most, _mm512_min_epu16(now.most_between, _mm512_subs_epu16(most, taken_most)));
  now.least = _mm512_max_epu16(_mm512_max_epu16(taken_least, both), added);
  _mm512_storeu_si512(of.now_most + t, now.most);
  _mm512_storeu_si512(of.now_least + t, now.least);
  return now;
}

void relax_512(const RelaxedStep& step, std::size_t n) {
  for (std::size_t t = 0; t < n; t += kNarrowLanes) {
    const Taken512 now[2] = {take_512(step.classes[0], t), take_512(step.classes[1], t)};
    const __m512i rank = _mm512_loadu_si512(step.rank + t);
    for (Label label = 0; label < 2; ++label) {
      const RelaxedStep::Class& own = step.classes[label];
      const __m512i other_least = _mm512_loadu_si512(step.classes[1 - label].least + t);
      const __m512i cost = _mm512_subs_epu16(other_least, now[1 - label].most);
      const __m512i gain = _mm512_subs_epu16(_mm512_loadu_si512(own.most + t), now[label].least);
      const __m512i rest = _mm512_subs_epu16(each(own.left), gain);
      const __mmask32 in_order =
          label == step.own_label
              ? _mm512_cmpge_epu16_mask(rank, each(step.own_rank))
              : _mm512_cmple_epu16_mask(now[label].least_between, now[1 - label].most_between);
      const __mmask32 may = in_order & _mm512_cmpgt_epu16_mask(gain, each(step.worthless)) &
                            _mm512_cmpge_epu16_mask(gain, cost);
      const __mmask32 next = may & _mm512_cmple_epu16_mask(cost, each(step.budget));
      const __mmask32 last =
          may & _mm512_cmple_epu16_mask(_mm512_add_epi16(cost, rest), each(step.budget_last));
      loops::put_half(own.next, t, step.may_go_on ? next : 0);
      loops::put_half(own.last, t, last);
    }
  }
}

void overlaps_512(const Word* a, const Word* b, const Word* shifts, const SliceLane* lanes,
                  std::size_t n_lanes, Weight* sums, std::size_t stride) {
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

constexpr Kernels make_kernels() {
  Kernels made = loops::make_kernels("avx512");
  made.add_masked_16 = masked_512<std::int16_t>;
  made.add_masked_32 = masked_512<std::int32_t>;
  made.lane_overlaps = overlaps_512;
  made.side_by_side = side_by_side_512;
  made.largest_beside = largest_beside_512;
  made.reaching_beside = reaching_beside_512;
  made.triple_overlap = triple_512;
  made.walk = walk_512;
  made.cut = cut_512;
  made.relax = relax_512;
  return made;
}

constexpr Kernels kKernels = make_kernels();

}  // namespace

const Kernels& avx512_kernels() { return kKernels; }

}  // namespace surelist

#include "base/target_off.hpp"

#endif
