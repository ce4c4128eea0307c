// A bound for more than two classes, from the fact that each rule predicts one label. On a group, a
// label saves ceiling − cost, which is never negative. A list loses the ceilings of all groups,
// less what its labels save on the groups that they are predicted for. In the set S that a prefix P
// leaves,
//  - all rules for label r, and the default if it is r, save no more than r saves on all of S;
//  - n rules for r save no more than the n largest savings of r by single antecedents;
//  - so j rules and a default save at most what the best choice of labels allows. With ten classes
//    and three rules, at least six classes are never predicted.
// Under default q, a rule for r gains what r saves on what it captures, less what q would save
// there (its harm). The first of j rules captures all of S that its antecedent does, so it gains at
// most the largest net saving of a single rule; a child s reduces its harm by at most what q saves
// on s.
#pragma once

#include "base/aligned.hpp"
#include "context/budget.hpp"
#include "context/context.hpp"
#include "prune/last_rule.hpp"

namespace surelist {

class LabelSavings {
 public:
  explicit LabelSavings(const SearchContext& context);

  // Whether there are more than two classes; the rest may only be called then.
  bool is_known() const { return !labels_.empty(); }

  // P's counts, and the antecedents that may still be used.
  void reset(const CaptureCounts& counts, const Word* viable);
  // For all children of P at once.
  void judge_children();

  // A prefix whose savings are known: P, or its child s.
  struct Rest {
    Antecedent s = kNoAntecedent;
    Weight prefix_loss = 0;
    Length length = 0;
  };
  // Whether no list with so many more rules can keep to the budget.
  bool prunes(const Rest& rest, const Budget& budget, MoreRules more) const;
  // Lower bound on the objective of every list with one to `most` more rules.
  Objective lower_bound(const Rest& rest, Length most) const;

  // The rule after (P, s) with which what (P, s) leaves, `left`, loses least, if that is `most` or
  // less.
  std::optional<LastRule::Found> find_last(Antecedent s, Weight most, const BitSlices::Set& left);

 private:
  static constexpr std::size_t kRules = 3;  // each further one is taken to add the same
  // Calls visit(j, loss reached with j more rules) while more rules can help; stops on true.
  template <class Visit>
  void for_each_length(const Rest& rest, Length most, Length shortest, Visit&& visit) const;
  void judge_prefix();
  void find_candidates(Antecedent s, Weight least_saved);
  bool may_predict(Label label) const {
    const std::optional<Label>& only = context_.constraints().rule_label;
    return !only || *only == label;
  }

  const SearchContext& context_;
  std::size_t n_antecedents_;
  const CaptureCounts* counts_ = nullptr;
  const Word* viable_ = nullptr;
  Aligned<LabelSaving> labels_;
  // By antecedent, and last for P itself.
  Aligned<Weight> saved_[kRules];
  Aligned<Weight> further_;
  Aligned<Weight> best_;    // of one rule, by antecedent
  Aligned<Weight> second_;  // for another label
  // Rules that may be the last, for one child: default label, label and rule.
  struct Candidate {
    Label default_label;
    Label label;
    Antecedent antecedent;
  };
  std::vector<Candidate> candidates_;
};

}  // namespace surelist
