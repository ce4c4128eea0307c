// The expander evaluates all children of one prefix from one pass over the groups it has not
// captured: the paper's inner loop. Each worker has one. It reads only the search's context and
// changes only itself; it passes better lists to its host.
#pragma once

#include <array>

#include "base/aligned.hpp"
#include "context/incumbent.hpp"
#include "problem/bounds.hpp"
#include "prune/child.hpp"
#include "prune/edits.hpp"
#include "prune/gain_potential.hpp"
#include "prune/label_savings.hpp"
#include "prune/last_pair.hpp"
#include "prune/relaxation.hpp"
#include "prune/replacement.hpp"
#include "prune/siblings.hpp"
#include "prune/similar_sets.hpp"
#include "prune/throttle.hpp"
#include "store/trace.hpp"

namespace surelist {

// A prefix taken from the tree to be expanded.
struct Task {
  PrefixId id = kNoPrefix;
  PrefixRecord record;
  Prefix antecedents;
  std::vector<Label> labels;  // what its rules predict
  Aligned<Word> viable;       // antecedents that may follow; empty: all but those in the prefix
};

class ExpanderHost {
 public:
  virtual ~ExpanderHost() = default;
  // A rule list that beats the expander's incumbent; returns the best objective known by now.
  virtual Objective offer(Objective objective, const Prefix& prefix) = 0;
  // Called in long expansions. If true, the expansion is given up, and must be repeated later.
  virtual bool must_abandon() = 0;
};

class Expander {
 public:
  Expander(const SearchContext& context, ExpanderHost& host);

  // From now on, only lists with so many rules or more: no shorter one is better.
  void look_for(Length shortest);
  // Evaluates the children of a prefix. False if it was given up: results are void then.
  bool expand(const Task& task, Objective best);

  const std::vector<Child>& children() const { return children_; }
  // Whether at most two more rules may follow a child, so that its own children are evaluated in
  // place.
  bool at_most_two_more(const Child& child) const;
  // Whether such a child is excluded by what one or two rules can gain (last_pair.hpp). Slower than
  // a lookup in the symmetry map.
  bool last_pair_prunes_child(const Child& child);
  // Whether the relaxation excludes all lists that start with the child (relaxation.hpp). Slower
  // still.
  bool relaxation_prunes(const Child& child);
  // The best objective it knows.
  Objective best() const { return incumbent_.objective; }
  // An edit that improves every list that starts with the child, or with the prefix (edits.hpp):
  // the place of the rule to delete, or the antecedent to insert. Slow: for children that nothing
  // else excludes.
  std::optional<std::size_t> to_delete(const Child& child);
  std::optional<Antecedent> to_insert();
  // Whether another antecedent in an earlier rule does the same (replacement.hpp). Slower.
  bool replacement_prunes(const Child& child);
  // Children that were dropped because a sibling dominates them.
  const std::vector<Siblings::Dropped>& dropped() const { return siblings_.dropped(); }
  // Whether the prefix itself was pruned, so that no child was evaluated: by what any number of
  // rules can gain, or by what one or two can where no more may follow.
  bool pruned_by_gain() const { return pruned_by_gain_; }
  bool pruned_by_last_pair() const { return pruned_by_last_pair_; }
  // The antecedents that extensions of the children may use: those that no bound has rejected.
  const Aligned<Word>& accepted() const { return accepted_; }
  // The groups that the prefix has not captured.
  const Word* set() const { return set_.data(); }
  // Antecedents that are known to capture some of these; null if none are known.
  const Word* sure_to_capture() const {
    return on(Bound::kSupport) && context_.scale.least_for_rule() > 0 ? accepted_.data() : nullptr;
  }
  // All antecedents that capture nothing of what a child leaves, and perhaps others.
  const Word* may_be_captured(const Child& child);
  Weight set_weight() const { return counts_.weight()[counts_.total()]; }
  Counters& counters() { return counters_; }
  // Of tables that grow with the square of the number of antecedents, or with the sets looked at.
  std::size_t nbytes() const { return relaxation_.nbytes() + similar_sets_.nbytes(); }
  CaptureCounts& counts() { return counts_; }

 private:
  bool on(Bound bound) const { return context_.on(bound); }
  Length child_length() const { return parent_.length + 1; }
  void set_best(Objective best);
  void offer(Weight loss, std::initializer_list<Antecedent> added);

  void open(const Task& task);
  bool gain_prunes_prefix();
  bool knows_savings() const { return savings_.is_known() && on(Bound::kGainPotential); }
  void judge_children();
  void price_rules();
  void test_savings();
  void sort_verdicts();
  void sort_passed();
  ChildTests tests() const;
  void test_last_rule(ChildTests& tests) const;
  void evaluate(Antecedent s);
  // What every list that starts with a prefix loses at least, if that leaves this minority weight.
  Weight least_loss(Weight prefix_loss, Weight minority) const {
    return on(Bound::kEquivalentPoints) ? bounds::equivalent_points(prefix_loss, minority)
                                        : prefix_loss;
  }
  Child measure(Antecedent s) const;
  bool worth_keeping(Child& child);
  bool length_prunes(Weight loss);
  // How many rules may follow a child and pay for themselves.
  enum class Following : std::uint8_t { kNone, kAtMostOne, kMore };
  Following rules_that_may_follow(Child& child, bool at_most_one_more);
  bool gain_prunes_child(GainPotential::Rest& rest, Length most);
  bool last_rule_prunes(Antecedent s);
  bool at_most_two_follow(Weight bound, Length length) const;
  bool last_pair_prunes_prefix();
  // A prefix of this loss and length that leaves what was counted, less what s captures.
  struct PairTest {
    Weight prefix_loss = 0;
    Length length = 0;
    Antecedent s = kNoAntecedent;
    LastPair::Order order = {};
  };
  bool last_pair_prunes(const PairTest& test, Throttle& throttle);
  bool count_last_pairs(const PairTest& test, Label q, const LastPair::Needed& needed);
  bool may_count_pairs(const PairTest& test) const;
  bool finds_last_rule(const PairTest& test);
  void use_net_gains(GainPotential::Rest& rest, Antecedent s);
  void look_at_last_rule(const Child& child);
  bool similar_sets_prune(const Child& child);
  std::size_t missing_after(Antecedent s) const {
    return missing_ - (missing_ > 0 && constraints_.requires_antecedent(s) ? 1 : 0);
  }
  const BitSlices::Set& cut_set();
  std::optional<LastRule::Found> find_last_rule(const Child& child, Weight most);
  std::optional<LastRule::Found> count_last_rule(const Child& child, Weight most);

  const SearchContext& context_;
  const Problem& problem_;
  const Constraints& constraints_;
  ExpanderHost& host_;
  Incumbent incumbent_;
  Counters counters_;  // taken and cleared by the host
  bool stopped_ = false;
  bool pruned_by_gain_ = false;
  bool pruned_by_last_pair_ = false;
  Throttle deletion_throttle_{1024};
  Throttle insertion_throttle_{64};
  Throttle replacement_throttle_{16};
  Throttle pair_throttle_{16};
  Throttle own_pair_throttle_{16};
  Throttle count_throttle_;
  Aligned<Throttle> relaxation_throttles_;  // by how many rules may follow

  // The prefix being expanded.
  PrefixRecord parent_;
  Prefix antecedents_;
  std::vector<Label> labels_;
  std::size_t missing_ = 0;        // required antecedents that it does not have
  Aligned<Word> set_;              // groups it has not captured
  Aligned<const Word*> captured_;  // scratch: what its antecedents capture
  Aligned<Word> viable_;           // antecedents its children may end with
  Aligned<Word> accepted_;         // of those, the ones not rejected
  CaptureCounts counts_;
  GainPotential potential_;
  LabelSavings savings_;
  LastRule last_rule_;
  LastPair last_pair_;
  Relaxation relaxation_;
  bool is_relaxed_ = false;  // whether relaxation_ was reset for this prefix
  SimilarSets similar_sets_;
  bool is_compared_ = false;  // whether similar_sets_ was started for it
  PrefixEdits edits_;
  Replacement replacement_;
  Siblings siblings_;
  BitSlices::Set set_cut_;  // the set in slices, computed on first use
  bool set_is_cut_ = false;

  // Its children: by antecedent, then those that are kept.
  Aligned<Weight> loss_;
  Aligned<Weight> label_;
  Aligned<Weight> rest_;
  Aligned<ChildTests::Verdict> verdicts_;
  std::vector<Antecedent> passed_;
  std::size_t n_passed_ = 0;
  std::vector<Child> children_;

  // Scratch for one child.
  Aligned<Weight> default_costs_;  // by label, of what it leaves
  std::array<Weight, 2> first_gains_{};
  CaptureCounts child_counts_;
  Aligned<Word> child_set_;
  Aligned<Word> candidates_;
  Aligned<Word> kept_;
  BitSlices::Set child_cut_;
  Antecedent pairs_counted_after_ = kNoAntecedent;  // the child whose groups are in child_cut_
};

}  // namespace surelist
