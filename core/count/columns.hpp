// Counts by popcount for all antecedents, eight side by side: one vector holds the same word of
// eight antecedents, so that their sums are the lanes of one accumulator, and nothing has to be
// added up across a vector. An antecedent and its complement share a column, because their sums add
// up to those of the set.
#pragma once

#include <vector>

#include "base/aligned.hpp"
#include "count/bit_slices.hpp"
#include "count/kernels.hpp"
#include "problem/problem.hpp"

namespace surelist {

class Columns {
 public:
  // `complement` names for each antecedent another one that captures exactly the rest, or itself.
  Columns(const Problem& problem, const BitSlices& slices, const Kernels& kernels,
          const std::vector<Antecedent>& complement);

  // Scratch for one thread.
  struct Scratch {
    Aligned<SliceWord> words;
    Aligned<SliceLane> lanes;
    Aligned<std::uint32_t> blocks;
    Aligned<Weight> sums;
  };
  // The first n_lanes sums of BitSlices::sum over `set`, for all antecedents in `viable` (null:
  // all) and, in the column after them, for the set itself; `stride` apart, which is a multiple of
  // SideBySide::kColumns. Sums of other antecedents are undefined.
  void count(const BitSlices::Set& set, const Word* viable, std::size_t n_lanes, Weight* sums,
             std::size_t stride, Scratch& scratch) const;
  // Of the last count with this scratch.
  std::uint64_t work(const Scratch& scratch) const;
  std::size_t size() const { return n_blocks_ * SideBySide::kColumns; }
  std::size_t nbytes() const { return captured_.capacity() * sizeof(Word); }

 private:
  void find_blocks(const Word* viable, Aligned<std::uint32_t>& blocks) const;
  void spread(std::size_t n_lanes, Weight* sums, std::size_t stride, const Scratch& scratch) const;

  const BitSlices& slices_;
  const Kernels& kernels_;
  std::size_t n_antecedents_;
  std::size_t block_words_;
  std::size_t n_blocks_ = 0;
  std::vector<std::uint32_t> column_;  // by antecedent, and last that of the set
  // −1 if the column is that of its complement, else 0: sums are mapped without branches.
  Aligned<Weight> flip_;
  bool is_plain_ = true;  // whether every antecedent has a column of its own
  Aligned<Word> captured_;
};

}  // namespace surelist
