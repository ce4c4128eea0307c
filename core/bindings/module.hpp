// The parts of the module, one file each.
#pragma once

#include "bindings/casters.hpp"

namespace surelist::bindings {

void bind_problem(nb::module_& m);
void bind_mining(nb::module_& m);
void bind_search(nb::module_& m);
void bind_fair_search(nb::module_& m);
void bind_cuts(nb::module_& m);
void bind_near_optimal(nb::module_& m);
void bind_list_counter(nb::module_& m);

}  // namespace surelist::bindings
