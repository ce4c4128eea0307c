// The class Problem.
#include "problem/problem.hpp"

#include "base/bits.hpp"
#include "bindings/arrays.hpp"
#include "bindings/module.hpp"

namespace surelist::bindings {

namespace {

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

}  // namespace

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
}

}  // namespace surelist::bindings
