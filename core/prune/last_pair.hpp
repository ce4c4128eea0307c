// What two more rules can gain, with two classes: a bound, and an exact answer; last_rule.hpp has
// the same for one rule. After (P, s), where P leaves S, let gain(t) and harm(t) bound what a rule
// t gains and harms. If two rules t and u both predict the other label than the default, together
// they gain at most
//   min(gain(t) + gain(u∖t), gain(u) + gain(t∖u), all that is left)
// and harm at least
//   max(harm(t), harm(u), harm(t) + harm(u) − harm(t∩u)),
// where gain(t∖u) and harm(t∩u) are taken in the whole problem. If the first rule predicts the
// default label, it gains nothing, but the second does not harm the groups that the first captures.
//
// If a pair gains G, then one of its rules, t, has 2·gain(t) − harm(t) ≥ G, because both gain(t) +
// gain(u) − harm(t) and gain(t) + gain(u) − harm(u) are at least G; or the second rule alone gains
// G. Few rules do, and only pairs with one of them are tested.
//
// The pairs that the bound leaves are counted: first what the better halves capture of what (P, s)
// leaves; if that is not enough, what every rule captures of it; and then what both rules of a pair
// capture. That is far less work than to expand (P, s).
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
  // The rule before the pair, if rules with the same label come in the order of their ranks: s, or
  // the last one of P.
  struct Order {
    Antecedent rule = kNoAntecedent;
    Label label = 0;
  };
  // Whether one rule after (P, s), or two, may gain as much under a default label. P is the prefix
  // that `last_rule` was reset for.
  bool may_gain(Antecedent s, Label label, const Needed& needed, const Order& order);

  // A pair in order, and what it gains.
  struct Pair {
    Weight gain = 0;
    Antecedent first = kNoAntecedent;
    Antecedent second = kNoAntecedent;
  };
  enum class Answer : std::uint8_t { kNone, kFound, kTooLong };
  // Begins to count pairs in `left`, the groups that (P, s) leaves.
  void start_counting(const BitSlices::Set& left);
  // Whether a pair after (P, s) gains as much: right after may_gain for the same s and label.
  // `found` is such a pair. There may be too many pairs to count.
  Answer count(Label label, Weight needed, Pair& found);

  std::uint64_t work() const { return work_; }  // of the last call

 private:
  RuleBeside beside(Antecedent t, Label label, const Narrow* harm_before) const;
  bool halves_fall(Label label, Weight needed);
  void count_rules();
  void find_most_pure(Label label, Narrow of_two);
  bool may_be_half(Antecedent t, Narrow of_two) const;
  Answer count_beside(Antecedent t, Label label, Weight needed, Pair& found);
  Pair count_both(Antecedent t, Antecedent u, Label label, Weight needed);
  const Weight* sums(Label label) const { return sums_.data() + label * stride_; }

  const SearchContext& context_;
  const LastRule& last_rule_;
  // After (P, s).
  Aligned<Narrow> gain_;
  Aligned<Narrow> harm_;
  Aligned<Word> halves_;
  Narrow gain_left_ = 0;
  Order order_;
  // Of a rule that may be one of two for the other label than the default.
  Narrow most_harm_ = 0;
  Narrow least_rank_ = 0;
  Narrow most_pure_ = 0;  // gain
  Aligned<Narrow> rank_;  // from 1
  // Counted exactly there.
  const BitSlices::Set* left_ = nullptr;
  bool is_counted_ = false;  // every rule
  std::size_t n_pairs_ = 0;
  std::size_t stride_;
  Aligned<Weight> sums_;  // by label: what rules gain if it is the default
  Aligned<Weight> zeros_;
  Aligned<Narrow> up_[2];  // the same, rounded
  Aligned<Narrow> down_[2];
  Columns::Scratch scratch_;
  Aligned<Word> candidates_;
  Aligned<Word> settled_;  // halves all of whose pairs were counted
  std::uint64_t work_ = 0;
};

}  // namespace surelist
