// The loops of kernels.hpp that look for the largest gains and savings, by label or over all of
// them. Compiled like the others: see kernel_loops.hpp, which includes this.
#pragma once

#include <algorithm>

#include "count/kernel_arguments.hpp"

namespace surelist::loops {
namespace {

// Of gain_of(s) over the first n antecedents in `viable`.
template <class Gain>
[[gnu::always_inline]] inline LargestGains largest_of(Gain gain_of, const Word* viable,
                                                      std::size_t n) {
  // For each lane of a vector first, then for all.
  constexpr std::size_t kLanes = 8;
  Weight largest[kLanes] = {};
  Weight second[kLanes] = {};
  Weight owner[kLanes] = {};
  for (std::size_t first = 0; first < n; first += kLanes) {
    const Word word = viable[first / 64] >> (first % 64);
    const std::size_t end = std::min(kLanes, n - first);
    for (std::size_t i = 0; i < end; ++i) {
      const Weight there = -static_cast<Weight>((word >> i) & 1);
      const Weight gain = gain_of(first + i) & there;
      const Weight lesser = gain < largest[i] ? gain : largest[i];
      second[i] = lesser > second[i] ? lesser : second[i];
      owner[i] = gain > largest[i] ? static_cast<Weight>(first + i) : owner[i];
      largest[i] = gain > largest[i] ? gain : largest[i];
    }
  }
  LargestGains found;
  for (std::size_t i = 0; i < kLanes; ++i) {
    const bool larger = largest[i] > found.largest;
    found.second = std::max({found.second, second[i], larger ? found.largest : largest[i]});
    if (larger) found.owner = static_cast<Antecedent>(owner[i]);
    found.largest = std::max(found.largest, largest[i]);
  }
  return found;
}

[[gnu::always_inline]] inline LargestGains gains(const Weight* cost, const Weight* floor,
                                                 const Word* viable, std::size_t n) {
  return largest_of([=](std::size_t s) { return cost[s] - floor[s]; }, viable, n);
}

// What the best rule for another label saves, less what this label would save.
[[gnu::always_inline]] inline LargestGains net_savings(const BestSavings& savings,
                                                       const Weight* cost, const Word* viable,
                                                       std::size_t n) {
  const BestSavings local = savings;
  const auto net = [=](std::size_t s) {
    const Weight own = local.ceiling[s] - cost[s];
    const Weight other = own == local.best[s] ? local.second[s] : local.best[s];
    return other - own;
  };
  return largest_of(net, viable, n);
}

[[gnu::always_inline]] inline void rank_savings(const Weight* __restrict ceiling,
                                                const Weight* __restrict cost, std::size_t n,
                                                Weight* __restrict best,
                                                Weight* __restrict second) {
  for (std::size_t s = 0; s < n; ++s) {
    const Weight saving = ceiling[s] - cost[s];
    const Weight lesser = saving < best[s] ? saving : best[s];
    second[s] = lesser > second[s] ? lesser : second[s];
    best[s] = saving > best[s] ? saving : best[s];
  }
}

// Some children at a time: for each, the most that j rules save without a default (`rules`) and
// with one (`lists`), taking one label after the other, and the two best labels for one rule.
struct SavedBlock {
  static constexpr std::size_t kChildren = 32;
  Weight rules[4][kChildren] = {};
  Weight lists[4][kChildren] = {};
  Weight second[kChildren] = {};
  Weight net[4][kChildren] = {};
};

[[gnu::always_inline]] inline void add_label(const LabelSaving& label, const Weight* ceiling,
                                             std::size_t first, std::size_t end,
                                             SavedBlock& block) {
  const LabelSaving local = label;
  const Weight owner = static_cast<Weight>(local.by_rule.owner);
  const Weight next = local.by_rule.second;
  for (std::size_t i = 0; i < end; ++i) {
    const std::size_t s = first + i;
    const Weight left = local.total - (ceiling[s] - local.cost[s]);
    const Weight top = static_cast<Weight>(s) == owner ? next : local.by_rule.largest;
    const Weight one = std::min(top, left);
    const Weight two = one + std::min(next, left - one);
    const Weight three = two + std::min(next, left - two);
    Weight* r1 = &block.rules[1][i];
    Weight* r2 = &block.rules[2][i];
    Weight* r3 = &block.rules[3][i];
    Weight* l0 = &block.lists[0][i];
    Weight* l1 = &block.lists[1][i];
    Weight* l2 = &block.lists[2][i];
    Weight* l3 = &block.lists[3][i];
    *l3 =
        std::max(std::max(std::max(*l3, *l2 + one), std::max(*l1 + two, *l0 + three)), *r3 + left);
    *l2 = std::max(std::max(*l2, *l1 + one), std::max(*l0 + two, *r2 + left));
    *l1 = std::max(std::max(*l1, *l0 + one), *r1 + left);
    *l0 = std::max(*l0, left);
    *r3 = std::max(std::max(*r3, *r2 + one), std::max(*r1 + two, three));
    *r2 = std::max(std::max(*r2, *r1 + one), two);
    block.second[i] = std::max(block.second[i], std::min(*r1, one));
    *r1 = std::max(*r1, one);
  }
}

[[gnu::always_inline]] inline void add_default(const LabelSaving& label, const Weight* ceiling,
                                               std::size_t first, std::size_t end,
                                               SavedBlock& block) {
  const LabelSaving local = label;
  const Weight owner = static_cast<Weight>(local.by_rule.owner);
  for (std::size_t i = 0; i < end; ++i) {
    const std::size_t s = first + i;
    const Weight left = local.total - (ceiling[s] - local.cost[s]);
    const Weight top =
        static_cast<Weight>(s) == owner ? local.by_rule.second : local.by_rule.largest;
    const Weight r1 = block.rules[1][i];
    const Weight r2 = block.rules[2][i];
    const Weight other = std::min(top, left) == r1 ? block.second[i] : r1;
    const Weight one = std::min(left + other, local.with_first);
    const Weight two = std::min(left + r2, local.with_first + r1);
    const Weight three = std::min(left + block.rules[3][i], local.with_first + r2);
    block.net[1][i] = std::max(block.net[1][i], one);
    block.net[2][i] = std::max(block.net[2][i], two);
    block.net[3][i] = std::max(block.net[3][i], three);
  }
}

[[gnu::always_inline]] inline void savings_after(const SavingsAfter& after, std::size_t n) {
  const SavingsAfter local = after;
  for (std::size_t first = 0; first < n; first += SavedBlock::kChildren) {
    const std::size_t end = std::min(SavedBlock::kChildren, n - first);
    SavedBlock block;
    for (std::size_t r = 0; r < local.n_labels; ++r) {
      add_label(local.labels[r], local.ceiling, first, end, block);
    }
    for (std::size_t r = 0; r < local.n_labels; ++r) {
      add_default(local.labels[r], local.ceiling, first, end, block);
    }
    for (std::size_t i = 0; i < end; ++i) {
      for (std::size_t j = 1; j <= 3; ++j) {
        local.saved[j - 1][first + i] = std::min(block.lists[j][i], block.net[j][i]);
      }
      local.further[first + i] = block.rules[3][i] - block.rules[2][i];
    }
  }
}

}  // namespace
}  // namespace surelist::loops
