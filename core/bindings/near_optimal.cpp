// The class NearOptimal: every list within a threshold, as arrays with a row for each list.
#include "near_optimal/near_optimal.hpp"

#include "bindings/keywords.hpp"
#include "bindings/module.hpp"
#include "bindings/numbers.hpp"
#include "bindings/search_options.hpp"
#include "bindings/stopper.hpp"

namespace surelist::bindings {

namespace {

// For lists and tables where the caller names no limit.
constexpr std::size_t kDefaultMemory = std::size_t{2} << 30;

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
  Keywords given(keywords);
  const StoreLimits limits{
      .lists = given.optional<std::size_t>("most_lists"),
      .bytes = given.optional<std::size_t>("memory_limit").value_or(kDefaultMemory)};
  Stopper stopper(given.optional<double>("seconds"), given.optional<std::uint64_t>("work_limit"));
  given.check_all_read();
  const Objective most = parse_objective(threshold);
  nb::gil_scoped_release release;
  const bool complete = search.run(most, limits, [&](std::uint64_t w) { return stopper(w); });
  return complete ? "complete" : stopper.reason();
}

}  // namespace

void bind_near_optimal(nb::module_& m) {
  nb::class_<NearOptimal>(m, "NearOptimal")
      .def(
          "__init__",
          [](NearOptimal* self, std::shared_ptr<Problem> problem, const std::string& regularization,
             const nb::kwargs& keywords) {
            SearchOptions options = read_search_options(regularization, keywords);
            if (problem->n_classes() > std::numeric_limits<std::uint16_t>::max()) {
              throw InputError("there are too many classes for the set of all good lists");
            }
            new (self) NearOptimal(std::move(problem), std::move(options));
          },
          "problem"_a, "regularization"_a, "options"_a, nb::sig(kListsSignature))
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
