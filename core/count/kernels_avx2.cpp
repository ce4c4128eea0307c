// The kernels for AVX2: the plain loops (kernel_loops.hpp) compiled for it.
#if defined(__x86_64__) && defined(__GNUC__)

#include <algorithm>
#include <bit>
#include <cstring>

#include "count/kernels.hpp"

#define SURELIST_TARGET "avx2,popcnt,bmi,bmi2"
#include "base/target_on.hpp"
#include "count/kernel_table.hpp"

namespace surelist {
namespace {

constexpr Kernels kKernels = loops::make_kernels("avx2");

}  // namespace

const Kernels& avx2_kernels() { return kKernels; }

}  // namespace surelist

#include "base/target_off.hpp"

#endif
