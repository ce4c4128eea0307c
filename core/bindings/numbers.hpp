// Exact numbers as Python's, which have any number of digits.
#pragma once

#include "bindings/casters.hpp"
#include "problem/objective.hpp"

namespace surelist::bindings {

inline nb::int_ big(Wide value) {
  return nb::steal<nb::int_>(PyLong_FromString(to_text(value).c_str(), nullptr, 10));
}

}  // namespace surelist::bindings
