// Python's side of the fast checker: arrays and blocks in, a verdict out. What the numbers mean and
// how a refusal is worded is up to `src/surelist/fast_checker.py`.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>

#include "proof.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace surelist_checker {
namespace {

using Captures = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Costs = nb::ndarray<const Number, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Antecedents = std::vector<std::uint32_t>;

std::unique_ptr<Proof> begin_proof(const Captures& captures, const Costs& costs, Number factor,
                                   std::vector<Number> prices, Number target, Number longest,
                                   bool limited, Antecedents labels, Antecedents required,
                                   Antecedents forbidden, Antecedents first, int format,
                                   Antecedents order, const std::string& counting) {
  if (costs.shape(0) != captures.shape(0))
    throw std::invalid_argument("captures and costs are not of the same groups");
  const ProblemParts parts{captures.shape(0),
                           captures.shape(1),
                           costs.shape(1),
                           captures.data(),
                           costs.data(),
                           factor,
                           std::move(prices),
                           target,
                           longest,
                           limited,
                           std::move(labels),
                           std::move(required),
                           std::move(forbidden),
                           std::move(first),
                           format,
                           std::move(order)};
  return make_proof(make_problem(parts), counting.c_str());
}

void read_block(Proof& proof, const nb::bytes& block) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(block.c_str());
  const nb::gil_scoped_release release;
  proof.read(bytes, block.size());
}

const char* name_of(Failure::Kind kind) {
  switch (kind) {
    case Failure::Kind::list_below_target:
      return "list below target";
    case Failure::Kind::open_child:
      return "open child";
    case Failure::Kind::wrong_reason:
      return "wrong reason";
    case Failure::Kind::open_beginning:
      break;
  }
  return "open beginning";
}

using Found = std::tuple<std::string, Antecedents, std::size_t, Number>;

// Ctrl-C, or what `watch` raises, ends the check and is raised from here.
std::optional<Found> check_proof(Proof& proof, std::size_t n_jobs, const nb::object& watch) {
  Proof::Outcome outcome;
  bool raised = false;
  const auto ask = [&](std::size_t done) {
    const nb::gil_scoped_acquire acquire;
    raised = PyErr_CheckSignals() != 0;
    if (raised || watch.is_none()) return !raised;
    PyObject* answer = PyObject_CallFunction(watch.ptr(), "n", static_cast<Py_ssize_t>(done));
    raised = answer == nullptr;
    Py_XDECREF(answer);
    return !raised;
  };
  {
    const nb::gil_scoped_release release;
    outcome = proof.check(n_jobs, ask);
  }
  if (raised) throw nb::python_error();
  if (!outcome.failure) return std::nullopt;
  const Failure& failure = *outcome.failure;
  return Found{name_of(failure.kind), proof.path(failure.node), failure.antecedent,
               failure.objective};
}

}  // namespace
}  // namespace surelist_checker

NB_MODULE(_checker, module) {
  using namespace surelist_checker;
  module.doc() = "The fast checker of proofs: rules (R), (C), (S), (B) and (D) on whole numbers.";
  nb::class_<Proof>(module, "Proof", "The closed prefixes of a certificate, and their check.")
      .def(nb::new_(&begin_proof), "captures"_a, "costs"_a, "factor"_a, "prices"_a, "target"_a,
           "longest"_a, "limited"_a, "labels"_a, "required"_a, "forbidden"_a, "first"_a,
           "format"_a = 1, "order"_a = Antecedents{}, "counting"_a = "",
           "Take the problem. OverflowError: the numbers are too large for the fast checker.")
      .def("read", &read_block, "block"_a, "Read an unpacked block. ValueError: it is damaged.")
      .def("check", &check_proof, "n_jobs"_a, "watch"_a.none(),
           "Check what was read: None, or why it is no proof, the prefix, antecedent, objective.")
      .def_prop_ro("n_closed", &Proof::n_closed, "Prefixes that were read.")
      .def_prop_ro("n_states", &Proof::n_states, "Different states among them.");
}
