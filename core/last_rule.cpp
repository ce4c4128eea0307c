#include "last_rule.hpp"

#include <algorithm>

#include "bits.hpp"

namespace surelist {

LastRule::LastRule(const SearchContext& context)
    : context_(context), n_antecedents_(context.problem->n_antecedents()) {
  for (std::vector<Weight>& gain : gain_) gain.resize(n_antecedents_);
}

void LastRule::reset(const CaptureCounts& counts, const Word* viable) {
  counts_ = &counts;
  const Weight* floor = counts.floor();
  for (Label q = 0; q < 2; ++q) {
    std::fill(gain_[q].begin(), gain_[q].end(), 0);  // what may not be used gains nothing
    const Weight* cost = counts.cost(q);
    bits::for_each(viable, bits::words(n_antecedents_),
                   [&](std::size_t t) { gain_[q][t] = cost[t] - floor[t]; });
  }
}

Weight LastRule::reach(Label label) const {
  Weight most = 0;
  for (std::size_t t = 0; t < n_antecedents_; ++t) {
    most = std::max(most, gain_[label][t] - gain_[1 - label][t]);
  }
  return most;
}

Weight LastRule::reach_after(Antecedent s, Label label) const {
  return std::max(Weight{0}, context_.kernels.largest_reach(after(s, label), n_antecedents_));
}

RuleAfter LastRule::after(Antecedent s, Label label) const {
  const std::size_t total = counts_->total();
  const Weight* cost = counts_->cost(label);
  const Weight* floor = counts_->floor();
  RuleAfter after;
  after.gain = gain_[label].data();
  after.harm = gain_[1 - label].data();
  after.gain_outside = context_.pairs.outside(s, label);
  after.harm_overlap = context_.pairs.overlap(s, 1 - label);
  after.gain_left = cost[total] - floor[total] - (cost[s] - floor[s]);
  after.harm_taken = counts_->cost(1 - label)[s] - floor[s];
  return after;
}

bool LastRule::find(Antecedent s, const Weight* default_costs, Weight most,
                    const BitSlices::Set& left, Found& found) const {
  const BitSlices& slices = context_.counter.slices();
  bool any = false;
  const Constraints& constraints = context_.constraints();
  for (Label q = 0; q < 2; ++q) {
    if (constraints.rule_label == q) continue;  // the rule would have to predict the other label
    const RuleAfter rule = after(s, q);
    for (Antecedent t = 0; t < n_antecedents_; ++t) {
      if (default_costs[q] - rule.reach(t) > most) continue;
      const Weight loss = default_costs[q] - slices.sum(left, t, q) + slices.sum(left, t, 1 - q) +
                          constraints.surcharge(t);
      if (loss > most) continue;
      found = {loss, t};
      most = loss - 1;
      any = true;
    }
  }
  return any;
}

}  // namespace surelist
