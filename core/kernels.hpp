// The loops that take the time, compiled for several instruction sets. One binary runs everywhere:
// the best set that the processor has is chosen when a search is made.
#pragma once

#include <array>
#include <string_view>

#include "bound_set.hpp"
#include "bounds.hpp"
#include "types.hpp"

namespace surelist {

// What one more rule t may still gain from a set S after another rule s, for all t at once. The
// arrays go by t; see last_rule.hpp for their meaning.
struct RuleAfter {
  const Narrow* gain = nullptr;          // of t in S, rounded up
  const Narrow* harm = nullptr;          // rounded down; everything else up
  const Narrow* gain_outside = nullptr;  // of t outside s, in the whole problem
  const Narrow* harm_overlap = nullptr;  // of t and s together, in the whole problem
  Narrow gain_left = 0;                  // what s leaves of all the gain in S
  Narrow harm_taken = 0;                 // harm of s in S

  // Zero where t harms more than it gains.
  constexpr Narrow reach(std::size_t t) const {
    const Narrow most = least(least(gain[t], gain_outside[t]), gain_left);
    const Narrow taken = least(harm_taken, harm_overlap[t]);
    return excess(most, excess(harm[t], taken));
  }

 private:
  static constexpr Narrow least(Narrow a, Narrow b) { return a < b ? a : b; }
  static constexpr Narrow excess(Narrow a, Narrow b) {
    return static_cast<Narrow>((a > b ? a : b) - b);
  }
};

// The gains of rules in few bits, see LastRule.
struct NarrowGains {
  Narrow* up = nullptr;    // in units of 2^shift, rounded up
  Narrow* down = nullptr;  // and down
  unsigned shift = 0;
};

struct LargestGains {
  Weight largest = 0;
  Weight second = 0;
  Antecedent owner = kNoAntecedent;  // of the largest
};

// The tests of the inner loop that need no more than a child's counts, for all children at once.
// Losses are those of the child's last rule alone, so budgets are what the parent has left of them.
// A test that is switched off has a limit that nothing reaches.
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
  // Whether one more rule can pay, where no more may follow (last_rule.hpp); two classes.
  struct LastRuleTest {
    const Weight* cost = nullptr;  // by antecedent: of predicting this label on what it captures
    Weight total = 0;              // on all that the parent leaves
    Weight largest = 0;            // gain of any rule there
    Weight reach = 0;              // and net gain
  };
  std::array<LastRuleTest, 2> last;  // by default label
  Weight last_budget = 0;            // a child that loses more has at most one rule to go
  Weight next_budget = 0;            // objectives with that rule

  // The number of the bound that excludes a child, or one of these.
  using Verdict = std::int8_t;
  static constexpr Verdict kPasses = -1;
  static constexpr Verdict kAbsent = -2;  // there is no such child

  // The first bound that excludes the child. Branch-free, last test first.
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
    const Weight net = last[q].reach + harm;  // whatever s takes away helps no rule more than that
    const Weight most = net < last[q].largest ? net : last[q].largest;
    return loss[s] + last[q].total - last[q].cost[s] - most > next_budget;
  }
  static constexpr Weight number(Bound bound) { return static_cast<Weight>(bound); }
};

// Words of slices (bit_slices.hpp) that make up a sum; up to `shifted`, all shifts are zero.
struct SliceLane {
  std::size_t begin = 0;
  std::size_t shifted = 0;
  std::size_t end = 0;
};

// A prefix seen along slices of groups (bit_slices.hpp): which groups one antecedent of it alone
// captures, which it predicts as label 1, and what its rules are worth (edits.hpp). Rule j adds
// signs[j] times the sum over what it captures, and takes away as much from the only earlier
// antecedent that captures a group, on that group.
struct PrefixWalk {
  const Word* const* captured = nullptr;  // by rule: what its antecedent captures
  const Word* slices = nullptr;
  const Word* shifts = nullptr;
  const Label* labels = nullptr;
  const std::int8_t* signs = nullptr;
  std::size_t n_rules = 0;
  SliceLane lane;
  Word* once = nullptr;
  Word* ones = nullptr;
  Weight* worth = nullptr;  // added to

  static constexpr std::size_t kMostRules = 32;  // that a kernel takes
};

struct Kernels {
  std::string_view name;

  // sums += the rows of `matrix` (n_values each) that `groups` names.
  void (*add_rows_16)(std::uint16_t* sums, const std::uint16_t* matrix, std::size_t n_values,
                      const std::uint32_t* groups, std::size_t n_groups);
  void (*add_rows_32)(std::uint32_t* sums, const std::uint32_t* matrix, std::size_t n_values,
                      const std::uint32_t* groups, std::size_t n_groups);
  void (*add_rows_64)(std::uint64_t* sums, const std::uint64_t* matrix, std::size_t n_values,
                      const std::uint32_t* groups, std::size_t n_groups);

  // lanes = left − sums, or sums where `left` is null, of n values, widened.
  void (*widen_16)(const std::uint16_t* left, const std::uint16_t* sums, std::size_t n,
                   Weight* lanes);
  void (*widen_32)(const std::uint32_t* left, const std::uint32_t* sums, std::size_t n,
                   Weight* lanes);
  void (*widen_64)(const std::uint64_t* left, const std::uint64_t* sums, std::size_t n,
                   Weight* lanes);
  // Two classes: from the lanes of both costs and floor, `stride` apart, those of ceiling and
  // weight.
  void (*derive)(Weight* lanes, std::size_t stride, std::size_t n);

  // For each lane, Σ of popcount(a[i] & b[i]) · 2^shifts[i] over its words, a multiple of 8; into
  // sums[lane · stride].
  void (*lane_overlaps)(const Word* a, const Word* b, const Word* shifts, const SliceLane* lanes,
                        std::size_t n_lanes, Weight* sums, std::size_t stride);

  // The same of three, for one lane of n words.
  Weight (*triple_overlap)(const Word* a, const Word* b, const Word* c, const Word* shifts,
                           std::size_t n);
  void (*walk)(const PrefixWalk& walk);

  // result[i] = slices[i] & groups[word_of[i]], of n words, a multiple of 8.
  void (*cut)(const Word* slices, const Word* groups, const std::uint32_t* word_of, std::size_t n,
              Word* result);
  // result = a & ~b, of n words each; the result may be a.
  void (*subtract)(const Word* a, const Word* b, std::size_t n, Word* result);
  // result = all less what the first n_sets of `captured` have.
  void (*leave)(const Word* all, const Word* const* captured, std::size_t n_sets, std::size_t n,
                Word* result);

  // cost[s] − floor[s] for the first n antecedents in `viable`, 0 for the others.
  void (*narrow_gains)(const Weight* cost, const Weight* floor, const Word* viable, std::size_t n,
                       const NarrowGains& gains);
  // Largest reach over the first n rules t, a multiple of kNarrowLanes.
  Narrow (*largest_reach)(const RuleAfter& after, std::size_t n);

  // The largest of cost[s] − floor[s] over the first n antecedents in `viable`, whose that is, and
  // the next one. Never below zero.
  LargestGains (*largest_gains)(const Weight* cost, const Weight* floor, const Word* viable,
                                std::size_t n);

  // Antecedents among the first n in `viable` with ceiling − floor above (a + b) · 2^shift.
  void (*spread_above)(const Weight* ceiling, const Weight* floor, const Narrow* a, const Narrow* b,
                       unsigned shift, const Word* viable, std::size_t n, Word* result);

  // Takes label q into account: loss, label and rest become those of the cheapest label so far.
  void (*consider_label)(const Weight* cost, Weight total, Weight q, std::size_t n, Weight* loss,
                         Weight* label, Weight* rest);
  // verdicts[s] for the first n antecedents; those not in `viable` are absent.
  void (*judge)(const ChildTests& tests, const Word* viable, std::size_t n,
                ChildTests::Verdict* verdicts);
};

// "auto", or one of the names for tests; throws InputError where the processor lacks it.
const Kernels& kernels(std::string_view name);
inline constexpr std::array<std::string_view, 4> kKernelNames{"auto", "baseline", "avx2", "avx512"};

}  // namespace surelist
