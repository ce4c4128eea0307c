// What a search tells about itself, as dictionaries: counters, the trace, progress.
#pragma once

#include "bindings/casters.hpp"
#include "search/search.hpp"

namespace surelist::bindings {

nb::dict pruned(const Counters& counters);
nb::dict counters(const Search& search);
nb::dict trace(const Search& search);
nb::dict progress_of(const Progress& progress, const Search& search);

}  // namespace surelist::bindings
