// Edits: deletion and insertion of a rule. If deleting a rule of a prefix, or inserting one at its
// front, makes every list that starts with the prefix strictly better, whatever follows, then no
// optimal list starts with it. Unlike the dominance bounds this needs no other prefix in the tree:
// the edited list only has to exist.
//
// Deletion. Rule i captures C. Without it, later rules of the prefix capture a part of C, with the
// labels they have; the rest costs at most its ceilings, whatever follows. So rule i is worth
// ceiling(C) − loss(C) less what later rules save of the ceilings. If that is less than λ, the list
// is better without it.
//
// Insertion, with two classes. A rule t for label q at the front corrects groups for which the
// prefix predicts 1 − q. What t captures of the groups that the prefix leaves costs what q costs
// there, instead of at least the minority weight. If t gains more than λ, the list is better with
// it. If t is in the prefix already it only moves, and any gain is enough.
#pragma once

#include <array>
#include <optional>

#include "base/aligned.hpp"
#include "context/context.hpp"

namespace surelist {

class PrefixEdits {
 public:
  explicit PrefixEdits(const SearchContext& context);

  // A prefix and the labels of its rules, which must exist until the next call. Computes nothing
  // yet.
  void reset(const Prefix& prefix, const std::vector<Label>& labels);

  // A rule of the prefix without which the prefix is better once it is extended: its place.
  std::optional<std::size_t> to_delete(Antecedent added, Label label);

  // Whether the constraints allow a rule for either label at the front of any list.
  bool may_insert() const;
  // A rule at the front with which the prefix is better; only if may_insert(). `counts` are those
  // of the groups it has not captured, valid only for the antecedents in `viable`.
  std::optional<Antecedent> to_insert(const CaptureCounts& counts, const Word* viable);

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
