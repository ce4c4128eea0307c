#pragma once

#include <cstddef>

#define INLINE inline __attribute__((always_inline))

namespace surelist_checker {

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

inline bool has_avx2() {
  static const bool known = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
                            __builtin_cpu_supports("bmi2");
  return known;
}

inline bool has_avx512() {
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

}  // namespace surelist_checker
