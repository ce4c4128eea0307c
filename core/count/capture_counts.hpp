// Counts what every antecedent captures of a set of groups: the weights, costs and minority weights
// that all bounds start from.
//
// Counts are additive. With few groups, each group of the set adds its values to the accumulators
// of the antecedents that capture it: dense rows of narrow lanes, which vectorise. Or counting
// starts from the set that one antecedent of the prefix leaves, whose counts are stored, and
// subtracts the groups that the set lacks, if those are fewer. With many groups, counting is by
// popcount on bit slices. One extra column stands for an antecedent that captures everything: it
// holds the sums of the set itself.
#pragma once

#include <memory>

#include "base/aligned.hpp"
#include "base/types.hpp"
#include "count/bit_slices.hpp"
#include "count/columns.hpp"
#include "count/kernels.hpp"
#include "problem/problem.hpp"

namespace surelist {

class CaptureCounter;

// Sums over S ∩ s for each antecedent s; column `total()` holds the sums over S.
class CaptureCounts {
 public:
  explicit CaptureCounts(const CaptureCounter& counter);

  const Weight* cost(Label label) const { return lane(label); }
  const Weight* floor() const { return lane(n_classes_); }
  const Weight* ceiling() const { return lane(n_classes_ + 1); }
  const Weight* weight() const { return lane(n_classes_ + 2); }
  std::uint64_t work() const { return work_; }  // of the last count: see work.hpp
  std::size_t total() const { return n_antecedents_; }
  std::size_t n_antecedents() const { return n_antecedents_; }
  std::size_t n_classes() const { return n_classes_; }

 private:
  friend class CaptureCounter;
  const Weight* lane(std::size_t i) const { return lanes_.data() + i * stride_; }

  std::size_t n_antecedents_;
  std::size_t n_classes_;
  std::size_t stride_;
  Aligned<Weight> lanes_;  // per class cost, then floor, ceiling, weight
  // Scratch of the counter, here so that several threads can use one counter.
  Aligned<std::uint32_t> groups_;
  Aligned<unsigned char> sums_;
  BitSlices::Set cut_;
  Columns::Scratch scratch_;
  std::uint64_t work_ = 0;
};

class CaptureCounter {
 public:
  CaptureCounter(const Problem& problem, const Kernels& kernels);
  ~CaptureCounter();
  CaptureCounter(const CaptureCounter&) = delete;
  CaptureCounter& operator=(const CaptureCounter&) = delete;

  // Counts `set`, the groups that a prefix does not capture, for the antecedents in `viable` (null:
  // all). The counts of other antecedents are undefined.
  void count(const Word* set, const Prefix& prefix, const Word* viable,
             CaptureCounts& counts) const;
  const BitSlices& slices() const { return slices_; }
  const Columns& columns() const { return columns_; }
  // Whether it counts eight antecedents side by side. Otherwise there are few groups, or few
  // antecedents, and counting them all takes little more than counting some.
  bool by_columns() const { return !rows_ && columns_.size() >= kManyColumns; }
  std::size_t nbytes() const;

 private:
  friend class CaptureCounts;
  struct Rows;
  bool rows_are_cheaper() const;
  void count_by_rows(const Word* set, const Prefix& prefix, CaptureCounts& counts) const;
  void count_by_slices(const Word* set, const Word* viable, CaptureCounts& counts) const;
  void count_one_by_one(const Word* viable, CaptureCounts& counts) const;
  static constexpr std::size_t kManyColumns = 96;

  const Problem& problem_;
  const Kernels& kernels_;
  BitSlices slices_;
  Aligned<Word> all_;  // all groups
  std::vector<Antecedent> complement_;
  Columns columns_;
  std::unique_ptr<Rows> rows_;  // null: by slices
};

}  // namespace surelist
