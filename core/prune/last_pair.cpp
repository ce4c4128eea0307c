// One pass over the antecedents finds the few that can be the better half of a pair; then one pass
// for each of those.
#include "prune/last_pair.hpp"

#include <algorithm>

#include "base/bits.hpp"

namespace surelist {

LastPair::LastPair(const SearchContext& context, const LastRule& last_rule)
    : context_(context),
      last_rule_(last_rule),
      gain_(context.pairs.stride()),
      harm_(context.pairs.stride()),
      halves_(bits::words(context.pairs.stride())) {}

bool LastPair::may_gain(Antecedent s, Label label, const Needed& needed) {
  const PairGains& pairs = context_.pairs;
  work_ = 0;
  const Weight least = std::min(needed.of_one, needed.of_two);
  if (least <= 0 || !pairs.known()) return true;
  const RuleAfter after = last_rule_.after(s, label);
  const Weight left = pairs.wide(after.gain_left);
  if (least > left) return false;
  // No rule gains more than is left.
  const Narrow of_two = pairs.up(std::min(needed.of_two, left + 1));
  const RulesAfter rules{
      .gain = gain_.data(), .harm = harm_.data(), .halves = halves_.data(), .needed = of_two};
  work_ = last_rule_.work();
  const Narrow most = context_.kernels.rules_after(after, pairs.stride(), rules);
  if (pairs.wide(most) >= needed.of_one) return true;
  return bits::any_of(halves_.data(), halves_.size(), [&](std::size_t t) {
    work_ += last_rule_.work();
    return half_may_gain(static_cast<Antecedent>(t), label, after.gain_left, of_two);
  });
}

bool LastPair::half_may_gain(Antecedent t, Label label, Narrow gain_left, Narrow needed) const {
  const PairGains& pairs = context_.pairs;
  RuleBeside rule;
  rule.gain = gain_.data();
  rule.harm = harm_.data();
  rule.harm_before = last_rule_.gains(1 - label);
  rule.gain_outside = pairs.outside(t, label);
  rule.gain_overlap = pairs.overlaps(t, label);
  rule.harm_overlap = pairs.overlaps(t, 1 - label);
  rule.own_gain = gain_[t];
  rule.own_harm = harm_[t];
  rule.own_whole = static_cast<Narrow>(rule.gain_overlap[t] + pairs.rounding());
  rule.gain_left = gain_left;
  return context_.kernels.largest_beside(rule, pairs.stride()) >= needed;
}

}  // namespace surelist
