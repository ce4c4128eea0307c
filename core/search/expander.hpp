// All children of one prefix, from one pass over the groups it has not captured: the paper's inner
// loop. An expander belongs to one thread. It reads what the search shares, and changes nothing but
// itself; what it finds it tells its host.
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
#include "prune/siblings.hpp"
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
  // Asked now and then in long expansions; one that is stopped has to be begun again.
  virtual bool must_abandon() = 0;
};

class Expander {
 public:
  Expander(const SearchContext& context, ExpanderHost& host);

  // Evaluates the children of a prefix; false where the host stopped it, and all is void.
  bool expand(const Task& task, Objective best);

  const std::vector<Child>& children() const { return children_; }
  // Whether at most two more rules may follow a child, so that none of its own children stays.
  bool at_most_two_more(const Child& child) const;
  // Whether such a child is excluded by what one or two rules can gain: a test that takes longer
  // than looking the child up.
  bool last_pair_prunes_child(const Child& child);
  // Whether no list that starts with the child can be better, however many rules follow: a test
  // that takes longer still.
  bool relaxation_prunes(const Child& child);
  // The best objective that it knows of.
  Objective best() const { return incumbent_.objective; }
  // Whether every list that starts with the child would be better without one of its rules, or
  // every list that starts with the prefix with one more rule in front. Both take time: they are
  // asked of what nothing else excludes.
  bool deletion_improves(const Child& child);
  bool insertion_improves();
  // Whether the prefix itself was pruned, so that no child was evaluated: by what any number of
  // rules can gain, or by what one or two can where no more may follow.
  bool pruned_by_gain() const { return pruned_by_gain_; }
  bool pruned_by_last_pair() const { return pruned_by_last_pair_; }
  // Antecedents that the children's extensions may use: those that have not been rejected.
  const Aligned<Word>& accepted() const { return accepted_; }
  // The groups that the prefix has not captured.
  const Word* set() const { return set_.data(); }
  // Antecedents that capture something of that; null: nobody knows.
  const Word* sure_to_capture() const {
    return on(Bound::kSupport) && context_.scale.least_for_rule() > 0 ? accepted_.data() : nullptr;
  }
  // Antecedents that may capture nothing of what a child leaves; all others do capture something.
  const Word* may_be_captured(const Child& child);
  Weight set_weight() const { return counts_.weight()[counts_.total()]; }
  Counters& counters() { return counters_; }
  // Of what grows with the square of the antecedents.
  std::size_t nbytes() const { return relaxation_.nbytes(); }
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
  };
  bool last_pair_prunes(const PairTest& test, Throttle& throttle);
  void use_net_gains(GainPotential::Rest& rest, Antecedent s);
  void look_at_last_rule(const Child& child);
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
  Counters counters_;  // since the host last took them
  bool stopped_ = false;
  bool pruned_by_gain_ = false;
  bool pruned_by_last_pair_ = false;
  Throttle deletion_trials_{1024};
  Throttle insertion_trials_{64};
  Throttle pair_trials_{16};
  Throttle own_pair_trials_{16};
  Aligned<Throttle> relaxation_trials_;  // by how many rules may follow

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
  bool is_relaxed_ = false;  // whether that has this prefix yet
  PrefixEdits edits_;
  Siblings siblings_;
  BitSlices::Set set_cut_;  // the set in slices, made when first asked for
  bool set_is_cut_ = false;

  // Its children: by antecedent, then those worth keeping.
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
};

}  // namespace surelist
