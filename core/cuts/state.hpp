// The rows that a prefix has not captured, sorted along the chains. Values that none of these rows
// has any more vanish, so that a state of few rows has few cuts. Numbers are of the type T of the
// lanes that count them.
#pragma once

#include <memory>
#include <vector>

#include "cuts/lanes.hpp"
#include "cuts/table.hpp"

namespace surelist::cuts {

template <class T>
struct StateChain {
  Key n_cuts = 0;                    // cuts that differ in what they capture here
  std::vector<T> keys;               // of each row, 0 to n_cuts
  std::vector<Key> cuts;             // for cut p, at p: that cut in the table
  std::vector<std::uint32_t> order;  // all rows by key
  std::vector<Weight> counts;        // what cut p captures by class, at p * n_classes
  std::vector<Weight> loss;          // of what cut p captures, if its best label is predicted
  std::vector<Weight> right;         // minus the weight that this label gets right

  // As a last rule.
  std::vector<T> last_weights;
  std::vector<std::uint8_t> last_labels;
  std::vector<T> last_ends;
  LastRule<T> last;
};

template <class T>
class State {
 public:
  // All rows of a table, which must stay where it is.
  explicit State(const Table& table);
  // The rows of another state, which must stay where it is, without what a cut captures.
  State(const State& from, std::size_t chain, Key cut);
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  std::size_t n_rows() const { return labels_.size(); }
  std::size_t n_chains() const { return chains_.size(); }
  Label label(std::uint32_t row) const { return labels_[row]; }
  Weight weight(std::uint32_t row) const { return weights_[row]; }
  const std::vector<Weight>& by_class() const { return by_class_; }
  Weight loss() const { return loss_; }  // if the best label is predicted for all rows
  // Whether there are at most n groups of rows that no cut tells apart.
  bool has_few_groups(std::size_t n) const;

  // Made when it is asked for first: most chains of most states never are.
  const StateChain<T>& chain(std::size_t c) const;
  // Counted so far for making chains, since the last call.
  std::uint64_t take_work() const;

 private:
  void sort_rows(std::size_t c, StateChain<T>& chain) const;
  void keep_rows(std::size_t c, StateChain<T>& chain) const;
  void sum_up();

  const Table& table_;
  const State* from_ = nullptr;
  std::vector<std::uint32_t> place_;  // of the other state's rows here
  std::vector<std::uint8_t> labels_;
  std::vector<T> weights_;
  std::vector<std::uint32_t> groups_;  // of each row, in ascending order
  std::vector<Weight> by_class_;
  Weight loss_ = 0;
  mutable std::vector<std::unique_ptr<StateChain<T>>> chains_;
  mutable std::uint64_t work_ = 0;
};

extern template class State<std::int16_t>;
extern template class State<std::int32_t>;
extern template class State<std::int64_t>;

}  // namespace surelist::cuts
