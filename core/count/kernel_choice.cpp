// Chooses the kernels at run time, by what the processor has, so that one binary runs everywhere.
#include "count/kernels.hpp"

namespace surelist {
namespace {

#if defined(__x86_64__) && defined(__GNUC__)
bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"); }
bool has_avx512() {
  return has_avx2() && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vpopcntdq");
}
#endif

}  // namespace

const Kernels& kernels(std::string_view name) {
#if defined(__x86_64__) && defined(__GNUC__)
  if ((name == "auto" || name == "avx512") && has_avx512()) return avx512_kernels();
  if ((name == "auto" || name == "avx2") && has_avx2()) return avx2_kernels();
#endif
  if (name == "auto" || name == "baseline") return baseline_kernels();
  throw InputError("this processor has no kernels named '" + std::string(name) + "'");
}

}  // namespace surelist
