// Lists of rules that are conjunctions of two cuts: of one rule, of two, and so on.
#pragma once

#include "cuts/box_tree.hpp"

namespace surelist::cuts {

template <class T>
class PairBoxes {
 public:
  PairBoxes(const Table& table, const std::vector<Family>& families, Scale scale, Watch& watch,
            bool logging);

  // The best list so far.
  BestList best;

  // From k - 1 rules to k. If it ends by an exception, it keeps what it found, but logs nothing.
  void extend(std::size_t k);
  // Tries to put one other rule in the place of the last ones, or after them.
  void improve(std::optional<std::size_t> max_length);
  // The least that a list of k rules may cost, while `extend` runs.
  Cost open_bound() const { return tree_ ? tree_->bound() : 0; }
  const Bytes& log() const { return log_; }

 private:
  void try_pairs();
  bool one_rule(const LeftRows<T>& rows, Cost before, const std::vector<Conjunction>& first);
  LeftRows<T> without(const LeftRows<T>& rows, const Conjunction& rule, Cost& cost) const;

  BoxProblem<T> problem_;
  LeftRows<T> rows_;
  std::unique_ptr<BoxTree<T>> tree_;
  Bytes log_;
};

extern template class PairBoxes<std::int32_t>;
extern template class PairBoxes<std::int64_t>;

}  // namespace surelist::cuts
