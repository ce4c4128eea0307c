// The Python module: arrays in, plain values out, the interpreter's lock released while the engine
// works. There is no logic here.
#include "bindings/module.hpp"

#include "bindings/keywords.hpp"
#include "context/options.hpp"
#include "problem/bound_set.hpp"
#include "prune/remaining.hpp"
#include "store/queue.hpp"

using namespace surelist;
using namespace surelist::bindings;

NB_MODULE(_core, m) {
  // At exit, nanobind would print a warning if something still holds one of our objects. A library
  // must not print.
  nb::set_leak_warnings(false);
  nb::exception<InputError>(m, "InputError", PyExc_ValueError);

  bind_problem(m);
  bind_mining(m);
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
  bind_cuts(m);
  bind_near_optimal(m);
  bind_list_counter(m);
}
