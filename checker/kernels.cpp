#include "kernels.hpp"

#include <algorithm>
#include <utility>

#define INLINE inline __attribute__((always_inline))

namespace surelist_checker {
namespace {

// Each loop is compiled for several instruction sets by being inlined into a function with the
// attribute of the set, and the processor is asked once which of them it has.
struct AnyProcessor {
  template <class Loop, class... Arguments>
  static auto run(Arguments... arguments) {
    return Loop::run(arguments...);
  }
};

#if defined(__x86_64__) && defined(__GNUC__)
struct Avx2 {
  template <class Loop, class... Arguments>
  __attribute__((target("avx2,popcnt,bmi,bmi2"))) static auto run(Arguments... arguments) {
    return Loop::run(arguments...);
  }
};

struct Avx512 {
  template <class Loop, class... Arguments>
  __attribute__((
      target("avx2,popcnt,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl,"
             "avx512vpopcntdq,prefer-vector-width=512"))) static auto
  run(Arguments... arguments) {
    return Loop::run(arguments...);
  }
};

bool has_avx2() {
  static const bool known = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
                            __builtin_cpu_supports("bmi2");
  return known;
}

bool has_avx512() {
  static const bool known =
      has_avx2() && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vpopcntdq");
  return known;
}

template <class Loop, class... Arguments>
auto run(Arguments... arguments) {
  if (has_avx512()) return Avx512::run<Loop>(arguments...);
  if (has_avx2()) return Avx2::run<Loop>(arguments...);
  return AnyProcessor::run<Loop>(arguments...);
}
#else
template <class Loop, class... Arguments>
auto run(Arguments... arguments) {
  return AnyProcessor::run<Loop>(arguments...);
}
#endif

template <class Lane>
struct Vector {
  typedef Lane type __attribute__((vector_size(64), may_alias));
  static constexpr std::size_t lanes = 64 / sizeof(Lane);
};

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

struct CountBits {
  INLINE static void run(const Word* set, const Word* captures, const Word* shifts,
                         std::size_t n_words, std::size_t n, const std::size_t* ends,
                         std::size_t n_parts, std::size_t stride, std::int32_t* sums) {
    for (std::size_t a = 0; a < n; ++a, captures += n_words) {
      for (std::size_t part = 0; part < n_parts; ++part) {
        Word sum = 0;
        for (std::size_t i = ends[part]; i < ends[part + 1]; ++i)
          sum += static_cast<Word>(__builtin_popcountll(set[i] & captures[i])) << shifts[i];
        sums[part * stride + a] = static_cast<std::int32_t>(sum);
      }
    }
  }
};

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
                                std::size_t n) {
    // Lanes are narrow, and 2 up - down may leave them: add the halves of what each has.
    Lane net = 0, most = 0, low = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto lead = static_cast<Lane>((up[i] - down[i]) & usable[i]);
      const auto some = static_cast<Lane>(up[i] & usable[i]);
      const Lane more = lead > 0 ? lead : 0;
      // (up + net) / 2, rounded up: both are below the lane's middle
      const auto half = static_cast<Lane>((some >> 1) + (more >> 1) + ((some | more) & 1));
      net = more > net ? more : net;
      most = some > most ? some : most;
      low = half > low ? half : low;
    }
    return {net, most, 2 * Number{low}};
  }
};

struct FindPartner {
  // Nothing here leaves the lane's range: gains are no more than all_up, and the harm of t and u
  // together is no more than that of the set.
  template <class Lane>
  INLINE static Lane run(const Partners<Lane>& of, std::size_t n) {
    const Lane *up = of.up, *down = of.down, *whole = of.whole_up, *usable = of.usable;
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
      const Lane spared = shared_down[u] < down[u] ? shared_down[u] : down[u];
      const Lane own_harm = own_down > spared ? static_cast<Lane>(own_down - spared) : 0;
      const auto behind =
          static_cast<Lane>((own_up < own_outside ? own_up : own_outside) - own_harm);
      const auto more = static_cast<Lane>((both > behind ? both : behind) & usable[u]);
      most = more > most ? more : most;
    }
    return most;
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

void count_bits(const Word* set, const Word* captures, const Word* shifts, std::size_t n_words,
                std::size_t n, const std::size_t* ends, std::size_t n_parts, std::size_t stride,
                std::int32_t* sums) {
  run<CountBits>(set, captures, shifts, n_words, n, ends, n_parts, stride, sums);
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
MostOfPairs most_of_pairs(const Lane* up, const Lane* down, const Lane* usable, std::size_t n) {
  return run<FindMostOfPairs>(up, down, usable, n);
}

template <class Lane>
Lane most_with_partner(const Partners<Lane>& partners, std::size_t n) {
  return run<FindPartner>(partners, n);
}

#define INSTANTIATE(Lane)                                                                        \
  template Lane most_with_partner(const Partners<Lane>&, std::size_t);                           \
  template MostOfPairs most_of_pairs(const Lane*, const Lane*, const Lane*, std::size_t);        \
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
