// The kernels for AVX2: the plain loops compiled for it. See kernels_avx512.cpp for the order of
// headers.
#if defined(__x86_64__) && defined(__GNUC__)

#include <algorithm>
#include <bit>
#include <cstring>

#include "count/kernels.hpp"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,popcnt,bmi,bmi2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,popcnt,bmi,bmi2")
#endif

#include "count/kernel_table.hpp"

namespace surelist {
namespace {

constexpr Kernels kKernels = loops::make_kernels("avx2");

}  // namespace

const Kernels& avx2_kernels() { return kKernels; }

}  // namespace surelist

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
