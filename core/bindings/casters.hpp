// nanobind, with the conversions of all types that cross to Python. Every file here includes this
// one: a conversion that only some of them saw would fail at run time, not when it is compiled.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace surelist::bindings {

namespace nb = nanobind;
using namespace nb::literals;

}  // namespace surelist::bindings
