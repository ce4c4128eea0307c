#include "count/kernels.hpp"

#include "count/kernel_loops.hpp"

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

// The same loops under each instruction set's attribute; a macro, because attributes are no
// template parameters.
#define SURELIST_KERNELS(suffix, attribute)                                                       \
  template <class Lane>                                                                           \
  attribute void add_rows_##suffix(Lane* sums, const Lane* matrix, std::size_t n_values,          \
                                   const std::uint32_t* groups, std::size_t n_groups) {           \
    loops::add_rows(sums, matrix, n_values, groups, n_groups);                                    \
  }                                                                                               \
  template <class Lane>                                                                           \
  attribute void relabel_##suffix(Lane* part, const Lane* base, Lane whole, std::size_t n,        \
                                  Lane* rest, Lane* sums) {                                       \
    loops::relabel(part, base, whole, n, rest, sums);                                             \
  }                                                                                               \
  template <class Lane>                                                                           \
  attribute void raise_##suffix(const Lane* sums, const Lane* base, Lane place, std::size_t n,    \
                                Lane* most, Lane* place_of_most) {                                \
    loops::raise(sums, base, place, n, most, place_of_most);                                      \
  }                                                                                               \
  template <class Lane>                                                                           \
  attribute void widen_##suffix(const Lane* left, const Lane* sums, std::size_t n,                \
                                Weight* lanes) {                                                  \
    loops::widen(left, sums, n, lanes);                                                           \
  }                                                                                               \
  attribute void derive_##suffix(Weight* lanes, std::size_t stride, std::size_t n) {              \
    loops::derive(lanes, stride, n);                                                              \
  }                                                                                               \
  attribute LargestGains gains_##suffix(const Weight* cost, const Weight* floor,                  \
                                        const Word* viable, std::size_t n) {                      \
    return loops::gains(cost, floor, viable, n);                                                  \
  }                                                                                               \
  attribute LargestGains net_savings_##suffix(const BestSavings& savings, const Weight* cost,     \
                                              const Word* viable, std::size_t n) {                \
    return loops::net_savings(savings, cost, viable, n);                                          \
  }                                                                                               \
  attribute void rank_savings_##suffix(const Weight* ceiling, const Weight* cost, std::size_t n,  \
                                       Weight* best, Weight* second) {                            \
    loops::rank_savings(ceiling, cost, n, best, second);                                          \
  }                                                                                               \
  attribute void savings_after_##suffix(const SavingsAfter& after, std::size_t n) {               \
    loops::savings_after(after, n);                                                               \
  }                                                                                               \
  attribute void subtract_##suffix(const Word* a, const Word* b, std::size_t n, Word* result) {   \
    loops::subtract(a, b, n, result);                                                             \
  }                                                                                               \
  attribute void leave_##suffix(const Word* all, const Word* const* captured, std::size_t n_sets, \
                                std::size_t n, Word* result) {                                    \
    loops::leave_all(all, captured, n_sets, n, result);                                           \
  }                                                                                               \
  attribute Narrow reach_##suffix(const RuleAfter& after, std::size_t n) {                        \
    return loops::largest_reach(after, n);                                                        \
  }                                                                                               \
  attribute void reaching_##suffix(const RuleAfter& after, std::size_t n, Narrow needed,          \
                                   Word* result) {                                                \
    loops::reaching(after, n, needed, result);                                                    \
  }                                                                                               \
  attribute Narrow rules_after_##suffix(const RuleAfter& after, std::size_t n,                    \
                                        const RulesAfter& rules) {                                \
    return loops::rules_after(after, n, rules);                                                   \
  }                                                                                               \
  attribute Narrow beside_##suffix(const RuleBeside& rule, std::size_t n) {                       \
    return loops::largest_reach(rule, n);                                                         \
  }                                                                                               \
  attribute void narrow_##suffix(const Weight* cost, const Weight* floor, const Word* viable,     \
                                 std::size_t n, const NarrowGains& gains) {                       \
    loops::narrow(cost, floor, viable, n, gains);                                                 \
  }                                                                                               \
  attribute void spread_##suffix(const Weight* ceiling, const Weight* floor, const Narrow* a,     \
                                 const Narrow* b, unsigned shift, const Word* viable,             \
                                 std::size_t n, Word* result) {                                   \
    loops::spread(ceiling, floor, a, b, shift, viable, n, result);                                \
  }                                                                                               \
  attribute void within_shared_##suffix(const Narrow* values, const Narrow* a, const Narrow* b,   \
                                        Narrow most, std::size_t n, Word* result) {               \
    loops::within_shared(values, a, b, most, n, result);                                          \
  }                                                                                               \
  attribute void consider_##suffix(const Weight* cost, Weight total, Weight q, std::size_t n,     \
                                   Weight* loss, Weight* label, Weight* rest) {                   \
    loops::consider(cost, total, q, n, loss, label, rest);                                        \
  }                                                                                               \
  attribute void judge_##suffix(const ChildTests& tests, const Word* viable, std::size_t n,       \
                                ChildTests::Verdict* verdicts) {                                  \
    loops::judge_all(tests, viable, n, verdicts);                                                 \
  }

// Those that count or test bits, which AVX-512 has instructions for.
#define SURELIST_BIT_KERNELS(suffix, attribute)                                                    \
  template <class Lane>                                                                            \
  attribute void masked_##suffix(Lane* sums, const Word* bits, std::size_t n_words,                \
                                 const MaskedRow<Lane>* rows, std::size_t n_rows) {                \
    loops::add_masked(sums, bits, n_words, rows, n_rows);                                          \
  }                                                                                                \
  attribute void overlaps_##suffix(const Word* a, const Word* b, const Word* shifts,               \
                                   const SliceLane* lanes, std::size_t n_lanes, Weight* sums,      \
                                   std::size_t stride) {                                           \
    loops::overlaps(a, b, shifts, lanes, n_lanes, sums, stride);                                   \
  }                                                                                                \
  attribute Weight triple_##suffix(const Word* a, const Word* b, const Word* c,                    \
                                   const Word* shifts, std::size_t n) {                            \
    return loops::triple(a, b, c, shifts, n);                                                      \
  }                                                                                                \
  attribute void relax_##suffix(const RelaxedStep& step, std::size_t n) { loops::relax(step, n); } \
  attribute void walk_##suffix(const PrefixWalk& walk) { loops::walk_along(walk); }                \
  attribute void cut_##suffix(const Word* slices, const Word* groups,                              \
                              const std::uint32_t* word_of, std::size_t n, Word* result) {         \
    loops::cut_words(slices, groups, word_of, n, result);                                          \
  }

// In the order of Kernels.
#define SURELIST_TABLE(suffix)       \
  {#suffix,                          \
   add_rows_##suffix<std::uint16_t>, \
   add_rows_##suffix<std::uint32_t>, \
   add_rows_##suffix<std::uint64_t>, \
   masked_##suffix<std::int16_t>,    \
   masked_##suffix<std::int32_t>,    \
   relabel_##suffix<std::int16_t>,   \
   relabel_##suffix<std::int32_t>,   \
   raise_##suffix<std::int16_t>,     \
   raise_##suffix<std::int32_t>,     \
   widen_##suffix<std::uint16_t>,    \
   widen_##suffix<std::uint32_t>,    \
   widen_##suffix<std::uint64_t>,    \
   derive_##suffix,                  \
   overlaps_##suffix,                \
   triple_##suffix,                  \
   walk_##suffix,                    \
   cut_##suffix,                     \
   subtract_##suffix,                \
   leave_##suffix,                   \
   narrow_##suffix,                  \
   reach_##suffix,                   \
   reaching_##suffix,                \
   rules_after_##suffix,             \
   beside_##suffix,                  \
   relax_##suffix,                   \
   gains_##suffix,                   \
   rank_savings_##suffix,            \
   net_savings_##suffix,             \
   savings_after_##suffix,           \
   spread_##suffix,                  \
   within_shared_##suffix,           \
   consider_##suffix,                \
   judge_##suffix}

SURELIST_KERNELS(baseline, )
SURELIST_BIT_KERNELS(baseline, )

constexpr Kernels kBaseline SURELIST_TABLE(baseline);

#if SURELIST_X86
SURELIST_KERNELS(avx2, SURELIST_AVX2)
SURELIST_BIT_KERNELS(avx2, SURELIST_AVX2)
SURELIST_KERNELS(avx512, SURELIST_AVX512)

// Two or four vectors hold the sums of 64 antecedents while all rows are added.
SURELIST_AVX512 inline void masked_word(std::int16_t* sums, const Word* bits, std::size_t n_words,
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

SURELIST_AVX512 inline void masked_word(std::int32_t* sums, const Word* bits, std::size_t n_words,
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
SURELIST_AVX512 void masked_avx512(Lane* sums, const Word* bits, std::size_t n_words,
                                   const MaskedRow<Lane>* rows, std::size_t n_rows) {
  for (std::size_t w = 0; w < n_words; ++w) {
    masked_word(sums + w * 64, bits + w, n_words, rows, n_rows);
  }
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

// What a rule adds and no other captures again; or, if it adds nothing, less what others do.
SURELIST_AVX512 inline __m512i net_sum(__m512i added, __m512i again, bool own, __m512i shift) {
  const __m512i counted = own ? _mm512_andnot_si512(again, added) : _mm512_and_si512(again, added);
  const __m512i sum = _mm512_sllv_epi64(_mm512_popcnt_epi64(counted), shift);
  return own ? sum : _mm512_sub_epi64(_mm512_setzero_si512(), sum);
}

SURELIST_AVX512 void walk_avx512(const PrefixWalk& walk) {
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

SURELIST_AVX512 inline __m512i each(Narrow value) {
  return _mm512_set1_epi16(static_cast<short>(value));
}

SURELIST_AVX512 inline Taken512 take_512(const RelaxedStep::Class& of, std::size_t t) {
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

SURELIST_AVX512 void relax_avx512(const RelaxedStep& step, std::size_t n) {
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

constexpr Kernels kAvx2 SURELIST_TABLE(avx2);
constexpr Kernels kAvx512 SURELIST_TABLE(avx512);

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
