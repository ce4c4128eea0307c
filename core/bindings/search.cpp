// The class Search: its options by keyword, its run, its results, and what searches on several
// machines exchange.
#include "search/search.hpp"

#include "bindings/keywords.hpp"
#include "bindings/module.hpp"
#include "bindings/numbers.hpp"
#include "bindings/reports.hpp"
#include "bindings/search_options.hpp"

namespace surelist::bindings {

namespace {

// Runs without the interpreter's lock, taking it about every twentieth of a second to check for
// Ctrl-C. KeyboardInterrupt becomes the status "interrupted"; any other exception is raised.
std::string run(Search& search, const nb::object& progress, std::optional<double> pause_seconds,
                std::optional<std::uint64_t> pause_prefixes,
                std::optional<std::uint64_t> pause_work) {
  const auto watch = [&](const Progress* reached) {
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) {
      if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) nb::raise_python_error();
      PyErr_Clear();
      search.interrupt();
    } else if (reached != nullptr) {
      try {
        progress(progress_of(*reached, search));
      } catch (nb::python_error& error) {
        if (!error.matches(PyExc_KeyboardInterrupt)) throw;
        search.interrupt();
      }
    }
  };
  const bool with_progress = !progress.is_none();
  nb::gil_scoped_release release;
  const Status status = search.run(
      {.watch = watch,
       .with_progress = with_progress,
       .pause = {.seconds = pause_seconds, .prefixes = pause_prefixes, .work = pause_work}});
  return std::string(kStatusNames[static_cast<std::size_t>(status)]);
}

nb::bytes as_bytes(std::string_view text) { return nb::bytes(text.data(), text.size()); }
std::string_view as_view(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

// What searches on several machines exchange: loans, reports and snapshots.
void bind_exchange(nb::class_<Search>& search) {
  search.def("offer", &Search::offer, "prefix"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("n_open", &Search::n_open)
      .def("save", [](const Search& s) { return as_bytes(s.save()); })
      .def(
          "restore", [](Search& s, const nb::bytes& state) { s.restore(as_view(state)); },
          "state"_a)
      .def(
          "lend",
          [](Search& s, std::size_t most) {
            const Search::Loan loan = s.lend(most);
            return nb::make_tuple(loan.ticket, loan.size, as_bytes(loan.prefixes));
          },
          "most"_a, nb::sig("def lend(self, most: int) -> tuple[int, int, bytes]"))
      .def(
          "begin_with", [](Search& s, const nb::bytes& p) { s.begin_with(as_view(p)); },
          "prefixes"_a)
      .def("report", [](const Search& s) { return as_bytes(s.report()); })
      .def(
          "settle",
          [](Search& s, std::uint64_t ticket, const nb::bytes& report, const nb::bytes& closed) {
            const std::string_view told = as_view(report);
            const std::string_view log = as_view(closed);
            nb::gil_scoped_release release;
            s.settle(ticket, told, log);
          },
          "ticket"_a, "report"_a, "closed"_a)
      .def("reclaim", &Search::reclaim, "ticket"_a)
      .def("reclaim_all", &Search::reclaim_all)
      .def("pass_time", &Search::pass_time, "now"_a);
}

Constraints read_constraints(Keywords& given) {
  using Prices = std::vector<Weight>;
  return {.surcharges = given.optional<std::vector<Weight>>("surcharges").value_or(Prices{}),
          .rule_label = given.optional<Label>("rule_label"),
          .first = given.get<Prefix>("first", {}),
          .required = given.get<Prefix>("required", {}),
          .forbidden = given.get<Prefix>("forbidden", {})};
}

}  // namespace

SearchOptions read_search_options(const std::string& regularization, const nb::kwargs& keywords) {
  Keywords given(keywords);
  const SearchOptions otherwise;
  SearchOptions options{
      .regularization = Regularization::parse(regularization),
      .policy =
          named<Policy>(kPolicyNames, given.get<std::string>("policy", "lower_bound"), "policy"),
      .symmetry = named<Symmetry>(kSymmetryNames, given.get<std::string>("symmetry", "captured"),
                                  "symmetry"),
      .bounds = BoundSet::named(given.get("bounds", listed(kBoundNames))),
      .max_length = given.optional<Length>("max_length"),
      .constraints = read_constraints(given),
      .initial_rule_list = given.optional<Prefix>("initial_rule_list"),
      .time_limit = given.optional<double>("time_limit"),
      .memory_limit = given.optional<std::size_t>("memory_limit"),
      .max_prefixes = given.optional<std::uint64_t>("max_prefixes"),
      .work_limit = given.optional<std::uint64_t>("work_limit"),
      .by_length = given.get("by_length", otherwise.by_length),
      .without_tree = given.get("without_tree", otherwise.without_tree),
      .rival = std::nullopt,
      .beam_width = given.get("beam_width", otherwise.beam_width),
      .n_jobs = given.get("n_jobs", otherwise.n_jobs),
      .trace_interval = given.optional<double>("trace_interval"),
      .random_state = given.get("random_state", otherwise.random_state),
      .kernels = given.get("kernels", otherwise.kernels),
      .closed_log = given.optional<std::string>("closed_log"),
  };
  given.check_all_read();
  return options;
}

namespace {

constexpr const char* kSearchSignature =
    "def __init__(self, problem: Problem, regularization: str, *, policy: str = 'lower_bound', "
    "symmetry: str = 'captured', bounds: collections.abc.Sequence[str] = ..., "
    "max_length: int | None = None, "
    "initial_rule_list: collections.abc.Sequence[int] | None = None, "
    "time_limit: float | None = None, memory_limit: int | None = None, "
    "max_prefixes: int | None = None, work_limit: int | None = None, by_length: bool = False, "
    "without_tree: bool = False, beam_width: int = 100, n_jobs: int = 1, "
    "trace_interval: float | None = None, random_state: int = 0, kernels: str = 'auto', "
    "surcharges: collections.abc.Sequence[int] | None = None, rule_label: int | None = None, "
    "first: collections.abc.Sequence[int] = [], required: collections.abc.Sequence[int] = [], "
    "forbidden: collections.abc.Sequence[int] = [], closed_log: str | None = None) -> None";

}  // namespace

void bind_search(nb::module_& m) {
  nb::class_<Search> search(m, "Search");
  bind_exchange(search);
  search
      .def(
          "__init__",
          [](Search* self, std::shared_ptr<Problem> problem, const std::string& regularization,
             const nb::kwargs& keywords) {
            new (self) Search(std::move(problem), read_search_options(regularization, keywords));
          },
          "problem"_a, "regularization"_a, "options"_a, nb::sig(kSearchSignature))
      .def("run", &run, "progress"_a = nb::none(), "pause_seconds"_a = nb::none(),
           "pause_prefixes"_a = nb::none(), "pause_work"_a = nb::none(),
           nb::sig(
               "def run(self, progress: collections.abc.Callable[[dict[str, typing.Any]], object] "
               "| None = None, pause_seconds: float | None = None, "
               "pause_prefixes: int | None = None, pause_work: int | None = None) -> str"))
      .def("interrupt", &Search::interrupt)
      .def_prop_ro("status",
                   [](const Search& s) {
                     return std::string(kStatusNames[static_cast<std::size_t>(s.status())]);
                   })
      .def_prop_ro("prefix", [](const Search& s) { return s.best().prefix; })
      .def_prop_ro("labels", [](const Search& s) { return s.best().labels; })
      .def_prop_ro("default_label", [](const Search& s) { return s.best().default_label; })
      .def_prop_ro("loss", [](const Search& s) { return s.best().loss; })
      .def_prop_ro("objective", [](const Search& s) { return big(s.objective().value); })
      .def_prop_ro("lower_bound", [](const Search& s) { return big(s.lower_bound().value); })
      .def_prop_ro("proven_length", &Search::proven_length)
      .def_prop_ro("length_proof",
                   [](const Search& s) -> std::optional<std::pair<Length, nb::int_>> {
                     const std::optional<Search::LengthProof> proof = s.length_proof();
                     if (!proof) return std::nullopt;
                     return std::pair(proof->length, big(proof->lower_bound.value));
                   })
      .def_prop_ro("order", &Search::order,
                   "Antecedents by rank: the order of rules with one label.")
      .def_prop_ro("scale", [](const Search& s) { return big(s.scale().scale()); })
      .def_prop_ro("counters", &counters,
                   nb::for_getter(nb::sig("def counters(self) -> dict[str, typing.Any]")))
      .def_prop_ro(
          "pruned", [](const Search& s) { return pruned(s.counters()); },
          nb::for_getter(nb::sig("def pruned(self) -> dict[str, int]")))
      .def_prop_ro("trace", &trace,
                   nb::for_getter(nb::sig("def trace(self) -> dict[str, list[typing.Any]]")));
}

}  // namespace surelist::bindings
