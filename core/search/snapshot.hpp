// A snapshot or report as it is read; see snapshot.cpp for the bytes.
#pragma once

#include "search/search.hpp"

namespace surelist {

struct Search::SavedState {
  Counters counters;
  bool beam_done = false;
  Objective proven;
  Prefix best;
  Length proven_length = 0;
  std::array<std::uint64_t, 3> turns{};
  std::uint64_t n_taken = 0;
  std::string_view open;  // see open_prefixes.hpp
  std::string_view keys;  // in a report, for each open prefix: a byte whether it has a key, the key
  std::string_view known;  // see SymmetryMap::save
  std::string_view stage;  // snapshot of the stage of the proof by length; empty: none
};

}  // namespace surelist
