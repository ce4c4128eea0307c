// The class ListCounter: how many lists are within a threshold, and any of them by its number.
#include "near_optimal/list_counter.hpp"

#include "bindings/keywords.hpp"
#include "bindings/module.hpp"
#include "bindings/numbers.hpp"
#include "bindings/search_options.hpp"
#include "bindings/stopper.hpp"
#include "near_optimal/orders.hpp"

namespace surelist::bindings {

namespace {

constexpr std::size_t kDefaultMemory = std::size_t{1} << 30;

// "complete" and the number of lists, or what stopped it and None.
nb::tuple count_lists(ListCounter& counter, const std::string& threshold,
                      const nb::kwargs& keywords) {
  Keywords given(keywords);
  const std::size_t bytes = given.optional<std::size_t>("memory_limit").value_or(kDefaultMemory);
  Stopper stopper(given.optional<double>("seconds"), given.optional<std::uint64_t>("work_limit"));
  given.check_all_read();
  const Objective most = parse_objective(threshold);
  std::optional<Tally> found;
  {
    nb::gil_scoped_release release;
    found = counter.count(most, bytes, [&](std::uint64_t w) { return stopper(w); });
  }
  if (!found) return nb::make_tuple(stopper.reason(), nb::none());
  return nb::make_tuple("complete", big(static_cast<Wide>(*found)));
}

struct Read {
  std::vector<LabelledRule> rules;
  Label default_label = 0;
  Weight loss = 0;
  std::uint64_t n_orders = 0;
};

nb::list as_list(const std::vector<Read>& lists) {
  nb::list result;
  for (const Read& each : lists) {
    nb::list rules;
    for (const LabelledRule& rule : each.rules) {
      rules.append(nb::make_tuple(rule.antecedent, rule.label));
    }
    result.append(nb::make_tuple(rules, each.default_label, each.loss, each.n_orders));
  }
  return result;
}

// Lists from a number on, as rules, default label, loss and orders. With `first_orders`, of the
// orders of one entry only the first is handed over.
nb::list read_lists(ListCounter& counter, const std::string& start, std::uint64_t n,
                    bool first_orders) {
  const auto from = static_cast<Tally>(parse_whole(start, "the number of a list"));
  std::vector<Read> lists;
  Stopper stopper(std::nullopt, std::nullopt);
  bool complete = false;
  {
    nb::gil_scoped_release release;
    Orders orders(*counter.context().problem, counter.context().constraints());
    const auto take = [&](std::span<const LabelledRule> rules, Label rest, Weight loss) {
      const Orders::Found found = orders.of(rules, rest);
      if (first_orders && !found.is_first) return;
      lists.push_back({{rules.begin(), rules.end()}, rest, loss, found.n_orders});
    };
    complete = counter.read(from, n, take, [&](std::uint64_t w) { return stopper(w); });
  }
  if (!complete) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    nb::raise_python_error();
  }
  return as_list(lists);
}

// How many entries there are: lists that are the first order of their rules.
std::optional<std::uint64_t> count_entries(ListCounter& counter, std::optional<double> seconds) {
  Stopper stopper(seconds, std::nullopt);
  nb::gil_scoped_release release;
  Orders orders(*counter.context().problem, counter.context().constraints());
  std::uint64_t n = 0;
  const auto take = [&](std::span<const LabelledRule> rules, Label rest, Weight) {
    n += orders.of(rules, rest).is_first ? 1 : 0;
  };
  const std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  if (!counter.read(0, all, take, [&](std::uint64_t w) { return stopper(w); })) return std::nullopt;
  return n;
}

}  // namespace

void bind_list_counter(nb::module_& m) {
  nb::class_<ListCounter>(m, "ListCounter")
      .def(
          "__init__",
          [](ListCounter* self, std::shared_ptr<Problem> problem, const std::string& regularization,
             const nb::kwargs& keywords) {
            new (self)
                ListCounter(std::move(problem), read_search_options(regularization, keywords));
          },
          "problem"_a, "regularization"_a, "options"_a, nb::sig(kListsSignature))
      .def("count", &count_lists, "threshold"_a, "options"_a,
           nb::sig("def count(self, threshold: str, *, memory_limit: int | None = None, "
                   "seconds: float | None = None, work_limit: int | None = None) "
                   "-> tuple[str, int | None]"))
      .def("read", &read_lists, "start"_a, "n"_a, "first_orders"_a,
           nb::sig("def read(self, start: str, n: int, first_orders: bool) "
                   "-> list[tuple[list[tuple[int, int]], int, int, int]]"))
      .def("count_entries", &count_entries, "seconds"_a.none(),
           nb::sig("def count_entries(self, seconds: float | None) -> int | None"))
      .def_prop_ro("scale", [](const ListCounter& c) { return big(c.context().scale.scale()); })
      .def_prop_ro("n_states", &ListCounter::n_states)
      .def_prop_ro("nbytes", &ListCounter::nbytes)
      .def_prop_ro("work", &ListCounter::work);
}

}  // namespace surelist::bindings
