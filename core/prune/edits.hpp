// Prefixes that an edit improves. If taking a rule out of a prefix, or putting one in at its front,
// makes every list that starts with it strictly better whatever follows, then no optimal list
// starts with it. Unlike the other ways to dominate, this asks nothing of the edited prefix: it
// need not have been searched, or be in the tree, because there is nothing better than an optimum.
//
// Deletion. Rule i captures C. Without it the later rules of the prefix capture some of C, with the
// labels they have, and whatever follows deals with the rest, at worst at its ceilings. So rule i
// is worth ceiling(C) − loss(C) less what later rules save of the ceilings; that must pay its λ.
//
// Insertion, with two classes. A rule t for label q at the front corrects groups for which the
// prefix predicts 1 − q. What t captures of the groups not captured so far costs what q costs
// there, instead of at least the minority weight. If more than λ is gained, the prefix is improved;
// if t is in the prefix already, and so only moves, if anything is.
#pragma once

#include <array>

#include "base/aligned.hpp"
#include "context/context.hpp"

namespace surelist {

class PrefixEdits {
 public:
  explicit PrefixEdits(const SearchContext& context);

  // A prefix and what its rules predict; both must stay until the next call. The work is done when
  // something is asked.
  void reset(const Prefix& prefix, const std::vector<Label>& labels);

  // Whether the prefix, extended by a rule, is better without one of the rules before that.
  bool deletion_improves(Antecedent added, Label label);

  // Whether lists may get longer, and rules for either label come before all others.
  bool may_insert() const;
  // Whether the prefix is better with one more rule at its front, where that may be. `counts` are
  // those of the groups it has not captured, known for the antecedents in `viable` alone.
  bool insertion_improves(const CaptureCounts& counts, const Word* viable);

 private:
  using Gains = std::array<Weight, 2>;  // by label: what it costs above floor

  bool walk();
  bool may_delete(std::size_t i) const;
  Weight most_saved(Antecedent earlier, Antecedent s, Label label) const;
  bool may_pay(Antecedent t, const Gains& left, const Gains& wrong, Weight price) const;
  bool pays(Antecedent t, const Gains& left, Weight price) const;

  const SearchContext& context_;
  const BitSlices& slices_;
  const Prefix* prefix_ = nullptr;
  const std::vector<Label>* labels_ = nullptr;
  bool is_walked_ = false;
  BitSlices::Walked walked_;
  std::vector<bool> used_;    // scratch: antecedents in the prefix
  Aligned<Weight> whole_[2];  // by label and antecedent, last all groups: cost above floor
};

}  // namespace surelist
