// The class NearOptimal: every list within a threshold, as arrays with a row for each list.
#include "near_optimal/near_optimal.hpp"

#include <chrono>

#include "bindings/keywords.hpp"
#include "bindings/module.hpp"
#include "bindings/numbers.hpp"
#include "bindings/search_options.hpp"

namespace surelist::bindings {

namespace {

using Clock = std::chrono::steady_clock;

// An exact objective from its decimal digits.
Objective parse_objective(const std::string& digits) {
  Objective result;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9' || result.value > (Wide{1} << 120)) {
      throw InputError("the threshold is no objective");
    }
    result.value = 10 * result.value + (digit - '0');
  }
  return result;
}

template <class T, class Value>
nb::ndarray<nb::numpy, T, nb::ndim<2>> rows_of(const ListStore& lists, std::size_t n_columns,
                                               Value&& value) {
  auto* rows = new std::vector<T>(lists.size() * n_columns);
  const nb::capsule owner(rows, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  for (std::size_t i = 0; i < lists.size(); ++i) value(i, rows->data() + i * n_columns);
  return {rows->data(), {lists.size(), n_columns}, owner};
}

nb::dict arrays_of(const NearOptimal& search) {
  nb::dict result;
  if (search.lists() == nullptr) return result;
  const ListStore& lists = *search.lists();
  const std::size_t width = lists.longest();
  using Signed = std::int64_t;
  result["prefixes"] = rows_of<std::int32_t>(lists, width, [&](std::size_t i, std::int32_t* row) {
    std::fill(row, row + width, -1);
    for (const LabelledRule& rule : lists.rules(lists.list(i))) {
      *row++ = static_cast<std::int32_t>(rule.antecedent);
    }
  });
  result["labels"] = rows_of<std::uint16_t>(lists, width + 1, [&](std::size_t i, auto* row) {
    const FoundList& list = lists.list(i);
    std::fill(row, row + width + 1, static_cast<std::uint16_t>(list.default_label));
    for (const LabelledRule& rule : lists.rules(list)) {
      *row++ = static_cast<std::uint16_t>(rule.label);
    }
  });
  result["numbers"] = rows_of<Signed>(lists, 3, [&](std::size_t i, Signed* row) {
    row[0] = lists.list(i).loss;
    row[1] = static_cast<Signed>(lists.list(i).n_orders);
    row[2] = lists.first_alike()[i];
  });
  result["threshold"] = big(lists.threshold().value);
  result["n_orders"] = lists.n_orders();
  return result;
}

// Runs without the interpreter's lock. Returns "complete", or what stopped it.
std::string run_near_optimal(NearOptimal& search, const std::string& threshold,
                             const nb::kwargs& keywords) {
  const auto began = Clock::now();
  Keywords given(keywords);
  const StoreLimits limits{.lists = given.optional<std::size_t>("most_lists"),
                           .bytes = given.optional<std::size_t>("memory_limit")};
  const auto seconds = given.optional<double>("seconds");
  const auto most_work = given.optional<std::uint64_t>("work_limit");
  given.check_all_read();
  std::string stopped = "complete";
  auto next_look = began;
  const NearOptimal::GoOn go_on = [&](std::uint64_t work) {
    const auto now = Clock::now();
    if (most_work && work >= *most_work) stopped = "work_limit";
    if (seconds && std::chrono::duration<double>(now - began).count() >= *seconds) {
      stopped = "time_limit";
    }
    if (now < next_look) return stopped == "complete";
    next_look = now + std::chrono::milliseconds(50);
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) {
      if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) nb::raise_python_error();
      PyErr_Clear();
      stopped = "interrupted";
    }
    return stopped == "complete";
  };
  const Objective most = parse_objective(threshold);
  nb::gil_scoped_release release;
  return search.run(most, limits, go_on) ? "complete" : stopped;
}

constexpr const char* kNearOptimalSignature =
    "def __init__(self, problem: Problem, regularization: str, *, symmetry: str = 'captured', "
    "bounds: collections.abc.Sequence[str] = ..., max_length: int | None = None, "
    "kernels: str = 'auto', surcharges: collections.abc.Sequence[int] | None = None, "
    "rule_label: int | None = None, first: collections.abc.Sequence[int] = [], "
    "required: collections.abc.Sequence[int] = [], "
    "forbidden: collections.abc.Sequence[int] = []) -> None";

}  // namespace

void bind_near_optimal(nb::module_& m) {
  nb::class_<NearOptimal>(m, "NearOptimal")
      .def(
          "__init__",
          [](NearOptimal* self, std::shared_ptr<Problem> problem, const std::string& regularization,
             const nb::kwargs& keywords) {
            Keywords given(keywords);
            SearchOptions options = read_search_options(regularization, given);
            given.check_all_read();
            if (problem->n_classes() > std::numeric_limits<std::uint16_t>::max()) {
              throw InputError("there are too many classes for the set of all good lists");
            }
            new (self) NearOptimal(std::move(problem), std::move(options));
          },
          "problem"_a, "regularization"_a, "options"_a, nb::sig(kNearOptimalSignature))
      .def("run", &run_near_optimal, "threshold"_a, "options"_a,
           nb::sig("def run(self, threshold: str, *, most_lists: int | None = None, "
                   "memory_limit: int | None = None, seconds: float | None = None, "
                   "work_limit: int | None = None) -> str"))
      .def_prop_ro("lists", &arrays_of,
                   nb::for_getter(nb::sig("def lists(self) -> dict[str, typing.Any]")))
      .def("forget", &NearOptimal::forget)
      .def_prop_ro("scale", [](const NearOptimal& s) { return big(s.context().scale.scale()); })
      .def_prop_ro("n_expanded", &NearOptimal::n_expanded)
      .def_prop_ro("work", &NearOptimal::work);
}

}  // namespace surelist::bindings
