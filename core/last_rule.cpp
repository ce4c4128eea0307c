#include "last_rule.hpp"

#include <algorithm>
#include <limits>

#include "bits.hpp"

namespace surelist {
namespace {

constexpr std::size_t kMostPairs = std::size_t{1}
                                   << 20;  // beyond, a table of pairs is not worth it
constexpr Weight kUnlimited = std::numeric_limits<Weight>::max() / 4;

}  // namespace

LastRule::LastRule(const Problem& problem, CaptureCounter& counter, const Kernels& kernels)
    : kernels_(kernels), n_antecedents_(problem.n_antecedents()) {
  if (problem.n_classes() != 2) return;
  for (std::vector<Weight>& gain : gain_) gain.resize(n_antecedents_);
  if (n_antecedents_ * n_antecedents_ > kMostPairs) {
    unlimited_.assign(n_antecedents_, kUnlimited);
    return;
  }
  CaptureCounts counts(problem);
  std::vector<Word> all(problem.group_words());
  bits::fill(all.data(), problem.n_groups());
  CaptureCounts whole(problem);
  counter.count(all.data(), nullptr, whole);
  for (Label q = 0; q < 2; ++q) {
    gain_outside_[q].resize(n_antecedents_ * n_antecedents_);
    gain_overlap_[q].resize(n_antecedents_ * n_antecedents_);
  }
  for (Antecedent s = 0; s < n_antecedents_; ++s) {
    counter.count(problem.captured(s), nullptr, counts);
    for (Label q = 0; q < 2; ++q) {
      for (Antecedent t = 0; t < n_antecedents_; ++t) {
        const std::size_t pair = s * n_antecedents_ + t;
        const Weight overlap = counts.cost(q)[t] - counts.floor()[t];
        gain_overlap_[q][pair] = overlap;
        gain_outside_[q][pair] = whole.cost(q)[t] - whole.floor()[t] - overlap;
      }
    }
  }
}

void LastRule::reset(const CaptureCounts& counts, const Word* viable) {
  counts_ = &counts;
  const Weight* floor = counts.floor();
  for (Label q = 0; q < 2; ++q) {
    std::fill(gain_[q].begin(), gain_[q].end(), 0);  // what may not be used gains nothing
    bits::for_each(viable, bits::words(n_antecedents_),
                   [&](std::size_t t) { gain_[q][t] = counts.cost(q)[t] - floor[t]; });
  }
}

Weight LastRule::reach(Label label) const {
  const RuleAfter nothing{gain_[label].data(), gain_[1 - label].data(),
                          gain_[label].data(), gain_[1 - label].data(),
                          kUnlimited,          0};
  return std::max(Weight{0}, kernels_.largest_reach(nothing, n_antecedents_));
}

Weight LastRule::reach_after(Antecedent s, Label label) const {
  return std::max(Weight{0}, kernels_.largest_reach(after(s, label), n_antecedents_));
}

RuleAfter LastRule::after(Antecedent s, Label label) const {
  const std::size_t total = counts_->total();
  const Weight* cost = counts_->cost(label);
  const Weight* floor = counts_->floor();
  RuleAfter after;
  after.gain = gain_[label].data();
  after.harm = gain_[1 - label].data();
  const bool tabled = unlimited_.empty();
  const std::size_t row = s * n_antecedents_;
  after.gain_outside = tabled ? gain_outside_[label].data() + row : unlimited_.data();
  after.harm_overlap = tabled ? gain_overlap_[1 - label].data() + row : unlimited_.data();
  after.gain_left = cost[total] - floor[total] - (cost[s] - floor[s]);
  after.harm_taken = counts_->cost(1 - label)[s] - floor[s];
  return after;
}

bool LastRule::find(Antecedent s, const Weight* default_costs, Weight most, const BitSlices& slices,
                    const BitSlices::Set& left, Found& found) const {
  bool any = false;
  for (Label q = 0; q < 2; ++q) {
    const RuleAfter rule = after(s, q);
    for (Antecedent t = 0; t < n_antecedents_; ++t) {
      if (default_costs[q] - rule.reach(t) > most) continue;
      const Weight loss = default_costs[q] - slices.sum(left, t, q) + slices.sum(left, t, 1 - q);
      if (loss > most) continue;
      found = {loss, t};
      most = loss - 1;
      any = true;
    }
  }
  return any;
}

std::size_t LastRule::nbytes() const {
  return 2 * (gain_outside_[0].capacity() + gain_overlap_[0].capacity()) * sizeof(Weight);
}

}  // namespace surelist
