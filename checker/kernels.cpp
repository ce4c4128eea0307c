#include "kernels.hpp"

#include <algorithm>
#include <utility>

#include "instruction_sets.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

namespace surelist_checker {
namespace {

struct AddRows {
  // A few sums stay in registers while the groups go by.
  template <std::size_t count, class Lane>
  INLINE static void add_columns(Lane* sums, const Lane* rows, std::size_t row_size, std::size_t at,
                                 const std::uint32_t* groups, std::size_t n_groups) {
    using V = typename Vector<Lane>::type;
    V total[count] = {};
    for (std::size_t g = 0; g < n_groups; ++g) {
      const V* row = reinterpret_cast<const V*>(rows + groups[g] * row_size + at);
#pragma GCC unroll 4
      for (std::size_t i = 0; i < count; ++i) total[i] += row[i];
    }
    V* out = reinterpret_cast<V*>(sums + at);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < count; ++i) out[i] = total[i];
  }

  template <class Lane>
  INLINE static void run(Lane* sums, const Lane* rows, std::size_t row_size, std::size_t begin,
                         std::size_t end, const std::uint32_t* groups, std::size_t n_groups) {
    constexpr std::size_t lanes = Vector<Lane>::lanes;
    std::size_t at = begin;
    for (; at + 4 * lanes <= end; at += 4 * lanes)
      add_columns<4>(sums, rows, row_size, at, groups, n_groups);
    for (; at + 2 * lanes <= end; at += 2 * lanes)
      add_columns<2>(sums, rows, row_size, at, groups, n_groups);
    for (; at < end; at += lanes) add_columns<1>(sums, rows, row_size, at, groups, n_groups);
  }
};

struct Subtract {
  template <class Lane>
  INLINE static void run(const Lane* whole, const Lane* part, std::size_t n, Lane* rest) {
    for (std::size_t i = 0; i < n; ++i) rest[i] = static_cast<Lane>(whole[i] - part[i]);
  }
};

struct SpreadBits {
  INLINE static void run(const Digits* digits, const Word* set, Word* __restrict words) {
    const std::uint32_t* places = digits->places;
    const Word* masks = digits->masks;
    for (std::size_t i = digits->ends[0]; i < digits->ends[digits->n_parts]; ++i)
      words[i] = set[places[i]] & masks[i];
  }
};

struct SumBits {
  INLINE static void run(const Digits* digits, const Word* words, std::int32_t* sums) {
    const Word* shifts = digits->shifts;
    for (std::size_t part = 0; part < digits->n_parts; ++part) {
      Word sum = 0;
      for (std::size_t i = digits->ends[part]; i < digits->ends[part + 1]; ++i)
        sum += static_cast<Word>(__builtin_popcountll(words[i])) << shifts[i];
      sums[part] = static_cast<std::int32_t>(sum);
    }
  }
};

// Digits come from the highest on: what has been counted doubles from one to the next.
struct CountBits {
  INLINE static void run(const Digits* digits, const Word* words, const Word* captures,
                         std::size_t row_size, std::size_t n, std::size_t stride,
                         std::int32_t* sums) {
    for (std::size_t part = 0; part < digits->n_parts; ++part, sums += stride) {
      for (std::size_t a = 0; a < n; a += 2) {  // two at a time: more do not stay in registers
        const std::size_t begin = digits->ends[part], end = digits->ends[part + 1];
        Word one = 0, two = 0, at = begin < end ? digits->shifts[begin] : 0;
        for (std::size_t i = begin; i < end; ++i) {
          const Word place = digits->shifts[i], up = at - place;
          const Word* row = captures + i * row_size + a;
          one = (one << up) + static_cast<Word>(__builtin_popcountll(words[i] & row[0]));
          two = (two << up) + static_cast<Word>(__builtin_popcountll(words[i] & row[1]));
          at = place;
        }
        sums[a] = static_cast<std::int32_t>(one << at);
        sums[a + 1] = static_cast<std::int32_t>(two << at);
      }
    }
  }
};

#if defined(__x86_64__) && defined(__GNUC__)
// GCC 12 takes what its own header leaves undefined for a mistake.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#define AVX512                       \
  __attribute__((                    \
      target("avx2,popcnt,bmi,bmi2," \
             "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq")))

// The same for one part with the sums of 8 * count columns in registers, which compilers miss.
template <std::size_t count>
AVX512 inline void count_columns(const Digits& digits, std::size_t part, const Word* words,
                                 const Word* captures, std::size_t row_size, std::int32_t* sums) {
  const std::size_t begin = digits.ends[part], end = digits.ends[part + 1];
  __m512i total[count];
#pragma GCC unroll 8
  for (std::size_t v = 0; v < count; ++v) total[v] = _mm512_setzero_si512();
  Word at = begin < end ? digits.shifts[begin] : 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (const Word place = digits.shifts[i]; place != at) {
      const __m128i up = _mm_cvtsi64_si128(static_cast<long long>(at - place));
#pragma GCC unroll 8
      for (std::size_t v = 0; v < count; ++v) total[v] = _mm512_sll_epi64(total[v], up);
      at = place;
    }
    const __m512i word = _mm512_set1_epi64(static_cast<long long>(words[i]));
    const Word* row = captures + i * row_size;
#pragma GCC unroll 8
    for (std::size_t v = 0; v < count; ++v) {
      const __m512i both = _mm512_and_si512(word, _mm512_load_si512(row + 8 * v));
      total[v] = _mm512_add_epi64(total[v], _mm512_popcnt_epi64(both));
    }
  }
  const __m128i up = _mm_cvtsi64_si128(static_cast<long long>(at));
#pragma GCC unroll 8
  for (std::size_t v = 0; v < count; ++v) {
    const __m256i narrow = _mm512_cvtepi64_epi32(_mm512_sll_epi64(total[v], up));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums + 8 * v), narrow);
  }
}

AVX512 void count_bits_avx512(const Digits& digits, const Word* words, const Word* captures,
                              std::size_t row_size, std::size_t n, std::size_t stride,
                              std::int32_t* sums) {
  for (std::size_t part = 0; part < digits.n_parts; ++part, sums += stride) {
    std::size_t a = 0;
    for (; a + 48 <= n; a += 48)
      count_columns<6>(digits, part, words, captures + a, row_size, sums + a);
    for (; a + 16 <= n; a += 16)
      count_columns<2>(digits, part, words, captures + a, row_size, sums + a);
    for (; a < n; a += 8) count_columns<1>(digits, part, words, captures + a, row_size, sums + a);
  }
}
#pragma GCC diagnostic pop
#endif

struct FindGreatest {
  template <class Lane>
  INLINE static Greatest<Lane> run(const Lane* up, const Lane* down, const Lane* usable,
                                   Lane may_predict_0, Lane may_predict_1, Lane price,
                                   std::size_t n) {
    Lane net0 = 0, net1 = 0, gain0 = 0, gain1 = 0, n_active = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto over_0 = static_cast<Lane>(up[i] & may_predict_1);
      const auto over_1 = static_cast<Lane>(down[i] & may_predict_0);
      const Lane worth = over_0 > over_1 ? over_0 : over_1;
      const auto mask = static_cast<Lane>((worth > price ? -1 : 0) & usable[i]);
      const auto lead = static_cast<Lane>((up[i] - down[i]) & may_predict_1 & mask);
      const auto lag = static_cast<Lane>((down[i] - up[i]) & may_predict_0 & mask);
      const auto some_0 = static_cast<Lane>(over_0 & mask);
      const auto some_1 = static_cast<Lane>(over_1 & mask);
      net0 = lead > net0 ? lead : net0;
      net1 = lag > net1 ? lag : net1;
      gain0 = some_0 > gain0 ? some_0 : gain0;
      gain1 = some_1 > gain1 ? some_1 : gain1;
      n_active = static_cast<Lane>(n_active - mask);
    }
    return {{net0, net1}, {gain0, gain1}, n_active};
  }
};

struct FindMostNet {
  template <class Lane>
  INLINE static MostNet<Lane> run(const Lane* up, const Lane* down, const Lane* usable,
                                  Lane may_predict_0, Lane may_predict_1, Lane captured_up,
                                  Lane captured_down, std::size_t n) {
    Lane net0 = 0, net1 = 0;
    for (std::size_t i = 0; i < n; ++i) {
      // The lesser of up and lead + captured_down, in a form that does not leave the lane's range.
      const Lane lost_0 = down[i] > captured_down ? static_cast<Lane>(down[i] - captured_down) : 0;
      const Lane lost_1 = up[i] > captured_up ? static_cast<Lane>(up[i] - captured_up) : 0;
      const auto lead = static_cast<Lane>((up[i] - lost_0) & usable[i]);
      const auto lag = static_cast<Lane>((down[i] - lost_1) & usable[i]);
      net0 = lead > net0 ? lead : net0;
      net1 = lag > net1 ? lag : net1;
    }
    return {{static_cast<Lane>(net0 & may_predict_1), static_cast<Lane>(net1 & may_predict_0)}};
  }
};

struct FindMostOfPairs {
  template <class Lane>
  INLINE static MostOfPairs run(const Lane* up, const Lane* down, const Lane* usable,
                                Lane least_down, std::size_t n) {
    // Lanes are narrow, and 2 up - down may leave them: add the halves of what each has.
    Lane net = 0, low = 0, pair_net = 0, pair_up = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto lead = static_cast<Lane>((up[i] - down[i]) & usable[i]);
      const auto some = static_cast<Lane>(up[i] & usable[i]);
      const Lane more = lead > 0 ? lead : 0;
      // (up + net) / 2, rounded up: both are below the lane's middle
      const auto half = static_cast<Lane>((some >> 1) + (more >> 1) + ((some | more) & 1));
      net = more > net ? more : net;
      low = half > low ? half : low;
      const Lane near = down[i] < least_down ? -1 : 0;
      const auto near_net = static_cast<Lane>(more & near);
      const auto near_up = static_cast<Lane>(some & near);
      pair_net = near_net > pair_net ? near_net : pair_net;
      pair_up = near_up > pair_up ? near_up : pair_up;
    }
    return {net, 2 * Number{low}, pair_net, pair_up};
  }
};

struct MarkHalves {
  template <class Lane>
  INLINE static bool run(const Lane* up, const Lane* down, const Lane* usable,
                         const PairLimits<Lane>* limits, std::size_t n, Lane* __restrict marks) {
    const Lane two = limits->two, harmful = limits->harmful;
    const Lane least_net = limits->net, least_up = limits->up;
    Lane any = 0;
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) {
      const auto net = static_cast<Lane>(up[i] - down[i]);
      const Lane more = net > 0 ? net : Lane{0};
      Lane near = down[i] < harmful ? Lane{-1} : Lane{0};
      near = net > least_net ? near : Lane{0};
      near = up[i] > least_up ? near : Lane{0};
      near = up[i] > two ? Lane{-1} : near;
      const Lane mark = more > static_cast<Lane>(two - up[i]) ? near : Lane{0};
      marks[i] = static_cast<Lane>(mark & usable[i]);
      any = static_cast<Lane>(any | marks[i]);
    }
    return any != 0;
  }
};

struct FindPartner {
  // Nothing here leaves the lane's range: gains are no more than all_up, and the harm of t and u
  // together is no more than that of the set.
  template <class Lane>
  INLINE static Lane run(const Partners<Lane>& of, std::size_t n) {
    const Lane *up = of.up, *down = of.down, *most_down = of.most_down;
    const Lane *whole = of.whole_up, *usable = of.usable;
    const Lane *shared_up = of.shared_up, *shared_down = of.shared_down;
    const Lane own_up = of.own_up, own_down = of.own_down, own_whole = of.own_whole_up;
    const auto others = static_cast<Lane>(of.all_up - own_up);
    Lane most = 0;
    for (std::size_t u = 0; u < n; ++u) {
      const auto outside = static_cast<Lane>(whole[u] - shared_up[u]);
      Lane gain = up[u] < outside ? up[u] : outside;
      gain = gain < others ? gain : others;
      const Lane apart =
          own_down > shared_down[u] ? static_cast<Lane>(own_down - shared_down[u]) : 0;
      const auto harm = static_cast<Lane>(down[u] + apart);
      const auto both = static_cast<Lane>(own_up + gain - (harm > own_down ? harm : own_down));
      const auto own_outside = static_cast<Lane>(own_whole - shared_up[u]);
      const Lane spared = shared_down[u] < most_down[u] ? shared_down[u] : most_down[u];
      const Lane own_harm = own_down > spared ? static_cast<Lane>(own_down - spared) : 0;
      const auto behind =
          static_cast<Lane>((own_up < own_outside ? own_up : own_outside) - own_harm);
      const auto more = static_cast<Lane>((both > behind ? both : behind) & usable[u]);
      most = more > most ? more : most;
    }
    return most;
  }
};

// What is shared in a set is shared in all groups, and captured by both in the set; and of what is
// shared in all groups, no more is gone than either of both has lost.
struct BoundShared {
  template <class Lane>
  INLINE static void run(const SharedBounds<Lane>& of, std::size_t n) {
    const Lane *all = of.all_shared, *whole = of.all_captured, *captured = of.captured;
    const Lane own = of.own, own_gone = of.own_gone, others = of.others;
    Lane* __restrict most = of.most;
    Lane* __restrict least = of.least;
#pragma GCC ivdep
    for (std::size_t t = 0; t < n; ++t) {
      const Lane both = captured[t] < own ? captured[t] : own;
      most[t] = all[t] < both ? all[t] : both;
      const auto gone = static_cast<Lane>(whole[t] - captured[t]);
      const auto kept = static_cast<Lane>(all[t] - (gone < own_gone ? gone : own_gone));
      const auto beyond = static_cast<Lane>(captured[t] - others);
      const Lane low = kept > beyond ? kept : beyond;
      least[t] = low > 0 ? low : Lane{0};
    }
  }
};

struct Relax {
  // Bounds what is taken of one class. No bound is above what t captures.
  template <class Lane>
  INLINE static void take(const typename RelaxedRule<Lane>::Class& of, std::size_t n) {
    const Lane *captured = of.captured, *shared = of.shared_most, *shared_least = of.shared_least;
    const Lane *most = of.before_most, *least = of.before_least;
    const Lane own_new = of.own_new, own_taken = of.own_taken;
    Lane* __restrict now_most = of.now_most;
    Lane* __restrict now_least = of.now_least;
#pragma GCC ivdep
    for (std::size_t t = 0; t < n; ++t) {
      const Lane fresh = shared[t] < own_new ? shared[t] : own_new;
      const auto room = static_cast<Lane>(captured[t] - most[t]);
      now_most[t] = static_cast<Lane>(most[t] + (fresh < room ? fresh : room));
      const auto added = static_cast<Lane>(least[t] + (shared_least[t] - own_taken));
      const Lane both = shared_least[t] > least[t] ? shared_least[t] : least[t];
      now_least[t] = added > both ? added : both;
    }
  }

  // Rules t for one label. One whose label is not the rule's is in front of it if what they share,
  // and nothing has taken, holds more of its own class. Conditions are masks, 0 or -1, and come one
  // by one, so that compilers make no branches of them.
  template <class Lane>
  INLINE static bool follow(const RelaxedRule<Lane>& rule, int label, std::size_t n) {
    const auto &own = rule.classes[label], &other = rule.classes[1 - label];
    const Lane *captured = own.captured, *taken = own.now_least, *shared = own.shared_least;
    const Lane *other_captured = other.captured, *other_taken = other.now_most;
    const Lane *other_shared = other.shared_most, *usable = rule.usable, *worth = rule.worth;
    const Lane* turn = rule.turn;
    const Lane own_taken = own.own_taken, other_new = other.own_new, left = own.left;
    const Lane least_turn = rule.least_turn;
    const Lane last = rule.budget_last, next = rule.budget_next;
    const Lane same = rule.label == label ? -1 : 0;
    const auto other_label = static_cast<Lane>(~same);
    Lane* __restrict out = own.cost;
    Lane found = 0;
#pragma GCC ivdep
    for (std::size_t t = 0; t < n; ++t) {
      const auto cost = static_cast<Lane>(other_captured[t] - other_taken[t]);
      const auto gain = static_cast<Lane>(captured[t] - taken[t]);
      const Lane gone = other_shared[t] < other_new ? other_shared[t] : other_new;
      const Lane held = shared[t] < own_taken ? shared[t] : own_taken;
      Lane follows = usable[t];
      follows = turn[t] < least_turn ? static_cast<Lane>(follows & other_label) : follows;
      const auto fresh = static_cast<Lane>(shared[t] - held);
      follows = fresh > gone ? static_cast<Lane>(follows & same) : follows;
      follows = gain > worth[t] ? follows : Lane{0};
      follows = gain >= cost ? follows : Lane{0};
      // What is left costs at least nothing, so that `cost <= last` is implied.
      const auto rest = static_cast<Lane>(left - (left < gain ? left : gain));
      found = static_cast<Lane>(found | (rest <= static_cast<Lane>(last - cost) ? follows : 0));
      out[t] = static_cast<Lane>(cost | ~(cost <= next ? follows : 0));
    }
    return found != 0;
  }

  template <class Lane>
  INLINE static bool run(const RelaxedRule<Lane>* rule, std::size_t n) {
    for (const auto& of : rule->classes) take<Lane>(of, n);
    const bool ends_with_0 = follow(*rule, 0, n), ends_with_1 = follow(*rule, 1, n);
    return ends_with_0 | ends_with_1;
  }
};

struct DeriveTwo {
  template <class Lane>
  INLINE static void run(const Lane* parts, std::size_t n, Number factor, bool may_predict_0,
                         bool may_predict_1, Number* sums) {
    const Number mask_0 = may_predict_0 ? -1 : 0, mask_1 = may_predict_1 ? -1 : 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Number up = parts[i] * factor, down = parts[n + i] * factor;
      const Number floor = parts[2 * n + i] * factor;
      sums[i] = floor + up;
      sums[n + i] = floor + down;
      sums[2 * n + i] = up & mask_1;
      sums[3 * n + i] = down & mask_0;
      sums[4 * n + i] = floor;
      sums[5 * n + i] = floor + up + down;
      // A label that rules may not have costs as if it were the other one.
      const Number with_0 = may_predict_0 ? up : down, with_1 = may_predict_1 ? down : up;
      sums[6 * n + i] = floor + (with_0 < with_1 ? with_0 : with_1);
    }
  }
};

}  // namespace

template <class Lane>
void derive_two(const Lane* parts, std::size_t stride, Number factor, bool may_predict_0,
                bool may_predict_1, Number* sums) {
  run<DeriveTwo>(parts, stride, factor, may_predict_0, may_predict_1, sums);
}

template <class Lane>
void add_rows(Lane* sums, const Lane* rows, std::size_t row_size, std::size_t begin,
              std::size_t end, const std::uint32_t* groups, std::size_t n_groups) {
  run<AddRows>(sums, rows, row_size, begin, end, groups, n_groups);
}

template <class Lane>
void subtract(const Lane* whole, const Lane* part, std::size_t n, Lane* rest) {
  run<Subtract>(whole, part, n, rest);
}

void spread_bits(const Digits& digits, const Word* set, Word* words) {
  run<SpreadBits>(&digits, set, words);
}

void sum_bits(const Digits& digits, const Word* words, std::int32_t* sums) {
  run<SumBits>(&digits, words, sums);
}

void count_bits(const Digits& digits, const Word* words, const Word* captures, std::size_t row_size,
                std::size_t n, std::size_t stride, std::int32_t* sums) {
#if defined(__x86_64__) && defined(__GNUC__)
  if (has_avx512()) return count_bits_avx512(digits, words, captures, row_size, n, stride, sums);
#endif
  run<CountBits>(&digits, words, captures, row_size, n, stride, sums);
}

template <class Lane>
Greatest<Lane> greatest(const Lane* up, const Lane* down, const Lane* usable, Lane may_predict_0,
                        Lane may_predict_1, Lane price, std::size_t n) {
  return run<FindGreatest>(up, down, usable, may_predict_0, may_predict_1, price, n);
}

template <class Lane>
MostNet<Lane> most_net(const Lane* up, const Lane* down, const Lane* usable, Lane may_predict_0,
                       Lane may_predict_1, Lane captured_up, Lane captured_down, std::size_t n) {
  return run<FindMostNet>(up, down, usable, may_predict_0, may_predict_1, captured_up,
                          captured_down, n);
}

template <class Lane>
MostOfPairs most_of_pairs(const Lane* up, const Lane* down, const Lane* usable, Lane least_down,
                          std::size_t n) {
  return run<FindMostOfPairs>(up, down, usable, least_down, n);
}

template <class Lane>
bool mark_halves(const Lane* up, const Lane* down, const Lane* usable,
                 const PairLimits<Lane>& limits, std::size_t n, Lane* marks) {
  return run<MarkHalves>(up, down, usable, &limits, n, marks);
}

template <class Lane>
Lane most_with_partner(const Partners<Lane>& partners, std::size_t n) {
  return run<FindPartner>(partners, n);
}

template <class Lane>
void bound_shared(const SharedBounds<Lane>& bounds, std::size_t n) {
  run<BoundShared>(bounds, n);
}

template <class Lane>
bool relax(const RelaxedRule<Lane>& rule, std::size_t n) {
  return run<Relax>(&rule, n);
}

#define INSTANTIATE(Lane)                                                                        \
  template bool relax(const RelaxedRule<Lane>&, std::size_t);                                    \
  template void bound_shared(const SharedBounds<Lane>&, std::size_t);                            \
  template bool mark_halves(const Lane*, const Lane*, const Lane*, const PairLimits<Lane>&,      \
                            std::size_t, Lane*);                                                 \
  template Lane most_with_partner(const Partners<Lane>&, std::size_t);                           \
  template MostOfPairs most_of_pairs(const Lane*, const Lane*, const Lane*, Lane, std::size_t);  \
  template void add_rows(Lane*, const Lane*, std::size_t, std::size_t, std::size_t,              \
                         const std::uint32_t*, std::size_t);                                     \
  template void derive_two(const Lane*, std::size_t, Number, bool, bool, Number*);               \
  template MostNet<Lane> most_net(const Lane*, const Lane*, const Lane*, Lane, Lane, Lane, Lane, \
                                  std::size_t);                                                  \
  template void subtract(const Lane*, const Lane*, std::size_t, Lane*);                          \
  template Greatest<Lane> greatest(const Lane*, const Lane*, const Lane*, Lane, Lane, Lane,      \
                                   std::size_t);
INSTANTIATE(std::int16_t)
INSTANTIATE(std::int32_t)
INSTANTIATE(std::int64_t)

}  // namespace surelist_checker
