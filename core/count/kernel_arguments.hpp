// Arguments and results of the kernels. Formulas for one antecedent are member functions here, so
// that the loops, and code that looks at a single one, use the same.
#pragma once

#include <array>

#include "base/types.hpp"
#include "problem/bound_set.hpp"
#include "problem/bounds.hpp"

namespace surelist {

namespace narrow {

constexpr Narrow least(Narrow a, Narrow b) { return a < b ? a : b; }
constexpr Narrow largest(Narrow a, Narrow b) { return a > b ? a : b; }
constexpr Narrow excess(Narrow a, Narrow b) { return static_cast<Narrow>(largest(a, b) - b); }

}  // namespace narrow

// A group, and the value that is added to the sum of each antecedent that captures it.
template <class Lane>
struct MaskedRow {
  std::uint32_t group = 0;
  Lane value = 0;
};

// Bounds on what one more rule t can gain in a set S after another rule s, for all t at once.
// Arrays are indexed by t; last_rule.hpp explains them.
struct RuleAfter {
  const Narrow* gain = nullptr;          // of t in S, rounded up
  const Narrow* harm = nullptr;          // rounded down; everything else up
  const Narrow* gain_outside = nullptr;  // of t outside s, in the whole problem
  const Narrow* harm_overlap = nullptr;  // of t and s together, in the whole problem
  Narrow gain_left = 0;                  // what s leaves of all the gain in S
  Narrow harm_taken = 0;                 // harm of s in S

  constexpr Narrow most_gain(std::size_t t) const {
    return narrow::least(narrow::least(gain[t], gain_outside[t]), gain_left);
  }
  constexpr Narrow least_harm(std::size_t t) const {
    return narrow::excess(harm[t], narrow::least(harm_taken, harm_overlap[t]));
  }
  // The net gain; zero if t harms more than it gains.
  constexpr Narrow reach(std::size_t t) const {
    return narrow::excess(most_gain(t), least_harm(t));
  }
};

// Results for each rule by itself, and which rules can be one half of a pair that gains `needed`
// (last_pair.hpp).
struct RulesAfter {
  Narrow* gain = nullptr;  // rounded up
  Narrow* harm = nullptr;  // rounded down
  Word* halves = nullptr;  // a set of bits
  Narrow needed = 0;
};

// Bounds on what a rule t gains together with another rule u, for all u at once; see last_pair.hpp.
// Arrays are indexed by u. The sum of any two values fits into a Narrow.
struct RuleBeside {
  const Narrow* gain = nullptr;          // of u after s
  const Narrow* harm = nullptr;          // rounded down; everything else up
  const Narrow* harm_before = nullptr;   // of u in S
  const Narrow* gain_outside = nullptr;  // of u outside t, in the whole problem
  const Narrow* gain_overlap = nullptr;  // of u and t together, in the whole problem
  const Narrow* harm_overlap = nullptr;
  Narrow own_gain = 0;  // of t after s
  Narrow own_harm = 0;
  Narrow own_whole = 0;  // gain of t in the whole problem, and as much as an overlap is rounded up
  Narrow gain_left = 0;  // of all the gain in S after s
  // Rules for the label of the rule before them come in the order of their ranks: the least rank of
  // u if both predict the other label than the default, and if u predicts the default.
  const Narrow* rank = nullptr;
  Narrow least_both = 0;
  Narrow least_spared = 0;

  constexpr Narrow reach(std::size_t u) const {
    using namespace narrow;
    const Narrow own_outside = least(own_gain, excess(own_whole, gain_overlap[u]));
    // Both rules predict the other label than the default.
    const auto one_way = static_cast<Narrow>(own_gain + least(gain[u], gain_outside[u]));
    const auto other_way = static_cast<Narrow>(gain[u] + own_outside);
    const Narrow most = least(gain_left, least(one_way, other_way));
    const Narrow apart = excess(static_cast<Narrow>(own_harm + harm[u]), harm_overlap[u]);
    const Narrow both = excess(most, largest(apart, largest(own_harm, harm[u])));
    // Or u comes first, with the default label, so that t does not harm the groups that u captures.
    const Narrow spared = least(harm_before[u], harm_overlap[u]);
    const Narrow behind = excess(own_outside, excess(own_harm, spared));
    return largest(rank[u] >= least_both ? both : Narrow{0},
                   rank[u] >= least_spared ? behind : Narrow{0});
  }
};

// One more rule s in a relaxation (relaxation.hpp), and which rules t may come next. Arrays are
// indexed by t; upper bounds are rounded up, lower bounds down.
struct RelaxedStep {
  struct Class {
    const Narrow* most = nullptr;  // of this class that t captures in S
    const Narrow* least = nullptr;
    const Narrow* shared = nullptr;  // of that at most, by s as well
    const Narrow* apart = nullptr;   // and at most not by s
    Narrow own_most = 0;             // of this class that s captures
    Narrow own_least = 0;
    Narrow own_whole = 0;  // the same in the whole problem, and what `shared` may be rounded up by
    Narrow own_new = 0;    // of own_most at most, not taken before
    Narrow own_taken = 0;  // and taken before
    Narrow whole = 0;      // in all of S, at most
    Narrow left = 0;       // of that at least, not taken now
    const Narrow* taken_most = nullptr;  // what t captures and was taken before s
    const Narrow* taken_least = nullptr;
    Narrow* now_most = nullptr;  // and now
    Narrow* now_least = nullptr;
    Word* next = nullptr;  // rules for this label that may come next and be followed by another
    Word* last = nullptr;  // and those that may come next and be the last

    constexpr Narrow most_shared(std::size_t t) const {
      return narrow::least(shared[t], narrow::least(own_most, most[t]));
    }
    constexpr Narrow least_shared(std::size_t t) const {
      using namespace narrow;
      const Narrow inside = excess(least[t], apart[t]);
      const Narrow covered = excess(own_least, excess(own_whole, shared[t]));
      const Narrow squeezed = excess(static_cast<Narrow>(own_least + least[t]), whole);
      return largest(inside, largest(covered, squeezed));
    }
    // The part of what they share that was not taken before.
    constexpr Narrow most_between(std::size_t t) const {
      return narrow::least(most_shared(t), own_new);
    }
    constexpr Narrow least_between(std::size_t t) const {
      return narrow::excess(least_shared(t), own_taken);
    }
    constexpr Narrow most_with_s(std::size_t t) const {
      const Narrow room = narrow::excess(most[t], taken_most[t]);
      return static_cast<Narrow>(taken_most[t] + narrow::least(most_between(t), room));
    }
    constexpr Narrow least_with_s(std::size_t t) const {
      using namespace narrow;
      const Narrow both = least_shared(t);
      const Narrow added = excess(static_cast<Narrow>(taken_least[t] + both), own_taken);
      return largest(largest(taken_least[t], both), added);
    }
    void take(std::size_t t) const {
      now_most[t] = most_with_s(t);
      now_least[t] = least_with_s(t);
    }
  };

  std::array<Class, 2> classes;
  const Narrow* rank = nullptr;
  Narrow own_rank = 0;  // 0: neighbours with one label come in any order
  Label own_label = 0;
  Narrow worthless = 0;    // a rule that takes no more of its own class is not worth its λ
  Narrow budget_last = 0;  // for t and the default label, if t is the last
  Narrow budget = 0;       // for t, if it is not
  bool may_go_on = false;  // whether another rule may follow t at all

  // For a rule t with a label: a lower bound on its cost, an upper bound on what it takes of its
  // class.
  constexpr Narrow cost(Label label, std::size_t t) const {
    return narrow::excess(classes[1 - label].least[t], classes[1 - label].now_most[t]);
  }
  constexpr Narrow gain(Label label, std::size_t t) const {
    return narrow::excess(classes[label].most[t], classes[label].now_least[t]);
  }
  constexpr bool is_in_order(Label label, std::size_t t) const {
    if (label == own_label) return rank[t] >= own_rank;
    return classes[label].least_between(t) <= classes[own_label].most_between(t);
  }
  constexpr bool may_follow(Label label, std::size_t t) const {
    return gain(label, t) > worthless && gain(label, t) >= cost(label, t) && is_in_order(label, t);
  }
  constexpr bool may_be_last(Label label, std::size_t t) const {
    const Narrow rest = narrow::excess(classes[label].left, gain(label, t));
    return may_follow(label, t) && static_cast<Narrow>(cost(label, t) + rest) <= budget_last;
  }
  constexpr bool may_be_next(Label label, std::size_t t) const {
    return may_go_on && may_follow(label, t) && cost(label, t) <= budget;
  }
};

// Where gains are written in few bits; see LastRule.
struct NarrowGains {
  Narrow* up = nullptr;    // in units of 2^shift, rounded up
  Narrow* down = nullptr;  // and down
  unsigned shift = 0;
};

struct LargestGains {
  Weight largest = 0;
  Weight second = 0;
  Antecedent owner = kNoAntecedent;  // the antecedent with the largest
};

// What rules for one label can save in a set S, and what that label saves as default; see
// label_savings.hpp.
struct LabelSaving {
  const Weight* cost = nullptr;  // by antecedent: of predicting the label on what it captures
  Weight total = 0;              // saved by the label in all of S
  LargestGains by_rule;          // saved by a single rule; zero where rules have other labels
  Weight with_first = 0;         // `total`, and the most that the first rule gains over it
};

// For each child s, upper bounds on what one to three rules and a default save in what s leaves.
struct SavingsAfter {
  const LabelSaving* labels = nullptr;
  std::size_t n_labels = 0;
  const Weight* ceiling = nullptr;  // by antecedent
  std::array<Weight*, 3> saved{};   // by child
  Weight* further = nullptr;        // by child: upper bound on what each further rule adds
};

// By antecedent: the largest saving of any label, and that of the second-best label.
struct BestSavings {
  const Weight* ceiling = nullptr;
  const Weight* best = nullptr;
  const Weight* second = nullptr;
};

// The bounds of the inner loop that need only a child's counts, for all children at once. Losses
// are those of the child's last rule alone, so budgets are what the parent leaves of them. A bound
// that is switched off has a limit that is never reached.
struct ChildTests {
  // by antecedent
  const Weight* loss = nullptr;     // of the child's last rule
  const Weight* rest = nullptr;     // default loss of what it leaves
  const Weight* label = nullptr;    // what it predicts
  const Weight* floor = nullptr;    // minority weight of what it captures
  const Weight* ceiling = nullptr;  // most that what it captures could cost
  const Weight* weight = nullptr;   // what it captures
  const Weight* rank = nullptr;     // for the order among rules with the same label
  // of the parent
  Weight set_weight = 0;
  Weight set_floor = 0;
  Weight minority_counts = 1;  // 0: without the equivalent points bound
  Weight previous_label = 0;
  Weight previous_rank = 0;
  // limits
  Weight least_support = 0;
  Weight least_accurate = 0;
  Weight least_left = 0;
  Weight most_worthless = 0;
  Weight budget = 0;
  Weight lookahead_budget = 0;
  Weight improving = 0;  // objectives up to here beat the incumbent
  // Whether one more rule can pay, if no more may follow (last_rule.hpp); two classes only.
  struct LastRuleTest {
    const Weight* cost = nullptr;  // by antecedent: of predicting this label on what it captures
    Weight total = 0;              // on all that the parent leaves
    Weight largest = 0;            // gain of any rule there
    Weight reach = 0;              // and net gain
  };
  std::array<LastRuleTest, 2> last;  // by default label
  Weight last_budget = 0;            // if a child loses more, at most one rule may follow it
  Weight next_budget = 0;            // the budget with that rule

  // The number of the bound that excludes a child, or one of two special values.
  using Verdict = std::int8_t;
  static constexpr Verdict kPasses = -1;
  static constexpr Verdict kAbsent = -2;  // its antecedent is not viable

  // The first bound that excludes the child. Branch-free: later bounds are tested first and
  // overwritten.
  constexpr Weight verdict(std::size_t s) const {
    const Weight left = minority_counts * (set_floor - floor[s]);
    const Weight bound = bounds::equivalent_points(loss[s], left);
    const bool hopeless = bound > last_budget && none_pays(0, s) && none_pays(1, s);
    Weight v = hopeless ? number(Bound::kGainPotential) : kPasses;
    v = bounds::lookahead_prunes(bound, lookahead_budget) ? number(Bound::kLookahead) : v;
    v = bounds::hierarchical_prunes(bound, budget) ? number(Bound::kEquivalentPoints) : v;
    v = loss[s] + rest[s] <= improving ? kPasses : v;
    v = bounds::hierarchical_prunes(loss[s], budget) ? number(Bound::kHierarchical) : v;
    v = bounds::same_label_order_skips(previous_rank, previous_label, rank[s], label[s])
            ? number(Bound::kSameLabelOrder)
            : v;
    v = bounds::rule_worth_rejects(ceiling[s], loss[s], most_worthless) ? number(Bound::kRuleWorth)
                                                                        : v;
    v = bounds::excessive_support_rejects(set_weight - weight[s], least_left)
            ? number(Bound::kExcessiveSupport)
            : v;
    v = bounds::accurate_support_rejects(weight[s], loss[s], least_accurate)
            ? number(Bound::kAccurateSupport)
            : v;
    return bounds::support_rejects(weight[s], least_support) ? number(Bound::kSupport) : v;
  }

 private:
  constexpr bool none_pays(std::size_t q, std::size_t s) const {
    const Weight harm = last[1 - q].cost[s] - floor[s];
    const Weight net = last[q].reach + harm;  // s reduces the harm of a rule by at most its own
    const Weight most = net < last[q].largest ? net : last[q].largest;
    return loss[s] + last[q].total - last[q].cost[s] - most > next_budget;
  }
  static constexpr Weight number(Bound bound) { return static_cast<Weight>(bound); }
};

// The range of slice words (bit_slices.hpp) that make up one sum; before `shifted`, all shifts are
// zero.
struct SliceLane {
  std::size_t begin = 0;
  std::size_t shifted = 0;
  std::size_t end = 0;
};

// A word of a set that was cut into slices, and where it belongs.
struct SliceWord {
  Word members = 0;
  std::uint32_t at = 0;  // the word of the set
  std::uint32_t shift = 0;
};

// Sums of several antecedents at once, side by side in the lanes of a vector.
struct SideBySide {
  static constexpr std::size_t kColumns = 8;  // antecedents of a block

  const SliceWord* words = nullptr;
  const SliceLane* lanes = nullptr;  // ranges of `words`, one for each sum
  std::size_t n_lanes = 0;
  // By block, then word of the set, then column: what the antecedent captures.
  const Word* captured = nullptr;
  std::size_t block_words = 0;            // of a block
  const std::uint32_t* blocks = nullptr;  // to be counted
  std::size_t n_blocks = 0;
  Weight* sums = nullptr;  // by lane and column
  std::size_t stride = 0;  // between lanes
};

// A walk through the rules of a prefix, over slices of groups (bit_slices.hpp). It finds the groups
// that exactly one of its antecedents captures, those for which it predicts label 1, and what its
// rules are worth (edits.hpp): rule j is worth signs[j] times the sum over what it captures; a
// group that one earlier antecedent captures reduces the worth of that rule by as much.
struct PrefixWalk {
  const Word* const* captured = nullptr;  // by rule: what its antecedent captures
  const Word* slices = nullptr;
  const Word* shifts = nullptr;
  const Label* labels = nullptr;
  const std::int8_t* signs = nullptr;
  bool has_minus = false;  // whether one of them is below zero
  std::size_t n_rules = 0;
  SliceLane lane;
  Word* once = nullptr;
  Word* ones = nullptr;
  Weight* worth = nullptr;  // added to

  static constexpr std::size_t kMostRules = 32;  // that a kernel takes
};

}  // namespace surelist
