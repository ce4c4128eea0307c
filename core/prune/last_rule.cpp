// Gains and harms are kept in few bits, so that one vector instruction handles 32 rules.
#include "prune/last_rule.hpp"

#include <algorithm>

#include "base/bits.hpp"

namespace surelist {

LastRule::LastRule(const SearchContext& context)
    : context_(context),
      n_antecedents_(context.problem->n_antecedents()),
      reaching_(bits::words(context.pairs.stride())) {
  for (Label q = 0; q < 2; ++q) {
    gain_[q].resize(context.pairs.stride());
    harm_[q].resize(context.pairs.stride());
  }
}

void LastRule::reset(const CaptureCounts& counts, const Word* viable) {
  counts_ = &counts;
  viable_ = viable;
  for (Label q = 0; q < 2; ++q) {
    context_.kernels.narrow_gains(counts.cost(q), counts.floor(), viable, n_antecedents_,
                                  {gain_[q].data(), harm_[1 - q].data(), context_.pairs.shift()});
  }
  for (Label q = 0; q < 2; ++q) {
    int most = 0;
    for (std::size_t t = 0; t < n_antecedents_; ++t) {
      most = std::max(most, gain_[q][t] - harm_[q][t]);
    }
    reach_[q] = context_.pairs.wide(most);
  }
}

// Without tables of pairs, a pass over all rules would hardly improve on most_after; and there are
// many rules then.
Weight LastRule::reach_after(Antecedent s, Label label) const {
  if (!context_.pairs.known()) return most_after(s, label);
  return context_.pairs.wide(
      context_.kernels.largest_reach(after(s, label), context_.pairs.stride()));
}

RuleAfter LastRule::after(Antecedent s, Label label) const {
  const std::size_t total = counts_->total();
  const Weight* cost = counts_->cost(label);
  const Weight* floor = counts_->floor();
  RuleAfter after;
  after.gain = gain_[label].data();
  after.harm = harm_[label].data();
  if (s == kNoAntecedent) {
    after.gain_outside = after.gain;
    after.harm_overlap = after.harm;  // unused, because harm_taken is 0
    after.gain_left = context_.pairs.up(cost[total] - floor[total]);
    return after;
  }
  after.gain_outside = context_.pairs.outside(s, label);
  after.harm_overlap = context_.pairs.overlaps(s, 1 - label);
  after.gain_left = context_.pairs.up(cost[total] - floor[total] - (cost[s] - floor[s]));
  after.harm_taken = context_.pairs.up(counts_->cost(1 - label)[s] - floor[s]);
  return after;
}

std::optional<LastRule::Found> LastRule::find(Antecedent s, const Weight* default_costs,
                                              Weight most, const BitSlices::Set& left) {
  const BitSlices& slices = context_.counter.slices();
  std::optional<Found> found;
  const Constraints& constraints = context_.constraints();
  for (Label q = 0; q < 2; ++q) {
    if (constraints.rule_label == q) continue;  // the rule would have to predict the other label
    const RuleAfter rule = after(s, q);
    const Weight needed = std::clamp<Weight>(default_costs[q] - most, 0, default_costs[q]);
    context_.kernels.reaching(rule, context_.pairs.stride(), context_.pairs.up(needed),
                              reaching_.data());
    bits::for_each(reaching_.data(), reaching_.size(), [&](std::size_t i) {
      const auto t = static_cast<Antecedent>(i);
      if (t >= n_antecedents_ || default_costs[q] - context_.pairs.wide(rule.reach(t)) > most) {
        return;
      }
      const Weight loss = default_costs[q] - slices.sum(left, t, q) + slices.sum(left, t, 1 - q) +
                          constraints.surcharge(t);
      if (loss > most) return;
      found = {loss, t};
      most = loss - 1;
    });
  }
  return found;
}

}  // namespace surelist
