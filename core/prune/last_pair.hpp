// What two more rules can gain, with two classes; see last_rule.hpp for one. After (P, s), where P
// leaves S, let gain(t) and harm(t) be the bounds on what a rule t gains and harms. If two rules t
// and u both predict the other label than the default one, together they gain at most
//   min(gain(t) + gain(u∖t), gain(u) + gain(t∖u), all that is left)
// and harm at least
//   max(harm(t), harm(u), harm(t) + harm(u) − harm(t∩u)),
// where t∖u and t∩u are those in the whole problem. If the first predicts the default label, it
// gains nothing, but spares the second what that would harm within it.
//
// A pair that gains G has a half t with 2·gain(t) − harm(t) ≥ G, for both gain(t) + gain(u) −
// harm(t) and the same with harm(u) are no less; or the second rule alone gains as much. Few rules
// do, and only pairs with them are looked at.
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
  // Whether one rule after (P, s), or two, may gain as much for a default label; P is the last
  // rule's.
  bool may_gain(Antecedent s, Label label, const Needed& needed);
  std::uint64_t work() const { return work_; }  // that the last answer took

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
