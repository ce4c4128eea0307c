// Epoch reclamation: frees arrays of the symmetry map that no worker can still read.
//
// Workers read the map without a lock (key_table.hpp). When an array grows, it is replaced, and the
// old one is retired: every worker that was reading then may still hold a pointer into it. So an
// epoch begins when retired arrays are collected, and ends when each worker that was reading at its
// beginning has stopped once. Then the arrays are freed, and the next epoch begins with what was
// retired meanwhile.
#pragma once

#include <algorithm>

#include "prune/symmetry_map.hpp"

namespace surelist {

// Not thread-safe: the search's lock guards it.
class Reclamation {
 public:
  explicit Reclamation(std::size_t n_workers) : workers_(n_workers) {}

  // The worker begins to read the map; it holds no pointer into it from `stop_reading` on.
  void start_reading(std::size_t worker) { workers_[worker].is_reading = true; }
  void stop_reading(std::size_t worker, SymmetryMap& map) {
    workers_[worker] = {};
    const auto in_epoch = [](const Reader& reader) { return reader.is_in_epoch; };
    if (std::any_of(workers_.begin(), workers_.end(), in_epoch)) return;
    map.free_retired(retired_);
    retired_ = map.take_retired();
    if (retired_.empty()) return;
    for (Reader& reader : workers_) reader.is_in_epoch = reader.is_reading;
  }

 private:
  struct Reader {
    bool is_reading = false;
    bool is_in_epoch = false;  // has been reading since the epoch began
  };

  std::vector<Reader> workers_;
  std::vector<Retired> retired_;  // to be freed when the epoch ends
};

}  // namespace surelist
