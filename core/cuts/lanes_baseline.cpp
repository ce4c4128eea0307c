// The loops for every processor, and which of them to take.
#include "cuts/lane_loops.hpp"

namespace surelist::cuts {
namespace {

constexpr LaneKernels kLaneKernels = make_lanes("baseline");

}  // namespace

const LaneKernels& baseline_lanes() { return kLaneKernels; }

const LaneKernels& lane_kernels(std::string_view name) {
#if defined(__x86_64__) && defined(__GNUC__)
  const bool avx2 = __builtin_cpu_supports("avx2");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512bw");
  if (avx512 && (name == "auto" || name == "avx512")) return avx512_lanes();
  if (avx2 && (name == "auto" || name == "avx2")) return avx2_lanes();
#endif
  if (name == "auto" || name == "baseline") return baseline_lanes();
  throw InputError("this processor has no kernels named '" + std::string(name) + "'");
}

}  // namespace surelist::cuts
