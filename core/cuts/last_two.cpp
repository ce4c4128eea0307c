#include "cuts/last_two.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace surelist::cuts {
namespace {

// The cut of the last chain that leaves so much loss after a cut of the first; 0: no rule does.
template <class T>
Key last_cut(const State<T>& state, const StateChain<T>& chain, Key cut, const StateChain<T>& last,
             Weight loss) {
  const std::size_t n_classes = state.by_class().size();
  std::vector<Weight> captured(n_classes);
  std::vector<Weight> rest(state.by_class());
  for (std::size_t label = 0; label < n_classes; ++label) {
    rest[label] -= chain.counts[Sums::at(cut) * n_classes + label];
  }
  for (std::size_t i = 0; i < last.last.rows.size(); ++i) {
    const std::uint32_t row = last.last.rows[i];
    if (chain.keys[row] >= cut) {
      captured[state.label(row)] += state.weight(row);
      rest[state.label(row)] -= state.weight(row);
    }
    if (!last.last.ends.empty() && last.last.ends[i] == 0) continue;
    Weight wrong = 0;
    for (const std::vector<Weight>* part : {&captured, &rest}) {
      wrong += std::accumulate(part->begin(), part->end(), Weight{0}) -
               *std::max_element(part->begin(), part->end());
    }
    if (wrong == loss) return last.cuts[static_cast<std::size_t>(last.keys[row]) + 1];
  }
  return 0;
}

}  // namespace

template <class T>
LastTwo<T>::LastTwo(const Table& table, Scale scale, const LaneKernels& kernels, Watch& watch,
                    bool logging)
    : table_(table),
      scale_(scale),
      loops_(kernels.loops<T>()),
      watch_(watch),
      logging_(logging),
      left_(table.n_classes),
      scratch_(table.n_classes) {
  for (std::size_t c = 0; c < table.chains.size(); ++c) {
    if (!table.chains[c].mirrored) last_chains_.push_back(c);
  }
}

// The loss of what cuts_ of the first chain leave, each with the best last rule of the last.
template <class T>
void LastTwo<T>::losses(const State<T>& state, std::size_t first, std::size_t last) {
  const StateChain<T>& chain = state.chain(first);
  const LastRule<T>& rows = state.chain(last).last;
  const std::size_t n_classes = table_.n_classes;
  Lane<T> cuts;
  for (std::size_t lane = 0; lane < kLanes<T>; ++lane) {
    const Key cut = cuts_[std::min(lane, cuts_.size() - 1)];
    cuts.at[lane] = static_cast<T>(cut);
    const Weight* const captured = chain.counts.data() + Sums::at(cut) * n_classes;
    for (std::size_t label = 0; label < n_classes; ++label) {
      left_[label].at[lane] = static_cast<T>(state.by_class()[label] - captured[label]);
    }
  }
  watch_.spend(state.take_work() + 2 * rows.rows.size() + 2000);
  lane_losses_.resize(cuts_.size());
  Lane<T> most;
  Lane<T> least;
  if (n_classes == 2) {
    loops_.two(rows, chain.keys.data(), cuts, most, least);
    for (std::size_t i = 0; i < cuts_.size(); ++i) {
      lane_losses_[i] = std::min(static_cast<Weight>(left_[1].at[i]) - most.at[i],
                                 static_cast<Weight>(left_[0].at[i]) + least.at[i]);
    }
    return;
  }
  watch_.spend(rows.rows.size() * n_classes);
  loops_.many(rows, chain.keys.data(), cuts, left_, scratch_, most);
  for (std::size_t i = 0; i < cuts_.size(); ++i) {
    Weight all = 0;
    for (std::size_t label = 0; label < n_classes; ++label) all += left_[label].at[i];
    lane_losses_[i] = all - most.at[i];
  }
}

template <class T>
void LastTwo<T>::one(const State<T>& state, Solved& solved, const Known& known) {
  std::vector<Cost> bounds(last_chains_.size());
  for (std::size_t j = 0; j < last_chains_.size(); ++j) {
    const std::size_t last = last_chains_[j];
    bounds[j] = known.bound(1, j);
    if (bounds[j] >= solved.value) continue;
    cuts_.assign(1, 0);
    losses(state, last, last);
    bounds[j] = scale_.rule + scale_.loss * lane_losses_[0];
    if (bounds[j] >= solved.value) continue;
    solved.value = bounds[j];
    const Key cut = last_cut(state, state.chain(last), 0, state.chain(last), lane_losses_[0]);
    solved.rules.assign(1, {static_cast<std::uint32_t>(last), cut});
  }
  solved.families.push_back(std::move(bounds));
}

template <class T>
void LastTwo<T>::two(const State<T>& state, Solved& solved, const Known& known) {
  const std::size_t n_last = last_chains_.size();
  std::vector<Cost> bounds(state.n_chains() * n_last);
  std::vector<std::size_t> open;
  for (std::size_t pair = 0; pair < bounds.size(); ++pair) {
    bounds[pair] = std::max(known.bound(2, pair), 2 * scale_.rule);
    if (bounds[pair] < solved.value) open.push_back(pair);
  }
  std::sort(open.begin(), open.end(), [&](std::size_t a, std::size_t b) {
    return bounds[a] != bounds[b] ? bounds[a] < bounds[b] : a < b;
  });
  std::size_t n_logged = 0;
  Bytes log;
  for (const std::size_t pair : open) {
    if (bounds[pair] >= solved.value) continue;
    ++n_logged;
    const Cost least = this->pair(state, pair / n_last, pair % n_last, solved, log);
    bounds[pair] = std::max(bounds[pair], least);
  }
  solved.families.push_back(std::move(bounds));
  if (!logging_) return;
  leb128::put(solved.log, n_logged);
  solved.log.insert(solved.log.end(), log.begin(), log.end());
}

template <class T>
void LastTwo<T>::none(const State<T>& state, std::size_t k, Cost bound, Solved& solved) const {
  const std::size_t n_families = state.n_chains() * (k == 2 ? last_chains_.size() : 1);
  solved.families.emplace_back(n_families, bound);
  if (logging_) leb128::put(solved.log, std::uint64_t{0});
}

// The least that lists of a cut of the first chain and one of the last may cost.
template <class T>
Cost LastTwo<T>::pair(const State<T>& state, std::size_t first, std::size_t last_place,
                      Solved& solved, Bytes& log) {
  const StateChain<T>& chain = state.chain(first);
  const Sums sums{chain.loss, chain.right, scale_.loss};
  const Cost alone = solved.families[1][last_place];
  const Gap whole{.left = 0,
                  .right = chain.n_cuts + 1,
                  .from_left = sums.from_left(0, scale_.rule + alone),
                  .from_right = 2 * scale_.rule};
  gaps_.clear();
  if (!whole.empty()) gaps_.push_back(whole);
  solved_cuts_.clear();
  const Cost least =
      std::min(scale_.rule + alone, settle(state, first, last_chains_[last_place], solved));
  if (logging_) {
    std::sort(solved_cuts_.begin(), solved_cuts_.end());
    log_pair(log, first, last_place, needed_cuts(sums, whole, solved_cuts_, least), chain.cuts);
  }
  return least;
}

// Settles the cuts in gaps_, and returns the least that a list by one of them may cost.
template <class T>
Cost LastTwo<T>::settle(const State<T>& state, std::size_t first, std::size_t last,
                        Solved& solved) {
  const StateChain<T>& chain = state.chain(first);
  const Sums sums{chain.loss, chain.right, scale_.loss};
  Cost least = std::numeric_limits<Cost>::max();
  for (;;) {
    parts_.clear();
    std::size_t n_waiting = 0;
    for (const Gap& gap : gaps_) {
      const auto [from, to] = gap.unsettled(sums, solved.value);
      if (from > to) {
        least = std::min(least, gap.least(sums));
      } else if (parts_.size() < kLanes<T>) {
        parts_.push_back({gap, from, to});
      } else {
        gaps_[n_waiting++] = gap;
      }
    }
    gaps_.resize(n_waiting);
    if (parts_.empty()) return least;
    choose_cuts(sums);
    losses(state, first, last);
    least = std::min(least, take_lanes(state, first, last, sums, solved));
  }
}

// Chooses cuts_ for all lanes: one in each part, and more by the weight that is not settled.
template <class T>
void LastTwo<T>::choose_cuts(const Sums& sums) {
  Weight weight = 0;
  for (const Part& part : parts_) weight += sums.captured(part.last) - sums.captured(part.first);
  const Weight spare = static_cast<Weight>(kLanes<T> - parts_.size());
  cuts_.clear();
  for (Part& part : parts_) {
    const Weight own = sums.captured(part.last) - sums.captured(part.first);
    const double share = weight == 0 ? 0.0 : static_cast<double>(own) / static_cast<double>(weight);
    const auto more = static_cast<std::size_t>(static_cast<double>(spare) * share);
    spread(sums, part.first, part.last, 1 + more, cuts_);
    part.end = cuts_.size();
  }
}

// Puts the gaps between the cuts just solved into gaps_; returns the least value among these.
template <class T>
Cost LastTwo<T>::take_lanes(const State<T>& state, std::size_t first, std::size_t last,
                            const Sums& sums, Solved& solved) {
  const StateChain<T>& chain = state.chain(first);
  Cost least = std::numeric_limits<Cost>::max();
  std::size_t lane = 0;
  for (const Part& part : parts_) {
    Gap gap = part.gap;
    for (; lane < part.end; ++lane) {
      const Key cut = cuts_[lane];
      const Cost value =
          2 * scale_.rule + scale_.loss * (chain.loss[Sums::at(cut)] + lane_losses_[lane]);
      least = std::min(least, value);
      if (logging_) solved_cuts_.emplace_back(cut, value);
      if (value < solved.value) {
        solved.value = value;
        solved.rules.assign(1, {static_cast<std::uint32_t>(first), chain.cuts[Sums::at(cut)]});
        const Key own = last_cut(state, chain, cut, state.chain(last), lane_losses_[lane]);
        if (own > 0) solved.rules.push_back({static_cast<std::uint32_t>(last), own});
      }
      Gap before = gap;
      before.right = cut;
      before.from_right = sums.from_right(cut, value);
      if (!before.empty()) gaps_.push_back(before);
      gap.left = cut;
      gap.from_left = sums.from_left(cut, value);
    }
    if (!gap.empty()) gaps_.push_back(gap);
  }
  return least;
}

template class LastTwo<std::int16_t>;
template class LastTwo<std::int32_t>;
template class LastTwo<std::int64_t>;

}  // namespace surelist::cuts
