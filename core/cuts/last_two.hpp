// The last rule, and the last two: what a solver counts itself, for all cuts at once.
#pragma once

#include <utility>

#include "cuts/solved.hpp"
#include "cuts/state.hpp"
#include "cuts/watch.hpp"

namespace surelist::cuts {

template <class T>
class LastTwo {
 public:
  LastTwo(const Table& table, Scale scale, const LaneKernels& kernels, Watch& watch, bool logging);

  // Completions by one rule, and by two; each adds its families to `solved`.
  void one(const State<T>& state, Solved& solved, const Known& known);
  void two(const State<T>& state, Solved& solved, const Known& known);
  // Completions by k rules that need no look: each costs at least `bound`.
  void none(const State<T>& state, std::size_t k, Cost bound, Solved& solved) const;

 private:
  void losses(const State<T>& state, std::size_t first, std::size_t last);
  Cost pair(const State<T>& state, std::size_t first, std::size_t last_place, Solved& solved,
            Bytes& log);
  Cost settle(const State<T>& state, std::size_t first, std::size_t last, Solved& solved);
  void choose_cuts(const Sums& sums);
  Cost take_lanes(const State<T>& state, std::size_t first, std::size_t last, const Sums& sums,
                  Solved& solved);

  const Table& table_;
  Scale scale_;
  const LaneLoops<T>& loops_;
  Watch& watch_;
  bool logging_;
  std::vector<std::size_t> last_chains_;  // those whose cuts are tried as last rules

  // Of the pair at hand: gaps with what is not settled in them, the cuts chosen there, and what the
  // best last rule leaves after each, lane by lane.
  struct Part {
    Gap gap;
    Key first = 0;
    Key last = 0;
    std::size_t end = 0;  // in cuts_
  };
  std::vector<Gap> gaps_;
  std::vector<Part> parts_;
  std::vector<Key> cuts_;
  std::vector<Weight> lane_losses_;
  std::vector<Lane<T>> left_;
  std::vector<Lane<T>> scratch_;
  std::vector<std::pair<Key, Cost>> solved_cuts_;
};

extern template class LastTwo<std::int16_t>;
extern template class LastTwo<std::int32_t>;
extern template class LastTwo<std::int64_t>;

}  // namespace surelist::cuts
