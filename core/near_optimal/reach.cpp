// docs/near_optimal.md has the proofs.
#include "near_optimal/reach.hpp"

#include <algorithm>

#include "base/bits.hpp"

namespace surelist {

Reach::Reach(const SearchContext& context)
    : context_(context), defaults_(context.problem->n_classes()) {
  for (Default& each : defaults_) each.net.resize(context.problem->n_classes());
}

void Reach::reset(const CaptureCounts& counts, const Word* usable) {
  if (!context_.on(Bound::kGainPotential)) return;
  for (Label q = 0; q < defaults_.size(); ++q) {
    Default& result = defaults_[q];
    result.gains.fill(0);
    std::fill(result.net.begin(), result.net.end(), 0);
    bits::for_each(usable, bits::words(counts.n_antecedents()), [&](std::size_t s) {
      const Weight cost = counts.cost(q)[s];
      Weight gain = cost - counts.floor()[s];
      // Kept sorted from the largest down, in places 1 to kTop.
      for (std::size_t i = 1; i <= kTop && gain > 0; ++i) {
        if (gain > result.gains[i]) std::swap(gain, result.gains[i]);
      }
      for (Label r = 0; r < defaults_.size(); ++r) {
        if (allows(r)) result.net[r] = std::max(result.net[r], cost - counts.cost(r)[s]);
      }
    });
    for (std::size_t i = 1; i <= kTop; ++i) result.gains[i] += result.gains[i - 1];
  }
}

// The first rule captures all that is left of its antecedent. After s, the net gain of another rule
// for label r has grown by at most what r costs in s above the minority weight.
Weight Reach::first_gain(const CaptureCounts& counts, Antecedent s, Label q) const {
  const Default& known = defaults_[q];
  Weight most = 0;
  for (Label r = 0; r < defaults_.size(); ++r) {
    if (!allows(r)) continue;
    most = std::max(most, known.net[r] + counts.cost(r)[s] - counts.floor()[s]);
  }
  return std::min(most, known.gains[1]);
}

Weight Reach::gain(Label q, Length n_rules) const {
  const std::array<Weight, kTop + 1>& gains = defaults_[q].gains;
  if (n_rules <= kTop) return gains[n_rules];
  const Weight last = gains[kTop] - gains[kTop - 1];
  return gains[kTop] + last * static_cast<Weight>(n_rules - kTop);
}

bool Reach::may_follow(const CaptureCounts& counts, const Child& child,
                       ThresholdBudget& budget) const {
  const std::size_t all = counts.total();
  const Antecedent s = child.antecedent;
  const Weight rest_floor =
      context_.on(Bound::kEquivalentPoints) ? counts.floor()[all] - counts.floor()[s] : 0;
  const bool looks_ahead = context_.on(Bound::kLookahead);
  const Length least = looks_ahead ? child.least_more : 1;
  for (Length more = least; more <= child.most_more; ++more) {
    const Weight most_loss = budget.most_loss(child.length + (looks_ahead ? more : 0));
    if (child.loss + rest_floor > most_loss) return false;
    if (!context_.on(Bound::kGainPotential)) return true;
    for (Label q = 0; q < defaults_.size(); ++q) {
      const Weight rest = counts.cost(q)[all] - counts.cost(q)[s];
      const Weight gains = std::min(gain(q, more), first_gain(counts, s, q) + gain(q, more - 1));
      if (child.loss + rest - gains <= most_loss) return true;
    }
  }
  return false;
}

}  // namespace surelist
