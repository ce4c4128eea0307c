// The kernels for every processor: the plain loops, compiled like the rest of the core.
#include "count/kernel_table.hpp"

namespace surelist {
namespace {

constexpr Kernels kKernels = loops::make_kernels("baseline");

}  // namespace

const Kernels& baseline_kernels() { return kKernels; }

}  // namespace surelist
