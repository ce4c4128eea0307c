// Tables with an entry for each pair, filled once for each problem from the counts of what every
// single antecedent leaves.
#include "count/pair_gains.hpp"

#include <limits>

#include "base/bits.hpp"

namespace surelist {
namespace {

constexpr std::size_t kMostPairs = std::size_t{1} << 20;  // 8 MB of tables
constexpr std::size_t kMostWork = std::size_t{1} << 32;   // pairs times groups: well below a second
constexpr Narrow kUnlimited = std::numeric_limits<Narrow>::max();

}  // namespace

PairGains::PairGains(const Problem& problem, const CaptureCounter& counter)
    : n_antecedents_(problem.n_antecedents()),
      stride_((n_antecedents_ + kNarrowLanes - 1) / kNarrowLanes * kNarrowLanes) {
  if (problem.n_classes() != 2) return;
  while (problem.largest_loss() >> shift_ >= kUnlimited / 2) ++shift_;  // so that two add up
  const std::size_t n_pairs = n_antecedents_ * n_antecedents_;
  if (n_pairs > kMostPairs || n_pairs * problem.n_groups() > kMostWork) {
    unlimited_.assign(stride_, kUnlimited);
    return;
  }
  for (Label q = 0; q < 2; ++q) {
    outside_[q].resize(n_antecedents_ * stride_);
    overlap_[q].resize(n_antecedents_ * stride_);
  }
  std::vector<Word> set(problem.group_words());
  bits::fill(set.data(), problem.n_groups());
  CaptureCounts whole(counter);
  counter.count(set.data(), {}, nullptr, whole);
  CaptureCounts outside(counter);
  for (Antecedent s = 0; s < n_antecedents_; ++s) {
    bits::fill(set.data(), problem.n_groups());
    bits::and_not(set.data(), problem.captured(s), set.size());
    counter.count(set.data(), {s}, nullptr, outside);
    for (Label q = 0; q < 2; ++q) {
      for (Antecedent t = 0; t < n_antecedents_; ++t) {
        const std::size_t pair = s * stride_ + t;
        const Weight gain = outside.cost(q)[t] - outside.floor()[t];
        outside_[q][pair] = up(gain);
        overlap_[q][pair] = up(whole.cost(q)[t] - whole.floor()[t] - gain);
      }
    }
  }
}

std::size_t PairGains::nbytes() const {
  return 2 * (overlap_[0].capacity() + outside_[0].capacity()) * sizeof(Narrow);
}

}  // namespace surelist
