// The function mine, and the class of its results.
#include <chrono>

#include "bindings/arrays.hpp"
#include "bindings/keywords.hpp"
#include "bindings/module.hpp"
#include "mining/mine.hpp"

namespace surelist::bindings {

namespace {

struct MinedProblem {
  std::vector<std::vector<Conjunction>> antecedents;
  std::shared_ptr<Problem> problem;
  bool complete;
  std::uint64_t tried;
  Weight feature_floor;
};

// All of them become Python objects where the antecedents are read.
std::size_t count_names(const MinedProblem& mined) {
  std::size_t n = 0;
  for (const std::vector<Conjunction>& names : mined.antecedents) n += names.size();
  return n;
}

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

}  // namespace

void bind_mining(nb::module_& m) {
  nb::class_<MinedProblem>(m, "Mined")
      .def_ro("antecedents", &MinedProblem::antecedents)
      .def_prop_ro("n_antecedents",
                   [](const MinedProblem& self) { return self.antecedents.size(); })
      .def_prop_ro("n_names", &count_names)
      .def_ro("problem", &MinedProblem::problem)
      .def_ro("complete", &MinedProblem::complete)
      .def_ro("tried", &MinedProblem::tried)
      .def_ro("feature_floor", &MinedProblem::feature_floor);

  m.def("mine", &mine_arrays, "features"_a, "labels"_a, "weights"_a.none(), "n_classes"_a,
        "options"_a, nb::sig(kMineSignature));
}

}  // namespace surelist::bindings
