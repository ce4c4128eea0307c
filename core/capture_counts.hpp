// What every antecedent would capture of a set of groups, for all antecedents at once.
//
// Counts are additive, so we walk the groups of the set once and add each group's values to the
// accumulators of the antecedents that capture it: dense rows of narrow lanes, which vectorise. One
// extra column stands for an antecedent that captures everything and so sums the set itself.
#pragma once

#include <memory>

#include "problem.hpp"
#include "types.hpp"

namespace surelist {

// Sums over S ∩ s for each antecedent s; column `total()` holds the sums over S.
class CaptureCounts {
 public:
  explicit CaptureCounts(const Problem& problem);

  const Weight* cost(Label label) const { return lane(label); }
  const Weight* floor() const { return lane(n_classes_); }
  const Weight* ceiling() const { return lane(n_classes_ + 1); }
  const Weight* weight() const { return lane(n_classes_ + 2); }
  std::size_t total() const { return n_antecedents_; }
  std::size_t n_antecedents() const { return n_antecedents_; }
  std::size_t n_classes() const { return n_classes_; }

 private:
  friend class CaptureCounter;
  const Weight* lane(std::size_t i) const { return lanes_.data() + i * stride_; }

  std::size_t n_antecedents_;
  std::size_t n_classes_;
  std::size_t stride_;
  std::vector<Weight> lanes_;          // widened: per class cost, then floor, ceiling, weight
  std::vector<std::uint64_t> packed_;  // the accumulators as the kernel has them
};

class CaptureCounter {
 public:
  explicit CaptureCounter(const Problem& problem);
  ~CaptureCounter();
  CaptureCounter(const CaptureCounter&) = delete;
  CaptureCounter& operator=(const CaptureCounter&) = delete;

  void count(const Word* set, CaptureCounts& counts);
  // Counts of S∖s from the counts of S: walks whichever of the two parts is smaller.
  void count_without(const Word* set, const CaptureCounts& counts, Antecedent s,
                     CaptureCounts& result);
  std::size_t nbytes() const;

 private:
  struct Kernel;
  void widen(CaptureCounts& counts) const;
  void list_groups(const Word* set, const Word* captured, bool inside);

  const Problem& problem_;
  std::unique_ptr<Kernel> kernel_;
  std::vector<std::uint32_t> groups_;  // scratch
};

}  // namespace surelist
