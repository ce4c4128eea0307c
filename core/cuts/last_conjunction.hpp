// The last rule, if it is a conjunction of two cuts: whether any of a family loses less than is
// needed.
//
// A table of class counts by (bin, bin), summed up along both axes, has the exact loss of every
// conjunction at bounds of bins, and by conjunctions.hpp a bound for those in between. Boxes whose
// bound is too low get a finer table, of the rows that are between their lowest and highest cuts,
// down to single cuts. A conjunction that loses less ends that: the answer is then no.
//
// In the first table of every family, a chain has the same bins, of about as many rows each: many
// columns have most of their rows at few values. So rows find their bins once, and those of a
// state go through all families.
#pragma once

#include <optional>
#include <span>
#include <utility>

#include "cuts/conjunctions.hpp"
#include "cuts/watch.hpp"

namespace surelist::cuts {

template <class T>
class LastConjunction {
 public:
  LastConjunction(const Table& table, Watch& watch);

  // The rows that are looked at from now on; they must stay as they are.
  void begin(const LeftRows<T>& left);

  struct Found {
    bool settled = false;  // no conjunction of the family loses less than was needed
    Weight least = 0;      // of the bounds of the coarsest boxes, or `need` where it is settled
    Weight loss = 0;       // where it is not settled: what these cuts lose
    std::array<Key, 2> cuts{};
  };

  // What a conjunction loses counts the rows that it captures and those that it leaves.
  Found look(Family family, Weight need);

 private:
  // Bins along each axis, at most: of a first table of many rows, of few, and of a finer table.
  static constexpr std::size_t kManyBins = 32;
  static constexpr std::size_t kFewBins = 16;
  static constexpr std::size_t kBins = 8;
  static constexpr std::size_t kManyRows = 1000;  // for each class, which has a table of its own
  // Tables that neighbouring rows are counted in by turns: often they are of one cell, and a sum
  // has to wait for the one before.
  static constexpr std::size_t kTables = 2;

  // A chain, all of it.
  struct WholeChain {
    std::vector<Key> bounds;           // of bins; the first is 0, the last captures all rows
    std::vector<std::uint8_t> places;  // by row: 1 and its bin
    // Of the rows that are left, made when they are asked for: their places, and they themselves by
    // place, with the beginning of each.
    std::vector<std::uint8_t> left;
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> begins;
  };

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
    std::array<std::array<Key, kManyBins + 1>, 2> bounds{};
    std::array<std::size_t, 2> n_bins{};
    std::size_t side = 0;  // bins, and one for the rows before them
    std::size_t cells() const { return side * side; }
  };

  void set_bins(std::uint32_t chain, std::size_t most);
  bool settle(Family family, T need, std::size_t depth, Found& found);
  void count_whole(Family family, Level& level);
  const std::vector<std::uint8_t>& left_places(std::uint32_t chain);
  const WholeChain& in_order(std::uint32_t chain);
  void lay_out(Level& level) const;
  void count(Family family, Level& level);
  void sum_up(Level& level) const;
  void judge(Level& level);
  void lose(const Level& level, std::size_t further, std::span<T> loss);
  void descend(Family family, std::size_t x, std::size_t y, std::size_t depth);
  void take_strips(Family family, std::size_t x, std::size_t y, Level& finer);
  void take_between(const Level& level, std::size_t x, std::size_t y, Level& finer) const;

  const Table& table_;
  Watch& watch_;
  std::vector<Level> levels_;
  std::vector<WholeChain> chains_;

  const LeftRows<T>* left_ = nullptr;
  std::optional<std::uint32_t> first_chain_;  // whose cells are in first_cells_
  std::vector<std::uint32_t> first_cells_;
  std::vector<T> tables_;
  std::vector<T> captured_most_;  // by cell, of a label so far
  std::vector<T> left_most_;
  std::vector<T> right_;
};

extern template class LastConjunction<std::int32_t>;
extern template class LastConjunction<std::int64_t>;

}  // namespace surelist::cuts
