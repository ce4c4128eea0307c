// The loops of lanes.hpp for AVX2. The instruction set is switched on after all other headers, as
// in count/kernels_avx512.cpp.
#if defined(__x86_64__) && defined(__GNUC__)

#include "cuts/lanes.hpp"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#include "cuts/lane_loops.hpp"

namespace surelist::cuts {
namespace {

constexpr LaneKernels kLaneKernels = make_lanes("avx2");

}  // namespace

const LaneKernels& avx2_lanes() { return kLaneKernels; }

}  // namespace surelist::cuts

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
