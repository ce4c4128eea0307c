// A bound on what one more rule can gain, with two classes. A last rule t matters only if it
// predicts the other label than the default q. Then its net gain in a set is the sum of cost(q) −
// cost(1 − q) over what it captures: its gain (groups that cost less) less its harm (groups that
// cost more). From the counts of a prefix P that leaves S, the net gain of t after (P, s) is at
// most
//   min(gain(t), gain(t∖s), gain(S) − gain(s)) − max(0, harm(t) − min(harm(s), harm(t∩s))),
// where gain(t∖s) and harm(t∩s) are taken in the whole problem, and so are upper bounds. Few rules
// reach the gain that is needed, and only those are counted exactly.
#pragma once

#include <optional>

#include "base/aligned.hpp"
#include "base/work.hpp"
#include "context/context.hpp"

namespace surelist {

class LastRule {
 public:
  explicit LastRule(const SearchContext& context);

  // P's counts, and the antecedents that may still be used.
  void reset(const CaptureCounts& counts, const Word* viable);

  // The largest net gain of a rule under a default label: after P, or after (P, s). Never negative.
  Weight reach(Label label) const { return reach_[label]; }
  // A weaker bound in constant time: s reduces the harm of others by no more than its own.
  Weight most_after(Antecedent s, Label label) const {
    return reach_[label] + counts_->cost(1 - label)[s] - counts_->floor()[s];
  }
  Weight reach_after(Antecedent s, Label label) const;
  // Of reach_after for both labels.
  std::uint64_t work() const {
    return work::elements(context_.pairs.known() ? context_.pairs.stride() / 8 : 1);
  }
  // By rule: gain after P, rounded up; harm, rounded down; and what the kernels need after (P, s).
  const Narrow* gains(Label label) const { return gain_[label].data(); }
  const Narrow* harms(Label label) const { return harm_[label].data(); }
  const Word* viable() const { return viable_; }
  // (kNoAntecedent: after P itself)
  RuleAfter after(Antecedent s, Label label) const;

  struct Found {
    Weight loss = 0;  // of rule and default together
    Antecedent antecedent = 0;
  };
  // The rule after (P, s) with which what (P, s) leaves, `left`, loses least, if that is `most` or
  // less. `default_costs` are what each label costs there.
  std::optional<Found> find(Antecedent s, const Weight* default_costs, Weight most,
                            const BitSlices::Set& left);

 private:
  const SearchContext& context_;
  std::size_t n_antecedents_;
  const CaptureCounts* counts_ = nullptr;
  const Word* viable_ = nullptr;
  // By default label, in the units of the pairs. Harm is the other label's gain, rounded down.
  Aligned<Narrow> gain_[2];
  Aligned<Narrow> harm_[2];
  Weight reach_[2] = {};    // after P
  Aligned<Word> reaching_;  // scratch
};

}  // namespace surelist
