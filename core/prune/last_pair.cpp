// One pass over the antecedents finds the few that can be the better half of a pair; then one pass
// for each of those. Where that leaves pairs, they are counted.
#include "prune/last_pair.hpp"

#include <algorithm>
#include <limits>

#include "base/bits.hpp"

namespace surelist {
namespace {

constexpr std::size_t kFewHalves = 4;    // to count one by one
constexpr std::size_t kMostPairs = 256;  // counted, before it is cheaper to expand the prefix

}  // namespace

LastPair::LastPair(const SearchContext& context, const LastRule& last_rule)
    : context_(context),
      last_rule_(last_rule),
      gain_(context.pairs.stride()),
      harm_(context.pairs.stride()),
      halves_(bits::words(context.pairs.stride())),
      stride_((context.problem->n_antecedents() + SideBySide::kColumns) / SideBySide::kColumns *
              SideBySide::kColumns),
      sums_(2 * stride_),
      zeros_(stride_),
      candidates_(halves_.size()),
      settled_(halves_.size()) {
  rank_.resize(context.pairs.stride());
  for (std::size_t t = 0; context.pairs.known() && t < context.rank.size(); ++t) {
    rank_[t] = static_cast<Narrow>(context.rank[t] + 1);
  }
  for (Label q = 0; q < 2; ++q) {
    up_[q].resize(context.pairs.stride());
    down_[q].resize(context.pairs.stride());
  }
}

bool LastPair::may_gain(Antecedent s, Label label, const Needed& needed, const Order& order) {
  const PairGains& pairs = context_.pairs;
  order_ = order;
  work_ = 0;
  const Weight least = std::min(needed.of_one, needed.of_two);
  if (least <= 0 || !pairs.known()) return true;
  const RuleAfter after = last_rule_.after(s, label);
  gain_left_ = after.gain_left;
  const Weight left = pairs.wide(gain_left_);
  if (least > left) return false;
  // No rule gains more than is left.
  const Narrow of_two = pairs.up(std::min(needed.of_two, left + 1));
  const RulesAfter rules{
      .gain = gain_.data(), .harm = harm_.data(), .halves = halves_.data(), .needed = of_two};
  work_ = last_rule_.work();
  const Narrow most = context_.kernels.rules_after(after, pairs.stride(), rules);
  if (pairs.wide(most) >= needed.of_one) return true;
  find_most_pure(label, of_two);
  return bits::any_of(halves_.data(), halves_.size(), [&](std::size_t t) {
    if (!may_be_half(static_cast<Antecedent>(t), of_two)) return false;
    work_ += last_rule_.work();
    const RuleBeside rule = beside(static_cast<Antecedent>(t), label, last_rule_.gains(1 - label));
    return context_.kernels.largest_beside(rule, pairs.stride()) >= of_two;
  });
}

// `harm_before` are upper bounds on what a rule that predicts the default label can take of the
// harm of others.
RuleBeside LastPair::beside(Antecedent t, Label label, const Narrow* harm_before) const {
  const PairGains& pairs = context_.pairs;
  RuleBeside rule;
  rule.gain = gain_.data();
  rule.harm = harm_.data();
  rule.harm_before = harm_before;
  rule.gain_outside = pairs.outside(t, label);
  rule.gain_overlap = pairs.overlaps(t, label);
  rule.harm_overlap = pairs.overlaps(t, 1 - label);
  rule.own_gain = gain_[t];
  rule.own_harm = harm_[t];
  rule.own_whole = static_cast<Narrow>(rule.gain_overlap[t] + pairs.rounding());
  rule.gain_left = gain_left_;
  rule.rank = rank_.data();
  if (order_.rule == kNoAntecedent) return rule;
  const Narrow least = rank_[order_.rule];
  if (order_.label == label) {
    rule.least_spared = least;
  } else {
    rule.least_both = rank_[t] < least ? std::numeric_limits<Narrow>::max() : least;
  }
  return rule;
}

// If both rules of a pair predict the other label than the default, neither harms more than the
// pair can afford, and both are in order with the rule before them. Finds the most that such a rule
// gains.
void LastPair::find_most_pure(Label label, Narrow of_two) {
  most_harm_ = most_pure_ = std::numeric_limits<Narrow>::max();
  least_rank_ = 0;
  if (bits::count(halves_.data(), halves_.size()) <= kFewHalves) return;  // not worth a pass
  most_harm_ = narrow::excess(gain_left_, of_two);
  if (order_.rule != kNoAntecedent && order_.label != label) least_rank_ = rank_[order_.rule];
  // Values are below 2^15, and every processor has vectors of signed ones.
  using Signed = std::int16_t;
  const auto harm_limit = static_cast<Signed>(most_harm_);
  const auto rank_limit = static_cast<Signed>(least_rank_);
  Signed most = 0;
  const Narrow* gain = gain_.data();
  const Narrow* harm = harm_.data();
  const Narrow* rank = rank_.data();
  const std::size_t n = gain_.size();
  for (std::size_t t = 0; t < n; ++t) {
    // Without branches, and with masks, so that it is vectorised everywhere.
    const int fits = static_cast<int>(static_cast<Signed>(harm[t]) <= harm_limit) &
                     static_cast<int>(static_cast<Signed>(rank[t]) >= rank_limit);
    const auto pure = static_cast<Signed>(static_cast<Signed>(gain[t]) & -fits);
    most = most < pure ? pure : most;
  }
  most_pure_ = static_cast<Narrow>(most);
}

// Whether a pair with this rule may gain as much: with another one for the same label, or behind
// one for the default.
bool LastPair::may_be_half(Antecedent t, Narrow of_two) const {
  return gain_[t] >= of_two || (harm_[t] <= most_harm_ && rank_[t] >= least_rank_ &&
                                gain_[t] + most_pure_ >= of_two + harm_[t]);
}

void LastPair::start_counting(const BitSlices::Set& left) {
  left_ = &left;
  is_counted_ = false;
  n_pairs_ = 0;
}

LastPair::Answer LastPair::count(Label label, Weight needed, Pair& found) {
  work_ = 0;
  if (halves_fall(label, needed)) return Answer::kNone;
  count_rules();
  RuleAfter after;
  after.gain = after.gain_outside = up_[label].data();
  after.harm = after.harm_overlap = down_[1 - label].data();
  after.gain_left = gain_left_;
  const Narrow of_two = context_.pairs.up(needed);
  context_.kernels.rules_after(
      after, context_.pairs.stride(),
      {.gain = gain_.data(), .harm = harm_.data(), .halves = halves_.data(), .needed = of_two});
  find_most_pure(label, of_two);
  work_ += last_rule_.work();
  std::fill(settled_.begin(), settled_.end(), 0);
  Answer answer = Answer::kNone;
  bits::any_of(halves_.data(), halves_.size(), [&](std::size_t i) {
    const auto t = static_cast<Antecedent>(i);
    if (!may_be_half(t, of_two)) return false;
    answer = count_beside(t, label, needed, found);
    bits::set(settled_.data(), t);
    return answer != Answer::kNone;
  });
  return answer;
}

// Counts the better halves, if they are few: whether none is left.
bool LastPair::halves_fall(Label label, Weight needed) {
  if (is_counted_ || bits::count(halves_.data(), halves_.size()) > kFewHalves) return false;
  const BitSlices& slices = context_.counter.slices();
  return !bits::any_of(halves_.data(), halves_.size(), [&](std::size_t t) {
    work_ += work::bytes(slices.size() * sizeof(Word));
    const Weight gain = slices.sum(*left_, t, label);
    return gain >= needed || 2 * gain - slices.sum(*left_, t, 1 - label) >= needed;
  });
}

void LastPair::count_rules() {
  if (is_counted_) return;
  is_counted_ = true;
  const std::size_t n = context_.problem->n_antecedents();
  const Columns& columns = context_.counter.columns();
  columns.count(*left_, last_rule_.viable(), 2, sums_.data(), stride_, scratch_);
  for (Label q = 0; q < 2; ++q) {
    context_.kernels.narrow_gains(sums(q), zeros_.data(), last_rule_.viable(), n,
                                  {up_[q].data(), down_[q].data(), context_.pairs.shift()});
  }
  work_ += columns.work(scratch_) + work::elements(n);
}

// All pairs of t and another rule.
LastPair::Answer LastPair::count_beside(Antecedent t, Label label, Weight needed, Pair& found) {
  const PairGains& pairs = context_.pairs;
  const RuleBeside rule = beside(t, label, up_[1 - label].data());
  work_ += last_rule_.work();
  const Narrow least = pairs.up(needed);
  context_.kernels.reaching_beside(rule, pairs.stride(), least, candidates_.data());
  // Settled are pairs with u in which both predict the other label than the default, or t comes
  // first. Left is u in front of t.
  RuleBeside behind = rule;
  behind.least_both = std::numeric_limits<Narrow>::max();
  Answer answer = Answer::kNone;
  bits::any_of(candidates_.data(), candidates_.size(), [&](std::size_t i) {
    const auto u = static_cast<Antecedent>(i);
    if (u == t || !bits::test(last_rule_.viable(), u)) return false;
    if (bits::test(settled_.data(), u) && behind.reach(u) < least) return false;
    if (++n_pairs_ > kMostPairs) {
      answer = Answer::kTooLong;
      return true;
    }
    const Pair pair = count_both(t, u, label, needed);
    if (pair.gain < needed) return false;
    found = pair;
    answer = Answer::kFound;
    return true;
  });
  return answer;
}

// Both rules for the other label than the default; or one of them for it, behind one for the
// default that takes what it would harm. First the gain, which excludes most pairs.
LastPair::Pair LastPair::count_both(Antecedent t, Antecedent u, Label label, Weight needed) {
  const BitSlices& slices = context_.counter.slices();
  work_ += work::bytes(slices.size() * sizeof(Word) / 2);
  const Weight* gain = sums(label);
  const Weight* harm = sums(1 - label);
  const Weight both = gain[t] + gain[u] - slices.shared(*left_, t, u, label);
  const bool too_little = both - std::max(harm[t], harm[u]) < needed;
  if (too_little && std::max(gain[t], gain[u]) < needed) return {};
  work_ += work::bytes(slices.size() * sizeof(Word) / 2);
  const Weight harm_shared = slices.shared(*left_, t, u, 1 - label);
  const Pair pairs[] = {{both - (harm[t] + harm[u] - harm_shared), t, u},
                        {both - gain[t] - (harm[u] - harm_shared), t, u},
                        {both - gain[u] - (harm[t] - harm_shared), u, t}};
  return *std::max_element(std::begin(pairs), std::end(pairs),
                           [](const Pair& a, const Pair& b) { return a.gain < b.gain; });
}

}  // namespace surelist
