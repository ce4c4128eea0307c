// Weighted counts by popcount. The value of each group is written in binary; slice p holds the
// groups with bit p set, so that a sum over S ∩ s is Σ_p 2^p · popcount(S & slice_p & s). Words of
// a slice without any bit are left out, and every antecedent has its words copied in the same
// order, so that one pass over two contiguous arrays gives a sum. Unlike the dense rows of
// capture_counts this costs per antecedent, so a single one can be asked for.
#pragma once

#include <algorithm>

#include "kernels.hpp"
#include "problem.hpp"

namespace surelist {

class BitSlices {
 public:
  BitSlices(const Problem& problem, const Kernels& kernels);

  // A set of groups, cut into slices.
  class Set {
   public:
    explicit Set(const BitSlices& slices) : words_(slices.size()) {}
    // With the first few lanes alone.
    Set(const BitSlices& slices, std::size_t n_lanes) : words_(slices.lane_begin_[n_lanes]) {}

   private:
    friend class BitSlices;
    std::vector<Word> words_;
  };

  void cut(const Word* groups, Set& set) const;
  void cut_all(Set& set) const {
    std::copy_n(slices_.begin(), set.words_.size(), set.words_.begin());
  }
  void clear(Set& set) const { std::fill(set.words_.begin(), set.words_.end(), Word{0}); }
  void add(Set& set, const Set& other) const;
  // What an antecedent captures of the set.
  void cut_within(const Set& set, Antecedent kept, Set& result) const;
  // The set less what an antecedent captures; the result may be the set itself.
  void cut_without(const Set& set, Antecedent removed, Set& result) const;
  // Sums over the groups of the set that s captures (all of them for s = n_antecedents): for each
  // label the cost above floor, then floor and, with more than two classes, ceiling and weight.
  // (With two classes a group costs more than its floor under one label alone: fewer bits to
  // count.)
  Weight sum(const Set& set, std::size_t s, std::size_t lane) const {
    Weight sum = 0;
    kernels_.lane_overlaps(set.words_.data(), captured_.data() + s * size(), shifts_.data(),
                           lane_begin_.data() + lane, 1, &sum, 1);
    return sum;
  }
  // The same over what two sets have in common.
  Weight sum_common(const Set& set, const Set& other, std::size_t lane) const {
    Weight sum = 0;
    kernels_.lane_overlaps(set.words_.data(), other.words_.data(), shifts_.data(),
                           lane_begin_.data() + lane, 1, &sum, 1);
    return sum;
  }
  // All lanes at once, `stride` apart.
  void sums(const Set& set, std::size_t s, Weight* sums, std::size_t stride) const {
    kernels_.lane_overlaps(set.words_.data(), captured_.data() + s * size(), shifts_.data(),
                           lane_begin_.data(), lane_begin_.size() - 1, sums, stride);
  }

  std::size_t size() const { return word_of_.size(); }  // words of a cut set
  std::size_t nbytes() const;

 private:
  void add_lane(const Problem& problem, const std::vector<Weight>& values);

  const Kernels& kernels_;
  std::vector<std::size_t> lane_begin_;
  std::vector<std::uint32_t> word_of_;  // which word of the set stands here
  std::vector<Word> slices_;            // groups with the bit set
  std::vector<Word> shifts_;            // which bit
  std::vector<Word> captured_;          // antecedent-major, the same words; last, everything
};

}  // namespace surelist
