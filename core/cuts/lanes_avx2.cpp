// The loops of lane_loops.hpp for AVX2.
#if defined(__x86_64__) && defined(__GNUC__)

#include "cuts/lanes.hpp"

#define SURELIST_TARGET "avx2"
#include "base/target_on.hpp"
#include "cuts/lane_loops.hpp"

namespace surelist::cuts {
namespace {

constexpr LaneKernels kLaneKernels = make_lanes("avx2");

}  // namespace

const LaneKernels& avx2_lanes() { return kLaneKernels; }

}  // namespace surelist::cuts

#include "base/target_off.hpp"

#endif
