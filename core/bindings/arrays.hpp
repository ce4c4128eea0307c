// Rows of arrays into the engine's patterns, without a copy of the arrays.
#pragma once

#include <optional>

#include "bindings/casters.hpp"
#include "problem/collapse.hpp"

namespace surelist::bindings {

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::device::cpu>;
using Labels = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline Patterns collapse_arrays(const Bytes& matrix, const Labels& labels,
                                const std::optional<Weights>& weights, std::size_t n_classes) {
  if (labels.shape(0) != matrix.shape(0) || (weights && weights->shape(0) != matrix.shape(0))) {
    throw InputError("matrix, labels and weights must have the same number of rows");
  }
  const ByteMatrix bytes{.data = matrix.data(),
                         .n_rows = matrix.shape(0),
                         .n_columns = matrix.shape(1),
                         .row_stride = matrix.stride(0),
                         .column_stride = matrix.stride(1)};
  const Weight* weight = weights ? weights->data() : nullptr;
  nb::gil_scoped_release release;
  return collapse(bytes, labels.data(), weight, n_classes);
}

}  // namespace surelist::bindings
