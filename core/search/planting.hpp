// Inserts prefixes from elsewhere into the tree; see planting.cpp.
#pragma once

#include "search/search.hpp"

namespace surelist {

class Search::Planter {
 public:
  // Everything goes below `top`, which is being expanded or has been. To be used with the search's
  // lock held.
  Planter(Search& search, PrefixId top) SURELIST_REQUIRES(search.mutex_);
  // Adds a proper descendant of the top. Consecutive ones share their ancestors, so nothing may be
  // removed from the tree in between.
  void add(const OpenPrefix& open, std::uint32_t map_entry, double key);

 private:
  PrefixTree& tree_;
  Queue* queue_;  // null: the policy needs none
  SymmetryMap& map_;
  Counters& counters_;
  std::size_t first_;           // length of the top
  std::vector<PrefixId> path_;  // the top, and below it the ancestors of the latest
};

}  // namespace surelist
