// Weighted counts by popcount: the values of groups are cut into slices, so that a sum over S ∩ s
// is Σ_p 2^p · popcount(S & slice_p & s). Every antecedent has its words copied in the order of the
// slices, so that one pass over two contiguous arrays gives a sum. Unlike the dense rows of
// capture_counts.hpp, which give the sums of all antecedents, this gives the sum of a single one.
#pragma once

#include <algorithm>

#include "base/aligned.hpp"
#include "count/kernels.hpp"
#include "count/slices.hpp"
#include "problem/problem.hpp"

namespace surelist {

class BitSlices {
 public:
  BitSlices(const Problem& problem, const Kernels& kernels);

  // A set of groups, cut into slices.
  class Set {
   public:
    explicit Set(const BitSlices& slices) : words_(slices.size()) {}
    // With only the first lanes.
    Set(const BitSlices& slices, std::size_t n_lanes) : words_(slices.lanes_[n_lanes - 1].end) {}

   private:
    friend class BitSlices;
    Aligned<Word> words_;
  };

  void cut(const Word* groups, Set& set) const;
  // The first two lanes alone, each of a set of its own.
  void cut_lanes(const Word* zero, const Word* one, Set& set) const;
  // The words of a set that are not empty, lane by lane, for the first n_lanes.
  void list_words(const Set& set, std::size_t n_lanes, Aligned<SliceWord>& words,
                  Aligned<SliceLane>& lanes) const;
  // The set less what an antecedent captures; the result may be the set itself.
  void cut_without(const Set& set, Antecedent removed, Set& result) const;
  // The set less another one.
  void subtract(const Set& set, const Set& removed, Set& result) const {
    kernels_.subtract(set.words_.data(), removed.words_.data(), result.words_.size(),
                      result.words_.data());
  }
  // Sums over the groups of the set that s captures (all of them for s = n_antecedents): for each
  // label the cost above floor, then floor and, with more than two classes, ceiling and weight.
  // (With two classes a group costs more than its floor under one label alone: fewer bits to
  // count.)
  Weight sum(const Set& set, std::size_t s, std::size_t lane) const {
    return sum_words(set.words_, s, lane);
  }
  // All lanes at once, `stride` apart.
  void sums(const Set& set, std::size_t s, Weight* sums, std::size_t stride) const {
    kernels_.lane_overlaps(set.words_.data(), captured_.data() + s * size(), slices_.shifts.data(),
                           lanes_.data(), lanes_.size(), sums, stride);
  }
  // The same sum for groups that both a and b capture.
  Weight shared(const Set& set, Antecedent a, Antecedent b, std::size_t lane) const {
    const std::size_t at = lanes_[lane].begin;
    return kernels_.triple_overlap(set.words_.data() + at, captured_.data() + a * size() + at,
                                   captured_.data() + b * size() + at, slices_.shifts.data() + at,
                                   lanes_[lane].end - at);
  }
  Weight sum_of_all_groups(std::size_t s, std::size_t lane) const {
    return sum_words(slices_.words, s, lane);
  }

  // What each rule of a prefix is worth (edits.hpp), and two sets of groups: those that exactly one
  // of its antecedents captures, and those for which it predicts label 1.
  struct Walked {
    explicit Walked(const BitSlices& slices);

    Set once;
    Set ones;
    Aligned<Weight> worth;
    Aligned<const Word*> captured;  // scratch: by rule
    Aligned<std::int8_t> signs;
  };
  static constexpr std::size_t kMostRules = PrefixWalk::kMostRules;
  void walk(const Prefix& prefix, const std::vector<Label>& labels, Walked& walked) const;
  // What predicting the label saves of the ceilings of groups in the set that a and b capture.
  Weight saved(const Set& set, Antecedent a, Antecedent b, Label label) const;

  std::size_t size() const { return slices_.size(); }  // words of a cut set
  std::size_t nbytes() const;

 private:
  Weight sum_words(const Aligned<Word>& words, std::size_t s, std::size_t lane) const {
    Weight sum = 0;
    kernels_.lane_overlaps(words.data(), captured_.data() + s * size(), slices_.shifts.data(),
                           lanes_.data() + lane, 1, &sum, 1);
    return sum;
  }
  // With two classes, a label saves what the other one costs above floor; with more, it saves
  // ceiling less floor less its own cost above floor. So lanes are added with sign 1, −1 or 0.
  std::size_t n_saving_lanes() const { return n_classes_ == 2 ? 2 : n_classes_ + 2; }
  int saving_sign(std::size_t lane, Label label) const;

  const Kernels& kernels_;
  std::size_t n_classes_;
  Aligned<SliceLane> lanes_;
  Slices slices_;
  Aligned<Word> captured_;  // antecedent-major, the words of the slices; last, everything
};

}  // namespace surelist
