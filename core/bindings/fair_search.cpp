// The search for fair rule lists, as Python sees it: plain values in and out, no logic.
#include "bindings/module.hpp"
#include "fair/search.hpp"

namespace surelist::bindings {

namespace {

// Python's integers have any length; those of the engine are read from their digits.
Wide wide(const std::string& digits) {
  const bool negative = !digits.empty() && digits[0] == '-';
  if (digits.size() > 38)
    throw InputError("a number of the fairness constraint has too many digits");
  Wide value = 0;
  for (std::size_t i = negative ? 1 : 0; i < digits.size(); ++i)
    value = value * 10 + (digits[i] - '0');
  return negative ? -value : value;
}

nb::int_ big(Wide value) {
  return nb::steal<nb::int_>(PyLong_FromString(to_text(value).c_str(), nullptr, 10));
}

using LinearTexts = std::vector<std::pair<std::vector<std::string>, std::string>>;
using PredictiveTexts = std::vector<std::tuple<bool, bool, std::string, std::string>>;

fair::Constraints read_constraints(const Problem& problem, const LinearTexts& linear,
                                   const PredictiveTexts& predictive) {
  std::vector<fair::Linear> rules;
  for (const auto& [factors, most] : linear) {
    fair::Linear rule{.factors = {}, .most = wide(most)};
    for (const std::string& factor : factors) rule.factors.push_back(wide(factor));
    rules.push_back(std::move(rule));
  }
  std::vector<fair::Predictive> rates;
  for (const auto& [of_selected, as_ratio, numerator, denominator] : predictive) {
    rates.push_back({of_selected, as_ratio, wide(numerator), wide(denominator)});
  }
  const auto totals = problem.class_weights();
  return {std::move(rules), std::move(rates), fair::Counts(totals.begin(), totals.end())};
}

constexpr const char* kSwitches[] = {"gain_potential", "last_rule",  "feasibility",
                                     "multipliers",    "domination", "values"};

fair::Switches read_switches(const std::vector<std::string>& names) {
  fair::Switches on{false, false, false, false, false, false};
  bool* const fields[] = {&on.gain_potential, &on.last_rule,  &on.feasibility,
                          &on.multipliers,    &on.domination, &on.values};
  for (const std::string& name : names) {
    bool known = false;
    for (std::size_t i = 0; i < std::size(kSwitches); ++i) {
      if (name == kSwitches[i]) known = *fields[i] = true;
    }
    if (!known) throw InputError("there is no bound for fair lists named '" + name + "'");
  }
  return on;
}

fair::Order read_order(const std::string& name) {
  if (name == "breadth_first") return fair::Order::kBreadthFirst;
  if (name == "depth_first") return fair::Order::kDepthFirst;
  if (name == "lower_bound") return fair::Order::kLowerBound;
  throw InputError("fair lists are not searched by the policy '" + name + "'");
}

nb::dict counters(const fair::Search& search) {
  const fair::Counters c = search.counters();
  nb::dict result;
  result["expanded"] = c.expanded;
  result["evaluated"] = c.evaluated;
  result["stored"] = c.stored;
  result["work"] = c.work;
  result["improvements"] = c.improvements;
  result["by_bound"] = c.by_bound;
  result["by_feasibility"] = c.by_feasibility;
  result["by_domination"] = c.by_domination;
  result["by_value"] = c.by_value;
  return result;
}

// What is proven of sets: a prefix that leaves it, for how many further rules, and the value.
nb::list claims(const fair::Search& search) {
  nb::list all;
  for (const fair::Values::Claim& claim : search.claims()) {
    const bool any = claim.rules == fair::kAnyNumber;
    all.append(nb::make_tuple(claim.path, any ? nb::object(nb::none()) : nb::cast(claim.rules),
                              big(claim.least)));
  }
  return all;
}

constexpr const char* kSignature =
    "def __init__(self, problem: Problem, regularization: str, *, "
    "linear: collections.abc.Sequence[tuple[collections.abc.Sequence[str], str]], "
    "predictive: collections.abc.Sequence[tuple[bool, bool, str, str]], majority: bool = False, "
    "policy: str = 'lower_bound', bounds: collections.abc.Sequence[str] = ..., "
    "max_length: int | None = None, rule_label: int | None = None, "
    "surcharges: collections.abc.Sequence[int] = [], "
    "first: collections.abc.Sequence[int] = [], required: collections.abc.Sequence[int] = [], "
    "forbidden: collections.abc.Sequence[int] = [], "
    "multipliers: collections.abc.Sequence[int] | None = None) -> None";

}  // namespace

void bind_fair_search(nb::module_& m) {
  m.def("fair_bound_names",
        [] { return std::vector<std::string>(std::begin(kSwitches), std::end(kSwitches)); });
  nb::class_<fair::Search>(m, "FairSearch")
      .def(
          "__init__",
          [](fair::Search* self, std::shared_ptr<Problem> problem,
             const std::string& regularization, const LinearTexts& linear,
             const PredictiveTexts& predictive, bool majority, const std::string& policy,
             const std::vector<std::string>& bounds, std::optional<Length> max_length,
             std::optional<Label> rule_label, const std::vector<Weight>& surcharges,
             const Prefix& first, const std::vector<Antecedent>& required,
             const std::vector<Antecedent>& forbidden,
             std::optional<std::vector<Weight>> multipliers) {
            fair::Constraints constraints = read_constraints(*problem, linear, predictive);
            new (self)
                fair::Search(std::move(problem), std::move(constraints),
                             {.regularization = Regularization::parse(regularization),
                              .labels = majority ? fair::Labels::kMajority : fair::Labels::kFree,
                              .order = read_order(policy),
                              .on = read_switches(bounds),
                              .max_length = max_length,
                              .rule_label = rule_label,
                              .surcharges = surcharges,
                              .first = first,
                              .required = required,
                              .forbidden = forbidden,
                              .multipliers = std::move(multipliers)});
          },
          "problem"_a, "regularization"_a, nb::kw_only(), "linear"_a, "predictive"_a,
          "majority"_a = false, "policy"_a = "lower_bound",
          "bounds"_a = std::vector<std::string>(std::begin(kSwitches), std::end(kSwitches)),
          "max_length"_a = nb::none(), "rule_label"_a = nb::none(),
          "surcharges"_a = std::vector<Weight>{}, "first"_a = Prefix{},
          "required"_a = std::vector<Antecedent>{}, "forbidden"_a = std::vector<Antecedent>{},
          "multipliers"_a = nb::none(), nb::sig(kSignature))
      .def("step", &fair::Search::step, "work"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("offer", &fair::Search::offer, "prefix"_a, "labels"_a, "default_label"_a)
      .def_prop_ro("over", &fair::Search::over)
      .def_prop_ro("found", &fair::Search::found)
      .def_prop_ro("prefix", [](const fair::Search& s) { return s.list().prefix; })
      .def_prop_ro("labels", [](const fair::Search& s) { return s.list().labels; })
      .def_prop_ro("default_label", [](const fair::Search& s) { return s.list().default_label; })
      .def_prop_ro("loss", [](const fair::Search& s) { return s.list().loss; })
      .def_prop_ro("selected", [](const fair::Search& s) { return s.list().selected; })
      .def_prop_ro("objective", [](const fair::Search& s) { return big(s.objective().value); })
      .def_prop_ro("lower_bound", [](const fair::Search& s) { return big(s.lower_bound().value); })
      .def_prop_ro("proven_length", &fair::Search::proven_length)
      .def_prop_ro("scale", [](const fair::Search& s) { return big(s.scale().scale()); })
      .def_prop_ro("n_open", &fair::Search::n_open)
      .def_prop_ro("nbytes", &fair::Search::nbytes)
      .def_prop_ro("unit", &fair::Search::unit)
      .def_prop_ro("multipliers", &fair::Search::multipliers)
      .def_prop_ro("closed", &fair::Search::closed)
      .def_prop_ro(
          "claims", &claims,
          nb::for_getter(nb::sig("def claims(self) -> list[tuple[list[int], int | None, int]]")))
      .def_prop_ro("counters", &counters,
                   nb::for_getter(nb::sig("def counters(self) -> dict[str, int]")));
}

}  // namespace surelist::bindings
