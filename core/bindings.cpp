// The Python module: arrays in, plain values out, the interpreter's lock released while the engine
// works. There is no logic here.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <set>

#include "base/bits.hpp"
#include "mining/mine.hpp"
#include "prune/remaining.hpp"
#include "search/search.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace surelist;

void bind_fair_search(nb::module_& m);  // fair_bindings.cpp

namespace {

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::device::cpu>;
using Labels = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <std::size_t N>
std::vector<std::string> listed(const std::array<std::string_view, N>& names) {
  return {names.begin(), names.end()};
}

template <class Enum, std::size_t N>
Enum named(const std::array<std::string_view, N>& names, const std::string& name,
           const char* what) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  throw InputError(std::string("there is no ") + what + " named '" + name + "'");
}

// Keyword arguments of a call, read by name into the fields of an options struct: a C++ function
// with twenty positional parameters would be easy to call wrongly. `check_all_read` plays the part
// of Python's own check for names that do not exist.
class Keywords {
 public:
  explicit Keywords(const nb::kwargs& given) : given_(given) {}

  template <class T>
  T get(const char* name, T otherwise) {
    return read<T>(name).value_or(std::move(otherwise));
  }
  template <class T>
  T required(const char* name) {
    if (std::optional<T> value = read<T>(name)) return *std::move(value);
    throw nb::type_error((std::string("missing keyword argument '") + name + "'").c_str());
  }
  // Nothing where the argument is None, or was not given.
  template <class T>
  std::optional<T> optional(const char* name) {
    return get<std::optional<T>>(name, std::nullopt);
  }
  void check_all_read() const {
    if (n_read_ == given_.size()) return;
    for (const auto [name, value] : given_) {
      if (!names_.contains(nb::cast<std::string>(name))) {
        throw nb::type_error(
            ("unexpected keyword argument '" + nb::cast<std::string>(name) + "'").c_str());
      }
    }
  }

 private:
  template <class T>
  std::optional<T> read(const char* name) {
    names_.insert(name);
    if (!given_.contains(name)) return std::nullopt;
    ++n_read_;
    T value{};
    if (!nb::try_cast<T>(given_[name], value)) {
      throw nb::type_error((std::string("argument '") + name + "' has the wrong type").c_str());
    }
    return value;
  }

  const nb::kwargs& given_;
  std::set<std::string> names_;
  std::size_t n_read_ = 0;
};

nb::int_ big(Wide value) {
  return nb::steal<nb::int_>(PyLong_FromString(to_text(value).c_str(), nullptr, 10));
}

Patterns collapse_arrays(const Bytes& matrix, const Labels& labels,
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

template <class T>
nb::ndarray<nb::numpy, T, nb::ndim<2>> array_of(std::span<const T> values, std::size_t n_rows,
                                                std::size_t n_columns) {
  auto* copy = new std::vector<T>(values.begin(), values.end());
  const nb::capsule owner(copy, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return {copy->data(), {n_rows, n_columns}, owner};
}

// By group and antecedent, a byte each.
nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<2>> captures_of(const Problem& problem) {
  const std::size_t n_antecedents = problem.n_antecedents();
  std::vector<std::uint8_t> bytes(problem.n_groups() * n_antecedents, 0);
  for (Antecedent s = 0; s < n_antecedents; ++s) {
    bits::for_each(problem.captured(s), problem.group_words(),
                   [&](std::size_t g) { bytes[g * n_antecedents + s] = 1; });
  }
  return array_of<std::uint8_t>(bytes, problem.n_groups(), n_antecedents);
}

struct MinedProblem {
  std::vector<std::vector<Conjunction>> antecedents;
  std::shared_ptr<Problem> problem;
  bool complete;
  std::uint64_t tried;
  Weight feature_floor;
};

using Clock = std::chrono::steady_clock;

// How mining is watched: a time limit, and a Python function to call with the progress (or None).
struct MiningWatch {
  Clock::time_point began;
  std::optional<double> seconds;  // since then
  nb::object progress;
};

MiningOptions read_mining_options(Keywords& given) {
  return {.max_clauses = given.required<std::size_t>("max_clauses"),
          .negations = given.required<bool>("negations"),
          .min_support = given.required<Weight>("min_support"),
          .max_support = given.required<Weight>("max_support"),
          .costs = {.values = given.get<std::vector<Weight>>("costs", {}),
                    .unit = given.get<Weight>("unit", 1)},
          .given = given.get<std::vector<Conjunction>>("given", {}),
          .go_on = {},
          .most_tried = given.optional<std::uint64_t>("most_tried")
                            .value_or(std::numeric_limits<std::uint64_t>::max())};
}

// Mines until it is done, or until the time limit: then with what has been found by then.
MinedProblem mine_watched(const Patterns& patterns, MiningOptions options,
                          const MiningWatch& watch) {
  const bool with_progress = !watch.progress.is_none();
  // Asking the clock is cheap; asking the interpreter for a pending Ctrl-C is not.
  auto next_look = watch.began;
  options.go_on = [&](const MiningProgress& reached) {
    const auto now = Clock::now();
    const bool late =
        watch.seconds && std::chrono::duration<double>(now - watch.began).count() >= *watch.seconds;
    if (now < next_look) return !late;
    next_look = now + std::chrono::milliseconds(50);
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) nb::raise_python_error();
    if (with_progress) watch.progress(reached.tried, reached.antecedents);
    return !late;
  };
  nb::gil_scoped_release release;
  Mined mined = mine(patterns, options);
  return {.antecedents = std::move(mined.antecedents),
          .problem = std::make_shared<Problem>(std::move(mined.problem)),
          .complete = mined.complete,
          .tried = mined.tried,
          .feature_floor = mined.feature_floor};
}

MinedProblem mine_arrays(const Bytes& features, const Labels& labels,
                         const std::optional<Weights>& weights, std::size_t n_classes,
                         const nb::kwargs& keywords) {
  const auto began = Clock::now();
  Keywords given(keywords);
  MiningOptions options = read_mining_options(given);
  const MiningWatch watch{.began = began,
                          .seconds = given.optional<double>("seconds"),
                          .progress = given.get<nb::object>("progress", nb::none())};
  given.check_all_read();
  const Patterns patterns = collapse_arrays(features, labels, weights, n_classes);
  return mine_watched(patterns, std::move(options), watch);
}

// What type checkers see: nanobind knows no more of it than that there are keyword arguments.
constexpr const char* kMineSignature =
    "def mine(features: typing.Annotated[NDArray[numpy.uint8], "
    "dict(shape=(None, None), device='cpu', writable=False)], "
    "labels: typing.Annotated[NDArray[numpy.int32], "
    "dict(shape=(None,), order='C', device='cpu', writable=False)], "
    "weights: typing.Annotated[NDArray[numpy.int64], "
    "dict(shape=(None,), order='C', device='cpu', writable=False)] | None, "
    "n_classes: int, *, max_clauses: int, negations: bool, min_support: int, max_support: int, "
    "costs: collections.abc.Sequence[int] = [], unit: int = 1, "
    "given: collections.abc.Sequence[collections.abc.Sequence[int]] = [], "
    "seconds: float | None = None, most_tried: int | None = None, "
    "progress: object | None = None) -> Mined";

nb::dict pruned(const Counters& counters) {
  nb::dict result;
  for (std::size_t i = 0; i < kBounds; ++i) {
    result[nb::str(kBoundNames[i].data(), kBoundNames[i].size())] = counters.pruned[i];
  }
  result["symmetry"] = counters.pruned_by_symmetry;
  return result;
}

nb::dict counters(const Search& search) {
  const Counters c = search.counters();
  nb::dict result;
  result["expanded"] = c.expanded;
  result["evaluated"] = c.evaluated;
  result["lower_bound_evaluations"] = c.lower_bound_evaluations;
  result["queue_insertions"] = c.queue_insertions;
  result["max_queue"] = c.max_queue;
  result["last_rule_looks"] = c.last_rule_looks;
  result["longest_prefix"] = c.longest_prefix;
  result["at_once"] = c.at_once;
  result["dived"] = c.dived;
  result["improvements"] = c.improvements;
  result["work"] = c.work;
  result["garbage_collected"] = c.garbage_collected;
  result["time"] = c.time;
  result["time_to_optimum"] = c.time_to_optimum;
  result["memory"] = c.memory;
  result["max_memory"] = c.max_memory;
  return result;
}

template <class Value>
nb::list column(const std::vector<Sample>& samples, Value&& value) {
  nb::list list;
  for (const Sample& sample : samples) list.append(value(sample));
  return list;
}

nb::dict trace(const Search& search) {
  const std::vector<Sample> samples = search.trace();
  const auto put = [&](nb::dict& into, const char* name, auto&& value) {
    into[name] = column(samples, value);
  };
  nb::dict result;
  put(result, "time", [](const Sample& s) { return s.counters.time; });
  put(result, "objective", [](const Sample& s) { return s.objective; });
  put(result, "lower_bound", [](const Sample& s) { return s.lower_bound; });
  put(result, "length", [](const Sample& s) { return s.length; });
  put(result, "proven_length", [](const Sample& s) { return s.proven_length; });
  put(result, "expanded", [](const Sample& s) { return s.counters.expanded; });
  put(result, "evaluated", [](const Sample& s) { return s.counters.evaluated; });
  put(result, "insertions", [](const Sample& s) { return s.counters.queue_insertions; });
  put(result, "queue_logical", [](const Sample& s) { return nb::cast(s.queue_logical); });
  put(result, "queue_physical", [](const Sample& s) { return nb::cast(s.queue_physical); });
  put(result, "memory", [](const Sample& s) { return s.counters.memory; });
  put(result, "remaining_fine", [](const Sample& s) { return s.remaining_fine; });
  put(result, "remaining_coarse", [](const Sample& s) { return s.remaining_coarse; });
  put(result, "improved", [](const Sample& s) { return s.improved; });
  put(result, "pruned", [](const Sample& s) { return pruned(s.counters); });
  return result;
}

nb::dict progress_of(const Progress& progress, const Search& search) {
  const RuleListResult best = search.best();
  nb::dict result;
  result["time"] = progress.time;
  result["objective"] = progress.objective;
  result["lower_bound"] = progress.lower_bound;
  result["expanded"] = progress.expanded;
  result["queue"] = progress.queue;
  result["memory"] = progress.memory;
  result["remaining"] = progress.remaining;
  result["proven_length"] = progress.proven_length;
  // Prefix and labels from one call: another thread may find a better list in between.
  result["prefix"] = nb::cast(best.prefix);
  result["labels"] = nb::cast(best.labels);
  result["default_label"] = best.default_label;
  result["queue_by_length"] = nb::cast(progress.queue_by_length);
  result["pruned"] = pruned(search.counters());
  return result;
}

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

SearchOptions read_search_options(const std::string& regularization, Keywords& given) {
  const SearchOptions otherwise;
  return {
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
}

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

void bind_search(nb::module_& m) {
  nb::class_<Search> search(m, "Search");
  bind_exchange(search);
  search
      .def(
          "__init__",
          [](Search* self, std::shared_ptr<Problem> problem, const std::string& regularization,
             const nb::kwargs& keywords) {
            Keywords given(keywords);
            SearchOptions options = read_search_options(regularization, given);
            given.check_all_read();
            new (self) Search(std::move(problem), std::move(options));
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
      .def_prop_ro("scale", [](const Search& s) { return big(s.scale().scale()); })
      .def_prop_ro("counters", &counters,
                   nb::for_getter(nb::sig("def counters(self) -> dict[str, typing.Any]")))
      .def_prop_ro(
          "pruned", [](const Search& s) { return pruned(s.counters()); },
          nb::for_getter(nb::sig("def pruned(self) -> dict[str, int]")))
      .def_prop_ro("trace", &trace,
                   nb::for_getter(nb::sig("def trace(self) -> dict[str, list[typing.Any]]")));
}

void bind_problem(nb::module_& m) {
  nb::class_<Problem>(m, "Problem")
      .def(
          "__init__",
          [](Problem* self, const Bytes& captures, const Labels& labels,
             const std::optional<Weights>& weights, std::size_t n_classes,
             const std::vector<Weight>& costs, Weight unit) {
            new (self)
                Problem(collapse_arrays(captures, labels, weights, n_classes), {costs, unit});
          },
          "captures"_a, "labels"_a, "weights"_a.none(), "n_classes"_a, nb::kw_only(),
          "costs"_a = std::vector<Weight>{}, "unit"_a = 1)
      .def_prop_ro("n_rows", &Problem::n_rows)
      .def_prop_ro("n_groups", &Problem::n_groups)
      .def_prop_ro("n_antecedents", &Problem::n_antecedents)
      .def_prop_ro("n_classes", &Problem::n_classes)
      .def_prop_ro("total_weight", &Problem::total_weight)
      .def_prop_ro("minority_weight", &Problem::minority_weight)
      .def_prop_ro("class_weights",
                   [](const Problem& p) {
                     return std::vector<Weight>(p.class_weights().begin(), p.class_weights().end());
                   })
      .def_prop_ro("nbytes", &Problem::nbytes)
      .def_prop_ro("captures", &captures_of, nb::rv_policy::move)
      .def_prop_ro(
          "group_weights",
          [](const Problem& p) { return array_of(p.group_weights(), p.n_groups(), p.n_classes()); },
          nb::rv_policy::move)
      .def_prop_ro("costs", [](const Problem& p) { return p.costs().values; })
      .def_prop_ro("unit", [](const Problem& p) { return p.costs().unit; });

  nb::class_<MinedProblem>(m, "Mined")
      .def_ro("antecedents", &MinedProblem::antecedents)
      .def_ro("problem", &MinedProblem::problem)
      .def_ro("complete", &MinedProblem::complete)
      .def_ro("tried", &MinedProblem::tried)
      .def_ro("feature_floor", &MinedProblem::feature_floor);

  m.def("mine", &mine_arrays, "features"_a, "labels"_a, "weights"_a.none(), "n_classes"_a,
        "options"_a, nb::sig(kMineSignature));
}

}  // namespace

NB_MODULE(_core, m) {
  // At exit, nanobind would print a warning if something still holds one of our objects. A library
  // must not print.
  nb::set_leak_warnings(false);
  nb::exception<InputError>(m, "InputError", PyExc_ValueError);

  bind_problem(m);
  m.def("bound_names", [] { return listed(kBoundNames); });
  m.def("policy_names", [] { return listed(kPolicyNames); });
  m.def("symmetry_names", [] { return listed(kSymmetryNames); });
  m.def(
      "total_prefix_evaluations",
      [](std::size_t n_antecedents, const std::string& regularization, std::size_t n_classes,
         bool symmetry_aware) {
        return total_evaluations(Regularization::parse(regularization), n_antecedents, n_classes,
                                 symmetry_aware);
      },
      "n_antecedents"_a, "regularization"_a, "n_classes"_a = 2, "symmetry_aware"_a = false);

  bind_search(m);
  bind_fair_search(m);
}
