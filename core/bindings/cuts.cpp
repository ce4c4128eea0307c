// The class CutSearch: chains of cuts in, a list and its proof out.
#include <array>

#include "bindings/arrays.hpp"
#include "bindings/keywords.hpp"
#include "bindings/module.hpp"
#include "bindings/numbers.hpp"
#include "cuts/search.hpp"

namespace surelist::bindings {

namespace {

using cuts::CutSearch;
using Keys = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

constexpr std::array<std::string_view, 5> kEndings = {"optimal", "work_limit", "time_limit",
                                                      "memory_limit", "interrupted"};

cuts::Table table_of(const std::vector<Keys>& keys, const std::vector<cuts::Key>& n_cuts,
                     const Labels& labels, const Weights& weights, std::size_t n_classes) {
  std::vector<Label> codes;
  for (std::size_t row = 0; row < labels.shape(0); ++row) {
    codes.push_back(static_cast<Label>(labels.data()[row]));
  }
  std::vector<std::vector<cuts::Key>> chains;
  for (const Keys& chain : keys) chains.emplace_back(chain.data(), chain.data() + chain.shape(0));
  nb::gil_scoped_release release;
  return cuts::make_table(n_classes, codes, {weights.data(), weights.shape(0)}, std::move(chains),
                          n_cuts);
}

nb::list asked(const std::vector<std::vector<cuts::Cut>>& rules) {
  nb::list found;
  for (const std::vector<cuts::Cut>& rule : rules) {
    nb::list cuts;
    for (const cuts::Cut& cut : rule) cuts.append(nb::make_tuple(cut.chain, cut.cut));
    found.append(nb::tuple(cuts));
  }
  return found;
}

nb::dict event_of(const cuts::Found& found, const cuts::Watch& watch) {
  nb::dict event;
  event["rules"] = asked(found.rules);
  event["objective"] = found.objective;
  event["lower_bound"] = found.lower_bound;
  event["proven_length"] = found.proven_length;
  event["work"] = watch.work();
  event["memory"] = watch.memory();
  event["time"] = watch.seconds();
  return event;
}

// Runs without the interpreter's lock, taking it ten times a second to check for Ctrl-C.
std::string run(CutSearch& search, const nb::object& progress, std::optional<std::uint64_t> work,
                std::optional<double> seconds, std::optional<std::size_t> memory) {
  const auto report = [&](const cuts::Found& found, const cuts::Watch& watch) {
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) {
      if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) nb::raise_python_error();
      PyErr_Clear();
      return true;
    }
    if (progress.is_none()) return false;
    try {
      progress(event_of(found, watch));
    } catch (nb::python_error& error) {
      if (!error.matches(PyExc_KeyboardInterrupt)) throw;
      return true;
    }
    return false;
  };
  {
    nb::gil_scoped_release release;
    search.run({.work = work, .seconds = seconds, .memory = memory}, report);
  }
  return std::string(kEndings[static_cast<std::size_t>(search.ending())]);
}

}  // namespace

void bind_cuts(nb::module_& m) {
  nb::class_<CutSearch>(m, "CutSearch")
      .def(
          "__init__",
          [](CutSearch* self, const std::vector<Keys>& keys, const std::vector<cuts::Key>& n_cuts,
             const Labels& labels, const Weights& weights, std::size_t n_classes,
             const std::string& regularization, std::optional<Length> max_length, bool logging,
             const std::string& kernels, const Pairs& pairs) {
            std::vector<cuts::Family> families;
            for (const auto& [one, other] : pairs) families.push_back({one, other});
            new (self) CutSearch(table_of(keys, n_cuts, labels, weights, n_classes),
                                 {.regularization = Regularization::parse(regularization),
                                  .max_length = max_length,
                                  .logging = logging,
                                  .families = std::move(families),
                                  .kernels = kernels});
          },
          "keys"_a, "n_cuts"_a, "labels"_a, "weights"_a, "n_classes"_a, "regularization"_a,
          nb::kw_only(), "max_length"_a = nb::none(), "logging"_a = false, "kernels"_a = "auto",
          "pairs"_a = Pairs())
      .def("run", &run, "progress"_a = nb::none(), "work"_a = nb::none(), "seconds"_a = nb::none(),
           "memory"_a = nb::none(),
           nb::sig(
               "def run(self, progress: collections.abc.Callable[[dict[str, typing.Any]], object] "
               "| None = None, work: int | None = None, seconds: float | None = None, "
               "memory: int | None = None) -> str"))
      .def(
          "found", [](const CutSearch& search) { return event_of(search.found(), search.watch()); },
          nb::sig("def found(self) -> dict[str, typing.Any]"))
      .def_prop_ro("proof",
                   [](const CutSearch& search) {
                     const cuts::Bytes& proof = search.proof();
                     return nb::bytes(reinterpret_cast<const char*>(proof.data()), proof.size());
                   })
      .def_prop_ro("proof_length", &CutSearch::proof_length)
      .def_prop_ro("scale", [](const CutSearch& search) { return big(search.scale()); })
      .def_prop_ro("n_groups", [](const CutSearch& search) { return search.table().n_groups; });
}

}  // namespace surelist::bindings
