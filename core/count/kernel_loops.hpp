// The loops of kernels.hpp in plain C++. Each file that includes this compiles them for its
// instruction set. They are in an unnamed namespace, so that the linker keeps every version.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>

#include "count/kernel_arguments.hpp"
#include "count/kernel_savings.hpp"

namespace surelist::loops {
namespace {

template <class Lane>
[[gnu::always_inline]] inline void add_rows(Lane* __restrict sums, const Lane* __restrict matrix,
                                            std::size_t n_values, const std::uint32_t* groups,
                                            std::size_t n_groups) {
  std::size_t g = 0;
  // Four rows a pass, so that the accumulators are loaded and stored a quarter as often.
  for (; g + 4 <= n_groups; g += 4) {
    const Lane* __restrict a = matrix + groups[g] * n_values;
    const Lane* __restrict b = matrix + groups[g + 1] * n_values;
    const Lane* __restrict c = matrix + groups[g + 2] * n_values;
    const Lane* __restrict d = matrix + groups[g + 3] * n_values;
    for (std::size_t i = 0; i < n_values; ++i) {
      sums[i] = static_cast<Lane>(sums[i] + a[i] + b[i] + c[i] + d[i]);
    }
  }
  for (; g < n_groups; ++g) {
    const Lane* __restrict a = matrix + groups[g] * n_values;
    for (std::size_t i = 0; i < n_values; ++i) {
      sums[i] = static_cast<Lane>(sums[i] + a[i]);
    }
  }
}

// A word of antecedents at a time, whose sums stay in registers for all rows. Each lane tests a bit
// of its own, which vectorises where shifting the word by the lane's number does not.
template <class Lane>
[[gnu::always_inline]] inline void add_masked(Lane* __restrict sums, const Word* __restrict bits,
                                              std::size_t n_words, const MaskedRow<Lane>* rows,
                                              std::size_t n_rows) {
  constexpr std::size_t kPart = 8;
  constexpr Lane kBits[kPart] = {1, 2, 4, 8, 16, 32, 64, 128};
  for (std::size_t w = 0; w < n_words; ++w) {
    Lane* __restrict there = sums + w * 64;
    for (std::size_t r = 0; r < n_rows; ++r) {
      const Word word = bits[rows[r].group * n_words + w];
      const Lane value = rows[r].value;
      for (std::size_t part = 0; part < 64; part += kPart) {
        const Lane mask = static_cast<Lane>((word >> part) & 0xFF);
        for (std::size_t i = 0; i < kPart; ++i) {
          there[part + i] =
              static_cast<Lane>(there[part + i] + ((mask & kBits[i]) != 0 ? value : Lane{0}));
        }
      }
    }
  }
}

template <class Lane>
[[gnu::always_inline]] inline void relabel(Lane* __restrict part, const Lane* __restrict base,
                                           Lane whole, std::size_t n, Lane* __restrict rest,
                                           Lane* __restrict sums) {
  for (std::size_t s = 0; s < n; ++s) {
    const Lane left = static_cast<Lane>(whole - part[s] - base[s]);
    rest[s] = left > rest[s] ? left : rest[s];
    sums[s] = static_cast<Lane>(sums[s] + part[s]);
    part[s] = 0;
  }
}

template <class Lane>
[[gnu::always_inline]] inline void raise(const Lane* __restrict sums, const Lane* __restrict base,
                                         Lane place, std::size_t n, Lane* __restrict most,
                                         Lane* __restrict place_of_most) {
  for (std::size_t s = 0; s < n; ++s) {
    const Lane sum = static_cast<Lane>(sums[s] + base[s]);
    place_of_most[s] = sum > most[s] ? place : place_of_most[s];
    most[s] = sum > most[s] ? sum : most[s];
  }
}

template <class Lane>
[[gnu::always_inline]] inline void widen(const Lane* __restrict left, const Lane* __restrict sums,
                                         std::size_t n, Weight* __restrict lanes) {
  if (left == nullptr) {
    for (std::size_t i = 0; i < n; ++i) lanes[i] = static_cast<Weight>(sums[i]);
  } else {
    for (std::size_t i = 0; i < n; ++i) {
      lanes[i] = static_cast<Weight>(static_cast<Lane>(left[i] - sums[i]));
    }
  }
}

// Weight is the costs of both labels, ceiling all but the cheaper one.
[[gnu::always_inline]] inline void derive(Weight* lanes, std::size_t stride, std::size_t n) {
  const Weight* __restrict zero = lanes;
  const Weight* __restrict one = lanes + stride;
  const Weight* __restrict floor = lanes + 2 * stride;
  Weight* __restrict ceiling = lanes + 3 * stride;
  Weight* __restrict weight = lanes + 4 * stride;
  for (std::size_t s = 0; s < n; ++s) {
    weight[s] = zero[s] + one[s];
    ceiling[s] = zero[s] + one[s] - floor[s];
  }
}

[[gnu::always_inline]] inline Weight overlap(const Word* a, const Word* b, const Word* shifts,
                                             std::size_t n) {
  Weight sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sum += static_cast<Weight>(std::popcount(a[i] & b[i])) << shifts[i];
  }
  return sum;
}

// The largest reach of rules, after one or beside one.
template <class Rules>
[[gnu::always_inline]] inline Narrow largest_reach(const Rules& rules, std::size_t n) {
  const Rules local = rules;
  Narrow most = 0;
  for (std::size_t t = 0; t < n / kNarrowLanes * kNarrowLanes; ++t) {
    most = std::max(most, local.reach(t));
  }
  return most;
}

// Half a word of a set, the first half first.
[[gnu::always_inline]] inline void put_half(Word* words, std::size_t first, Word half) {
  const Word before = first % 64 == 0 ? 0 : words[first / 64];
  words[first / 64] = before | half << (first % 64);
}

// Which rules reach `needed`. Few do, so that most vectors are passed over as a whole.
template <class Rules>
[[gnu::always_inline]] inline void reaching(const Rules& rules, std::size_t n, Narrow needed,
                                            Word* result) {
  const Rules local = rules;
  const std::size_t end = n / kNarrowLanes * kNarrowLanes;
  for (std::size_t first = 0; first < end; first += kNarrowLanes) {
    Narrow most = 0;
    for (std::size_t i = 0; i < kNarrowLanes; ++i) most = std::max(most, local.reach(first + i));
    Word half = 0;
    for (std::size_t i = 0; most >= needed && i < kNarrowLanes; ++i) {
      half |= static_cast<Word>(local.reach(first + i) >= needed) << i;
    }
    put_half(result, first, half);
  }
}

[[gnu::always_inline]] inline Narrow rules_after(const RuleAfter& after, std::size_t n,
                                                 const RulesAfter& rules) {
  const RuleAfter local = after;
  Narrow* __restrict gain = rules.gain;
  Narrow* __restrict harm = rules.harm;
  const std::size_t end = n / kNarrowLanes * kNarrowLanes;
  for (std::size_t t = 0; t < end; ++t) gain[t] = local.most_gain(t);
  for (std::size_t t = 0; t < end; ++t) harm[t] = local.least_harm(t);
  Narrow most = 0;
  for (std::size_t t = 0; t < end; ++t) most = std::max(most, narrow::excess(gain[t], harm[t]));
  const Narrow needed = rules.needed;
  for (std::size_t first = 0; first < end; first += kNarrowLanes) {
    Word halves = 0;
    for (std::size_t i = 0; i < kNarrowLanes; ++i) {
      const Narrow g = gain[first + i];
      const auto twice = static_cast<Narrow>(g + g);
      const bool half = narrow::excess(twice, harm[first + i]) >= needed || g >= needed;
      halves |= static_cast<Word>(half) << i;
    }
    put_half(rules.halves, first, halves);
  }
  return most;
}

[[gnu::always_inline]] inline void take(const RelaxedStep::Class& of, std::size_t n) {
  const RelaxedStep::Class local = of;
  Narrow* __restrict most = of.now_most;
  Narrow* __restrict least = of.now_least;
  const std::size_t end = n / kNarrowLanes * kNarrowLanes;
  for (std::size_t t = 0; t < end; ++t) most[t] = local.most_with_s(t);
  for (std::size_t t = 0; t < end; ++t) least[t] = local.least_with_s(t);
}

[[gnu::always_inline]] inline void find_next(const RelaxedStep& step, Label label, std::size_t n) {
  const RelaxedStep local = step;
  for (std::size_t first = 0; first < n; first += kNarrowLanes) {
    Word next = 0;
    Word last = 0;
    for (std::size_t i = 0; i < kNarrowLanes; ++i) {
      next |= static_cast<Word>(local.may_be_next(label, first + i)) << i;
      last |= static_cast<Word>(local.may_be_last(label, first + i)) << i;
    }
    put_half(local.classes[label].next, first, next);
    put_half(local.classes[label].last, first, last);
  }
}

[[gnu::always_inline]] inline void relax(const RelaxedStep& step, std::size_t n) {
  for (const RelaxedStep::Class& of : step.classes) take(of, n);
  for (Label label = 0; label < 2; ++label) find_next(step, label, n);
}

[[gnu::always_inline]] inline void narrow(const Weight* __restrict cost,
                                          const Weight* __restrict floor,
                                          const Word* __restrict viable, std::size_t n,
                                          const NarrowGains& gains) {
  Narrow* __restrict up = gains.up;
  Narrow* __restrict down = gains.down;
  const unsigned shift = gains.shift;
  const Weight most_lost = (Weight{1} << shift) - 1;
  for (std::size_t first = 0; first < n; first += 64) {
    const Word word = viable[first / 64];
    const std::size_t end = std::min<std::size_t>(64, n - first);
    for (std::size_t i = 0; i < end; ++i) {
      const std::size_t s = first + i;
      const Weight gain = (cost[s] - floor[s]) & -static_cast<Weight>((word >> i) & 1);
      up[s] = static_cast<Narrow>((gain + most_lost) >> shift);
      down[s] = static_cast<Narrow>(gain >> shift);
    }
  }
}

[[gnu::always_inline]] inline void spread(const Weight* ceiling, const Weight* floor,
                                          const Narrow* a, const Narrow* b, unsigned shift,
                                          const Word* viable, std::size_t n, Word* result) {
  for (std::size_t first = 0; first < n; first += 64) {
    const std::size_t end = std::min<std::size_t>(64, n - first);
    Word above = 0;
    for (std::size_t i = 0; i < end; ++i) {
      const std::size_t s = first + i;
      const Weight shared = (static_cast<Weight>(a[s]) + b[s]) << shift;
      above |= static_cast<Word>(ceiling[s] - floor[s] > shared) << i;
    }
    result[first / 64] = above & viable[first / 64];
  }
}

[[gnu::always_inline]] inline void within_shared(const Narrow* values, const Narrow* a,
                                                 const Narrow* b, Narrow most, std::size_t n,
                                                 Word* result) {
  for (std::size_t first = 0; first < n; first += 64) {
    const std::size_t end = std::min<std::size_t>(64, n - first);
    Word within = 0;
    for (std::size_t i = 0; i < end; ++i) {
      const std::size_t s = first + i;
      const auto shared = static_cast<Narrow>(a[s] + b[s]);
      within |= static_cast<Word>(narrow::excess(values[s], shared) <= most) << i;
    }
    result[first / 64] &= within;
  }
}

[[gnu::always_inline]] inline std::array<Weight, 2> largest_nets(const Weight* a, const Weight* b,
                                                                 std::size_t n) {
  Weight most = 0;
  Weight least = 0;
  for (std::size_t s = 0; s < n; ++s) {
    const Weight net = a[s] - b[s];
    most = std::max(most, net);
    least = std::min(least, net);
  }
  return {most, -least};
}

[[gnu::always_inline]] inline void raise_by_set(Weight value, const Weight* __restrict a,
                                                const Weight* __restrict b, std::size_t n,
                                                Weight* __restrict least) {
  for (std::size_t s = 0; s < n; ++s) least[s] = std::max(least[s], value - (a[s] + b[s]));
}

[[gnu::always_inline]] inline void raise_by_row(const Weight* __restrict row, Weight spread,
                                                const Weight* __restrict a,
                                                const Weight* __restrict b, std::size_t n,
                                                Weight* __restrict least) {
  for (std::size_t s = 0; s < n; ++s) {
    least[s] = std::max(least[s], row[s] - spread + (a[s] + b[s]));
  }
}

[[gnu::always_inline]] inline void consider(const Weight* __restrict cost, Weight total, Weight q,
                                            std::size_t n, Weight* __restrict loss,
                                            Weight* __restrict label, Weight* __restrict rest) {
  for (std::size_t s = 0; s < n; ++s) {
    const bool cheaper = q == 0 || cost[s] < loss[s];
    loss[s] = cheaper ? cost[s] : loss[s];
    label[s] = cheaper ? q : label[s];
    const Weight left = total - cost[s];
    rest[s] = q == 0 || left < rest[s] ? left : rest[s];
  }
}

[[gnu::always_inline]] inline void judge_all(const ChildTests& tests, const Word* viable,
                                             std::size_t n,
                                             ChildTests::Verdict* __restrict verdicts) {
  const ChildTests local = tests;  // nothing that `verdicts` could alias
  for (std::size_t first = 0; first < n; first += 64) {
    const Word word = viable[first / 64];
    const std::size_t end = std::min<std::size_t>(64, n - first);
    for (std::size_t i = 0; i < end; ++i) {
      const bool there = (word >> i) & 1;
      const Weight verdict = local.verdict(first + i);
      verdicts[first + i] = static_cast<ChildTests::Verdict>(there ? verdict : local.kAbsent);
    }
  }
}

[[gnu::always_inline]] inline void overlaps(const Word* a, const Word* b, const Word* shifts,
                                            const SliceLane* lanes, std::size_t n_lanes,
                                            Weight* sums, std::size_t stride) {
  for (std::size_t i = 0; i < n_lanes; ++i) {
    const std::size_t at = lanes[i].begin;
    sums[i * stride] = overlap(a + at, b + at, shifts + at, lanes[i].end - at);
  }
}

[[gnu::always_inline]] inline void side_by_side(const SideBySide& counts) {
  constexpr std::size_t kColumns = SideBySide::kColumns;
  const SideBySide local = counts;
  for (std::size_t b = 0; b < local.n_blocks; ++b) {
    const std::size_t block = local.blocks[b];
    const Word* captured = local.captured + block * local.block_words;
    for (std::size_t lane = 0; lane < local.n_lanes; ++lane) {
      Weight sums[kColumns] = {};
      for (std::size_t i = local.lanes[lane].begin; i < local.lanes[lane].end; ++i) {
        const SliceWord& word = local.words[i];
        const Word* there = captured + word.at * kColumns;
        for (std::size_t c = 0; c < kColumns; ++c) {
          sums[c] += static_cast<Weight>(std::popcount(word.members & there[c])) << word.shift;
        }
      }
      std::memcpy(local.sums + lane * local.stride + block * kColumns, sums, sizeof sums);
    }
  }
}

[[gnu::always_inline]] inline Weight triple(const Word* a, const Word* b, const Word* c,
                                            const Word* shifts, std::size_t n) {
  Weight sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sum += static_cast<Weight>(std::popcount(a[i] & b[i] & c[i])) << shifts[i];
  }
  return sum;
}

[[gnu::always_inline]] inline void walk_along(const PrefixWalk& walk) {
  Word added[PrefixWalk::kMostRules];
  for (std::size_t i = walk.lane.begin; i < walk.lane.end; ++i) {
    const Word slice = walk.slices[i];
    const Word shift = walk.shifts[i];
    Word seen = 0;
    Word once = 0;
    Word ones = 0;
    Word twice[3] = {};  // what a second rule captures, by its sign, from −1
    for (std::size_t j = 0; j < walk.n_rules; ++j) {
      const Word captured = walk.captured[j][i] & slice;
      added[j] = captured & ~seen;
      twice[walk.signs[j] + 1] |= captured & once;
      if (walk.labels[j] == 1) ones |= added[j];
      once = (once & ~captured) | added[j];
      seen |= captured;
    }
    for (std::size_t j = 0; j < walk.n_rules; ++j) {
      const auto net = [&](Word again, bool own) {
        return own ? std::popcount(added[j] & ~again) : -std::popcount(added[j] & again);
      };
      const int sum = net(twice[2], walk.signs[j] == 1) - net(twice[0], walk.signs[j] == -1);
      walk.worth[j] += sum * (Weight{1} << shift);
    }
    walk.once[i] = once;
    walk.ones[i] = ones;
  }
}

[[gnu::always_inline]] inline void cut_words(const Word* slices, const Word* groups,
                                             const std::uint32_t* word_of, std::size_t n,
                                             Word* result) {
  for (std::size_t i = 0; i < n; ++i) result[i] = slices[i] & groups[word_of[i]];
}

[[gnu::always_inline]] inline void subtract(const Word* a, const Word* b, std::size_t n,
                                            Word* result) {
  for (std::size_t i = 0; i < n; ++i) result[i] = a[i] & ~b[i];
}

// Eight words at a time, in one register or a few.
typedef Word Words __attribute__((vector_size(64)));

[[gnu::always_inline]] inline void leave_all(const Word* all, const Word* const* captured,
                                             std::size_t n_sets, std::size_t n, Word* result) {
  constexpr std::size_t kWords = sizeof(Words) / sizeof(Word);
  const std::size_t whole = n / kWords * kWords;
  for (std::size_t i = 0; i < whole; i += kWords) {
    Words left;
    std::memcpy(&left, all + i, sizeof left);
    for (std::size_t j = 0; j < n_sets; ++j) {
      Words gone;
      std::memcpy(&gone, captured[j] + i, sizeof gone);
      left &= ~gone;
    }
    std::memcpy(result + i, &left, sizeof left);
  }
  for (std::size_t i = whole; i < n; ++i) {
    Word left = all[i];
    for (std::size_t j = 0; j < n_sets; ++j) left &= ~captured[j][i];
    result[i] = left;
  }
}

}  // namespace
}  // namespace surelist::loops
