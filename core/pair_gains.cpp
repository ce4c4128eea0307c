#include "pair_gains.hpp"

#include <limits>

#include "bits.hpp"

namespace surelist {
namespace {

constexpr std::size_t kMostPairs = std::size_t{1} << 20;  // 32 MB of tables
constexpr std::size_t kMostWork = std::size_t{1} << 32;   // pairs times groups: well below a second
constexpr Weight kUnlimited = std::numeric_limits<Weight>::max() / 4;

}  // namespace

PairGains::PairGains(const Problem& problem, const CaptureCounter& counter)
    : n_antecedents_(problem.n_antecedents()) {
  if (problem.n_classes() != 2) return;
  const std::size_t n_pairs = n_antecedents_ * n_antecedents_;
  if (n_pairs > kMostPairs || n_pairs * problem.n_groups() > kMostWork) {
    unlimited_.assign(n_antecedents_, kUnlimited);
    return;
  }
  for (Label q = 0; q < 2; ++q) {
    outside_[q].resize(n_pairs);
    overlap_[q].resize(n_pairs);
  }
  std::vector<Word> all(problem.group_words());
  bits::fill(all.data(), problem.n_groups());
  CaptureCounts whole(counter);
  counter.count(all.data(), nullptr, whole);
  CaptureCounts within(counter);
  for (Antecedent s = 0; s < n_antecedents_; ++s) {
    counter.count(problem.captured(s), nullptr, within);
    for (Label q = 0; q < 2; ++q) {
      for (Antecedent t = 0; t < n_antecedents_; ++t) {
        const std::size_t pair = s * n_antecedents_ + t;
        overlap_[q][pair] = within.cost(q)[t] - within.floor()[t];
        outside_[q][pair] = whole.cost(q)[t] - whole.floor()[t] - overlap_[q][pair];
      }
    }
  }
}

std::size_t PairGains::nbytes() const {
  return 2 * (overlap_[0].capacity() + outside_[0].capacity()) * sizeof(Weight);
}

}  // namespace surelist
