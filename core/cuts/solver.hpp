// The least cost of up to k more rules on the rows of a state, over all cuts of all chains.
//
// k = 1 is a pass over the rows along each chain. k = 2 goes by pairs of chains: the rule before
// the last one takes cuts of the first chain, many at once (lanes.hpp), until the solved ones
// settle all others (cover.hpp). From k = 3 on, a cut is solved by the solver itself on the rows it
// leaves. A cut begins with what is known from the solved cuts beside it (solved.hpp): most
// families need no look.
#pragma once

#include "cuts/last_two.hpp"

namespace surelist::cuts {

template <class T>
class Solver {
 public:
  // `logging`: whether Solved::log is written.
  Solver(const Table& table, Scale scale, const LaneKernels& kernels, Watch& watch, bool logging);

  // Completions of up to k rules. Those that cost at least the cutoff need not be told apart.
  SolvedPtr solve(const State<T>& state, std::size_t k, Cost cutoff, const Known& known);
  // From k - 1 rules to k. If it ends by an exception, it keeps what it found, but logs nothing.
  void extend(const State<T>& state, std::size_t k, Solved& solved, const Known& known);

  // The least that an open cut of the outermost chains may cost.
  Cost open_bound() const { return open_bound_; }

 private:
  class Branches;

  void next_rules(const State<T>& state, std::size_t k, Solved& solved, const Known& known);

  Scale scale_;
  Watch& watch_;
  LastTwo<T> last_two_;
  bool logging_;
  Cost open_bound_ = 0;
  std::size_t depth_ = 0;
};

extern template class Solver<std::int16_t>;
extern template class Solver<std::int32_t>;
extern template class Solver<std::int64_t>;

}  // namespace surelist::cuts
