// A bound on what two more rules can gain, with two classes; last_rule.hpp has the one for one
// rule. After (P, s), where P leaves S, let gain(t) and harm(t) bound what a rule t gains and
// harms. If two rules t and u both predict the other label than the default, together they gain at
// most
//   min(gain(t) + gain(u∖t), gain(u) + gain(t∖u), all that is left)
// and harm at least
//   max(harm(t), harm(u), harm(t) + harm(u) − harm(t∩u)),
// where gain(t∖u) and harm(t∩u) are taken in the whole problem. If the first rule predicts the
// default label, it gains nothing, but the second does not harm the groups that the first captures.
//
// If a pair gains G, then one of its rules, t, has 2·gain(t) − harm(t) ≥ G, because both gain(t) +
// gain(u) − harm(t) and gain(t) + gain(u) − harm(u) are at least G; or the second rule alone gains
// G. Few rules do, and only pairs with one of them are tested.
#pragma once

#include "base/aligned.hpp"
#include "prune/last_rule.hpp"

namespace surelist {

class LastPair {
 public:
  LastPair(const SearchContext& context, const LastRule& last_rule);

  // What one rule, or two, would have to gain.
  struct Needed {
    Weight of_one = 0;
    Weight of_two = 0;
  };
  // Whether one rule after (P, s), or two, may gain as much under a default label. P is the prefix
  // that `last_rule` was reset for.
  bool may_gain(Antecedent s, Label label, const Needed& needed);
  std::uint64_t work() const { return work_; }  // of the last call

 private:
  bool half_may_gain(Antecedent t, Label label, Narrow gain_left, Narrow needed) const;

  const SearchContext& context_;
  const LastRule& last_rule_;
  // After (P, s).
  Aligned<Narrow> gain_;
  Aligned<Narrow> harm_;
  Aligned<Word> halves_;
  std::uint64_t work_ = 0;
};

}  // namespace surelist
