// What a search writes down about itself, for another one to read; see state.cpp.
#pragma once

#include "search/search.hpp"

namespace surelist {

struct Search::Reported {
  Counters counters;
  bool beam_done = false;
  Objective proven;
  Prefix best;
  Length proven_length = 0;
  std::array<std::uint64_t, 3> turns{};
  std::uint64_t n_taken = 0;
  std::string_view open;   // see open_prefixes.hpp
  std::string_view keys;   // in a report: of each open prefix, a byte whether there is one first
  std::string_view known;  // see SymmetryMap::save
  std::string_view stage;  // the state of a stage of the proof by length; empty: there is none
};

}  // namespace surelist
