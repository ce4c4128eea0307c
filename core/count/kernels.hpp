// Kernels: the inner loops that take most of the time, as a table of functions for each instruction
// set. The same source (kernel_loops.hpp) is compiled once for each of them, in
// kernels_baseline.cpp, kernels_avx2.cpp and kernels_avx512.cpp; the best that the processor has is
// chosen at run time.
#pragma once

#include <array>
#include <string_view>

#include "count/kernel_arguments.hpp"

namespace surelist {

struct Kernels {
  std::string_view name;

  // sums += the rows of `matrix` (n_values each) that `groups` names.
  void (*add_rows_16)(std::uint16_t* sums, const std::uint16_t* matrix, std::size_t n_values,
                      const std::uint32_t* groups, std::size_t n_groups);
  void (*add_rows_32)(std::uint32_t* sums, const std::uint32_t* matrix, std::size_t n_values,
                      const std::uint32_t* groups, std::size_t n_groups);
  void (*add_rows_64)(std::uint64_t* sums, const std::uint64_t* matrix, std::size_t n_values,
                      const std::uint32_t* groups, std::size_t n_groups);

  // For each row, sums[s] += its value for the antecedents s in its group's n_words of `bits`.
  void (*add_masked_16)(std::int16_t* sums, const Word* bits, std::size_t n_words,
                        const MaskedRow<std::int16_t>* rows, std::size_t n_rows);
  void (*add_masked_32)(std::int32_t* sums, const Word* bits, std::size_t n_words,
                        const MaskedRow<std::int32_t>* rows, std::size_t n_rows);
  // For one label and n antecedents: moves what it gains inside each antecedent from `part` to
  // `sums`, and raises `rest` to what it gains outside, which is `whole` less that less `base`.
  void (*relabel_16)(std::int16_t* part, const std::int16_t* base, std::int16_t whole,
                     std::size_t n, std::int16_t* rest, std::int16_t* sums);
  void (*relabel_32)(std::int32_t* part, const std::int32_t* base, std::int32_t whole,
                     std::size_t n, std::int32_t* rest, std::int32_t* sums);
  // Of n values: where sums + base is above `most`, sets `most` to it, and `place_of_most` to
  // `place`.
  void (*raise_16)(const std::int16_t* sums, const std::int16_t* base, std::int16_t place,
                   std::size_t n, std::int16_t* most, std::int16_t* place_of_most);
  void (*raise_32)(const std::int32_t* sums, const std::int32_t* base, std::int32_t place,
                   std::size_t n, std::int32_t* most, std::int32_t* place_of_most);

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

  void (*side_by_side)(const SideBySide& counts);

  // The same as lane_overlaps for three sets and one lane of n words.
  Weight (*triple_overlap)(const Word* a, const Word* b, const Word* c, const Word* shifts,
                           std::size_t n);
  void (*walk)(const PrefixWalk& walk);

  // result[i] = slices[i] & groups[word_of[i]], of n words, a multiple of 8.
  void (*cut)(const Word* slices, const Word* groups, const std::uint32_t* word_of, std::size_t n,
              Word* result);
  // result = a & ~b, of n words each; the result may be a.
  void (*subtract)(const Word* a, const Word* b, std::size_t n, Word* result);
  // result = all, less the first n_sets of `captured`.
  void (*leave)(const Word* all, const Word* const* captured, std::size_t n_sets, std::size_t n,
                Word* result);

  // cost[s] − floor[s] for the first n antecedents in `viable`, 0 for the others.
  void (*narrow_gains)(const Weight* cost, const Weight* floor, const Word* viable, std::size_t n,
                       const NarrowGains& gains);
  // Largest reach over the first n rules t, a multiple of kNarrowLanes.
  Narrow (*largest_reach)(const RuleAfter& after, std::size_t n);
  // Which of these rules reach `needed`.
  void (*reaching)(const RuleAfter& after, std::size_t n, Narrow needed, Word* result);
  // The largest reach, and gain and harm of each rule; then the largest reach of a rule beside
  // another.
  Narrow (*rules_after)(const RuleAfter& after, std::size_t n, const RulesAfter& rules);
  Narrow (*largest_beside)(const RuleBeside& rule, std::size_t n);
  void (*reaching_beside)(const RuleBeside& rule, std::size_t n, Narrow needed, Word* result);

  // Adds a rule, and finds which of the first n, a multiple of kNarrowLanes, may come next.
  void (*relax)(const RelaxedStep& step, std::size_t n);

  // The largest and second largest of cost[s] − floor[s] over the first n antecedents in `viable`,
  // and the antecedent with the largest. Never negative.
  LargestGains (*largest_gains)(const Weight* cost, const Weight* floor, const Word* viable,
                                std::size_t n);

  // More than two classes. Updates, for n antecedents, the best and the second-best saving of all
  // labels by that of one more label.
  void (*rank_savings)(const Weight* ceiling, const Weight* cost, std::size_t n, Weight* best,
                       Weight* second);
  // The largest, over the first n antecedents in `viable`, of what the best other label saves, less
  // what the label with these costs saves. Never negative.
  LargestGains (*net_savings)(const BestSavings& savings, const Weight* cost, const Word* viable,
                              std::size_t n);
  void (*savings_after)(const SavingsAfter& after, std::size_t n);  // for n children

  // Antecedents among the first n in `viable` with ceiling − floor above (a + b) · 2^shift.
  void (*spread_above)(const Weight* ceiling, const Weight* floor, const Narrow* a, const Narrow* b,
                       unsigned shift, const Word* viable, std::size_t n, Word* result);

  // Of the first n antecedents in `result`, keeps those with values[s] − (a[s] + b[s]) ≤ most.
  void (*within_shared)(const Narrow* values, const Narrow* a, const Narrow* b, Narrow most,
                        std::size_t n, Word* result);

  // The largest of a[s] − b[s] and of b[s] − a[s] over n antecedents. Never negative.
  std::array<Weight, 2> (*largest_nets)(const Weight* a, const Weight* b, std::size_t n);
  // least[s] = max(least[s], value − (a[s] + b[s])) for n antecedents; see similar_sets.hpp.
  void (*raise_by_set)(Weight value, const Weight* a, const Weight* b, std::size_t n,
                       Weight* least);
  // least[s] = max(least[s], row[s] − spread + (a[s] + b[s])).
  void (*raise_by_row)(const Weight* row, Weight spread, const Weight* a, const Weight* b,
                       std::size_t n, Weight* least);

  // Updates loss, label and rest to those of the cheapest label, by label q.
  void (*consider_label)(const Weight* cost, Weight total, Weight q, std::size_t n, Weight* loss,
                         Weight* label, Weight* rest);
  // verdicts[s] for the first n antecedents; those not in `viable` are absent.
  void (*judge)(const ChildTests& tests, const Word* viable, std::size_t n,
                ChildTests::Verdict* verdicts);
};

// "auto", or one of the names for tests; throws InputError if the processor lacks the instructions.
const Kernels& kernels(std::string_view name);
inline constexpr std::array<std::string_view, 4> kKernelNames{"auto", "baseline", "avx2", "avx512"};

// The tables. `kernels` checks that the processor has the instructions before it calls one of
// these.
const Kernels& baseline_kernels();
const Kernels& avx2_kernels();
const Kernels& avx512_kernels();

}  // namespace surelist
