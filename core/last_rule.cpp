#include "last_rule.hpp"

#include "bits.hpp"

namespace surelist {

LastRule::LastRule(const Problem& problem, const Kernels& kernels) : kernels_(kernels) {
  antecedents_.reserve(problem.n_antecedents());
  for (std::vector<Weight>& gain : gain_) gain.reserve(problem.n_antecedents());
}

void LastRule::reset(const CaptureCounts& counts, const Word* viable) {
  counts_ = &counts;
  antecedents_.clear();
  gain_[0].clear();
  gain_[1].clear();
  const Weight* floor = counts.floor();
  bits::for_each(viable, bits::words(counts.n_antecedents()), [&](std::size_t t) {
    antecedents_.push_back(static_cast<Antecedent>(t));
    gain_[0].push_back(counts.cost(0)[t] - floor[t]);
    gain_[1].push_back(counts.cost(1)[t] - floor[t]);
  });
}

LastRuleLimits LastRule::limits(Antecedent s, Label label) const {
  const std::size_t total = counts_->total();
  const Weight* cost = counts_->cost(label);
  const Weight* other = counts_->cost(1 - label);
  const Weight* floor = counts_->floor();
  const Weight gain = cost[s] - floor[s];
  return {gain, other[s] - floor[s], gain - (cost[total] - floor[total])};
}

bool LastRule::promising(Antecedent s, const Weight* default_costs, Weight most) const {
  for (Label q = 0; q < 2; ++q) {
    const Weight reach = kernels_.last_rule_reach(gain_[q].data(), gain_[1 - q].data(),
                                                  antecedents_.size(), limits(s, q));
    if (default_costs[q] - reach <= most) return true;
  }
  return false;
}

bool LastRule::find(Antecedent s, const Weight* default_costs, Weight most, const BitSlices& slices,
                    const BitSlices::Set& left, Found& found) const {
  bool any = false;
  for (Label q = 0; q < 2; ++q) {
    const LastRuleLimits limit = limits(s, q);
    for (std::size_t i = 0; i < antecedents_.size(); ++i) {
      const Weight reach = last_rule_reach(gain_[q][i], gain_[1 - q][i], limit);
      if (default_costs[q] - reach > most) continue;
      const Antecedent t = antecedents_[i];
      const Weight loss = default_costs[q] - slices.sum(left, t, q) + slices.sum(left, t, 1 - q);
      if (loss > most) continue;
      found = {loss, t};
      most = loss - 1;
      any = true;
    }
  }
  return any;
}

}  // namespace surelist
