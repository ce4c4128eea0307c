// The last rule, if it is a conjunction of two cuts: whether any of a family loses less than is
// needed.
//
// A table of class counts by (bin, bin), summed along both axes, has the exact loss of every
// conjunction at bounds of bins, and by conjunctions.hpp a bound for those in between. Boxes whose
// bound is too low get a finer table, of the rows that are between their lowest and highest cuts,
// down to single cuts. A conjunction that loses less ends that: the answer is then no.
#pragma once

#include <span>

#include "cuts/conjunctions.hpp"
#include "cuts/watch.hpp"

namespace surelist::cuts {

template <class T>
class LastConjunction {
 public:
  LastConjunction(const Table& table, Watch& watch);

  struct Found {
    bool settled = false;  // no conjunction of the family loses less than was needed
    Weight least = 0;      // of the bounds of the coarsest boxes, or `need` where it is settled
    Weight loss = 0;       // where it is not settled: what these cuts lose
    std::array<Key, 2> cuts{};
  };

  // What a conjunction loses counts the rows that it captures and those that it leaves.
  Found look(const LeftRows<T>& left, Family family, Weight need);

 private:
  static constexpr std::size_t kBins = 16;         // along each axis, at most
  static constexpr std::size_t kSide = kBins + 1;  // with the rows before all bins
  static constexpr std::size_t kCells = kSide * kSide;

  // A table of some rows of the state.
  struct Level {
    std::vector<std::uint32_t> rows;  // as places in the state
    std::vector<std::uint8_t> x;      // their places along both axes
    std::vector<std::uint8_t> y;
    std::vector<T> counts;  // what is captured at bounds of bins, by class and cell
    std::vector<T> point;   // by cell: the loss at these bounds
    std::vector<T> bound;   // by cell: of the box that begins there
    Box box;
    std::array<int, 2> shifts{};
    std::array<std::size_t, 2> n_bins{};

    Key at(std::size_t axis, std::size_t place) const {
      const Key step = static_cast<Key>(place) << shifts[axis];
      return std::min(box.high[axis], box.low[axis] + step);
    }
  };

  bool settle(const LeftRows<T>& left, Family family, T need, std::size_t depth, Found& found);
  void count(const LeftRows<T>& left, Family family, Level& level);
  void sum_up(Level& level) const;
  void judge(const LeftRows<T>& left, Level& level) const;
  void lose(const LeftRows<T>& left, const Level& level, std::size_t further,
            std::span<T> loss) const;
  void descend(const Level& level, std::size_t x, std::size_t y, Level& finer) const;

  const Table& table_;
  Watch& watch_;
  std::vector<Level> levels_;
};

extern template class LastConjunction<std::int32_t>;
extern template class LastConjunction<std::int64_t>;

}  // namespace surelist::cuts
