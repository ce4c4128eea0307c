// The loops of lane_loops.hpp for AVX-512.
#if defined(__x86_64__) && defined(__GNUC__)

#include "cuts/lanes.hpp"

#define SURELIST_TARGET "avx2,avx512f,avx512bw"
#include "base/target_on.hpp"
#include "cuts/lane_loops.hpp"

namespace surelist::cuts {
namespace {

constexpr LaneKernels kLaneKernels = make_lanes("avx512");

}  // namespace

const LaneKernels& avx512_lanes() { return kLaneKernels; }

}  // namespace surelist::cuts

#include "base/target_off.hpp"

#endif
