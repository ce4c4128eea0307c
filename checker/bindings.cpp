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

#include "cut_proof.hpp"
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

// Whether Ctrl-C was pressed, or `watch`, which is told how much is done, raised something.
bool interrupted(const nb::object& watch, std::size_t done) {
  const nb::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) return true;
  if (watch.is_none()) return false;
  PyObject* answer = PyObject_CallFunction(watch.ptr(), "n", static_cast<Py_ssize_t>(done));
  Py_XDECREF(answer);
  return answer == nullptr;
}

using Found = std::tuple<std::string, Antecedents, std::size_t, Number>;

// Ctrl-C, or what `watch` raises, ends the check and is raised from here.
std::optional<Found> check_proof(Proof& proof, std::size_t n_jobs, const nb::object& watch) {
  Proof::Outcome outcome;
  bool raised = false;
  const auto ask = [&](std::size_t done) {
    raised = interrupted(watch, done);
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

using Keys = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Codes = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Array>
auto values(const Array& array) {
  using Value = std::remove_const_t<typename Array::Scalar>;
  return std::vector<Value>(array.data(), array.data() + array.size());
}

std::unique_ptr<CutProof> begin_cut_proof(const Keys& keys, std::vector<std::int32_t> n_cuts,
                                          std::vector<std::uint32_t> last, const Codes& classes,
                                          std::size_t n_classes, const Numbers& weights,
                                          const Codes& groups, Number unit, Number price,
                                          const nb::bytes& proof) {
  CutRows rows{keys.shape(1),
               n_classes,
               {},
               std::move(n_cuts),
               values(classes),
               values(weights),
               values(groups),
               std::move(last),
               unit,
               price};
  if (keys.shape(0) != rows.n_cuts.size() || rows.classes.size() != rows.n_rows ||
      rows.weights.size() != rows.n_rows || rows.groups.size() != rows.n_rows) {
    throw std::invalid_argument("keys, classes, weights and groups are not of the same rows");
  }
  for (std::size_t chain = 0; chain < keys.shape(0); ++chain) {
    const std::int32_t* const own = keys.data() + chain * rows.n_rows;
    rows.keys.emplace_back(own, own + rows.n_rows);
  }
  return make_cut_proof(std::move(rows), {proof.c_str(), proof.size()});
}

// Ctrl-C, or what `watch` raises, ends the check and is raised from here.
Number check_cut_proof(CutProof& proof, std::size_t n_rules, const nb::object& watch) {
  try {
    const nb::gil_scoped_release release;
    return proof.check(n_rules, [&](std::size_t done) { return !interrupted(watch, done); });
  } catch (const CutCheckStopped&) {
    throw nb::python_error();
  }
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
  nb::class_<CutProof>(module, "CutProof", "A proof over all cuts of columns, and its check.")
      .def(nb::new_(&begin_cut_proof), "keys"_a, "n_cuts"_a, "last"_a, "classes"_a, "n_classes"_a,
           "weights"_a, "groups"_a, "unit"_a, "price"_a, "proof"_a,
           "Take rows of one class each, what rules and losses cost, and the proof.")
      .def("check", &check_cut_proof, "n_rules"_a, "watch"_a.none(),
           "What lists of so many rules cost at least. ValueError: the proof is damaged.")
      .def_ro("n_states", &CutProof::n_states, "States that were checked.")
      .def_ro("n_solved", &CutProof::n_solved, "Cuts that the proof names.")
      .def_ro("n_cuts", &CutProof::n_cuts, "Cuts that these were extended to.");
}
