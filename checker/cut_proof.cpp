#include "cut_proof.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

namespace surelist_checker {
namespace {

constexpr int most_digits = 8;
constexpr std::size_t steps_between_calls = std::size_t{1} << 24;  // of rows that are counted

template <class Lane>
class CutProofIn final : public CutProof {
 public:
  CutProofIn(CutRows rows, std::string proof)
      : all_(std::move(rows)), proof_(std::move(proof)), left_(all_.n_classes) {}

  Number check(std::size_t n_rules, const Watch& watch) override {
    watch_ = &watch;
    State root(all_);
    const Bounds bounds = read_state(root, n_rules, {});
    if (at_ != proof_.size()) damaged("something follows its end");
    return bounds.value(all_.unit);
  }

 private:
  using State = CutState<Lane>;
  using Along = typename State::Along;

  // What is proven of a state: bounds of its families, by the number of rules.
  struct Bounds {
    Number loss = 0;
    std::vector<std::vector<Number>> families{{}};

    // No completion by as many rules as were looked at costs less.
    Number value(Number unit) const {
      Number least = unit * loss;
      for (const std::vector<Number>& each : families) {
        for (const Number bound : each) least = std::min(least, bound);
      }
      return least;
    }
  };

  // What is known of another state, and how much less holds here.
  struct Source {
    const Bounds* bounds;
    Number less;
  };

  // A cut that is solved, as the place that it has on a state.
  struct Solved {
    std::size_t place;
    Number value;
  };

  struct Next {
    std::size_t place;
    Number value;
    Bounds found;
  };

  [[noreturn]] static void damaged(const std::string& why) {
    throw std::invalid_argument("the proof is damaged: " + why);
  }

  Number next(Number end) {
    if (at_ == proof_.size()) throw std::invalid_argument("the proof is cut short");
    Number number = 0;
    for (int digit = 0;; ++digit) {
      if (at_ == proof_.size()) damaged("a number does not end");
      if (digit == most_digits) damaged("a number is too long");
      const auto byte = static_cast<std::uint8_t>(proof_[at_++]);
      number |= static_cast<Number>(byte & 127) << (7 * digit);
      if (byte < 128) break;
    }
    if (number >= end) {
      damaged(std::to_string(number) + " where there are only " + std::to_string(end));
    }
    return number;
  }
  std::size_t next_below(std::size_t end) {
    return static_cast<std::size_t>(next(static_cast<Number>(end)));
  }

  void spend(std::size_t steps) {
    steps_ += steps;
    if (steps_ < steps_between_calls) return;
    steps_ = 0;
    if (!(*watch_)(at_)) throw CutCheckStopped{};
  }

  Bounds read_state(State& state, std::size_t k, const std::vector<Source>& sources) {
    ++n_states;
    spend(state.n_rows() + 1000);
    Bounds bounds;
    bounds.loss = state.loss();
    if (k >= 1) bounds.families.push_back(one_rule(state));
    if (k >= 2) {
      std::vector<Number> two =
          known(state, bounds, sources, 2, all_.keys.size() * all_.last.size());
      read_pairs(state, bounds, two);
      bounds.families.push_back(std::move(two));
    }
    for (std::size_t n = 3; n <= k; ++n) {
      std::vector<Number> chains = known(state, bounds, sources, n, all_.keys.size());
      read_next_rules(state, bounds, n, chains);
      bounds.families.push_back(std::move(chains));
    }
    state.forget();
    return bounds;
  }

  // (3), of a last rule alone: its cuts and none, from the sums along its chain.
  std::vector<Number> one_rule(const State& state) {
    std::vector<Number> one;
    const std::vector<Number>& all = state.by_class();
    const Number weight = std::accumulate(all.begin(), all.end(), Number{0});
    for (const std::uint32_t last : all_.last) {
      const Along& along = state.along(last);
      spend(along.rows.size());
      Number right = 0;
      for (std::size_t p = 0; p <= along.n(); ++p) {
        const Number* const captured = along.counts.data() + p * all_.n_classes;
        Number rest = 0;
        for (std::size_t label = 0; label < all_.n_classes; ++label) {
          rest = std::max(rest, all[label] - captured[label]);
        }
        right = std::max(right, rest - along.right[p]);
      }
      one.push_back(all_.price + all_.unit * (weight - right));
    }
    return one;
  }

  // What is known of families of n rules: by (1), by (4), or by the price of rules.
  std::vector<Number> known(const State& state, const Bounds& bounds,
                            const std::vector<Source>& sources, std::size_t n,
                            std::size_t n_families) const {
    Number least = static_cast<Number>(n) * all_.price;
    if (state.has_few_groups(n)) least = std::max(least, bounds.value(all_.unit) + all_.price);
    std::vector<Number> found(n_families, least);
    for (const Source& source : sources) {
      if (n >= source.bounds->families.size()) continue;
      const std::vector<Number>& other = source.bounds->families[n];
      for (std::size_t f = 0; f < n_families; ++f) {
        found[f] = std::max(found[f], other[f] - source.less);
      }
    }
    return found;
  }

  // Solves the named cuts of pairs by (3); the rest by (2).
  void read_pairs(const State& state, const Bounds& bounds, std::vector<Number>& two) {
    const std::size_t n_pairs = next_below(std::size_t{1} << 62);
    for (std::size_t pair = 0; pair < n_pairs; ++pair) {
      const std::size_t first = next_below(all_.keys.size());
      const std::size_t place = next_below(all_.last.size());
      const std::vector<std::int32_t> cuts = read_cuts(all_.n_cuts[first]);
      const Along& along = state.along(first);
      last_losses(state, first, all_.last[place], cuts);
      n_solved += cuts.size();
      std::vector<Solved> solved{{0, all_.price + bounds.families[1][place]}};
      for (std::size_t i = 0; i < cuts.size(); ++i) {
        const std::size_t at = along.place(cuts[i]);
        solved.push_back({at, 2 * all_.price + all_.unit * (along.loss[at] + losses_[i])});
      }
      Number& known = two[first * all_.last.size() + place];
      known = std::max(known, cover(along, solved, 2 * all_.price));
    }
  }

  // Cuts of a chain in ascending order, each as the distance from the one before.
  std::vector<std::int32_t> read_cuts(std::int32_t most) {
    std::vector<std::int32_t> cuts;
    const Number n = next(Number{most} + 1);
    Number cut = 0;
    for (Number i = 0; i < n; ++i) {
      const Number step = next(Number{most} + 1);
      cut += step;
      if (cut > most || (i > 0 && step == 0)) damaged("the cuts of a pair are not in order");
      cuts.push_back(static_cast<std::int32_t>(cut));
    }
    return cuts;
  }

  // (3): losses_ of what each cut of the first chain leaves, with the best rule of the last or
  // none.
  void last_losses(const State& state, std::size_t first, std::size_t last,
                   const std::vector<std::int32_t>& cuts) {
    const Along& along = state.along(first);
    const Along& ordered = state.along(last);
    const std::size_t n = ordered.rows.size();
    first_keys_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      first_keys_[i] = static_cast<Lane>(all_.keys[first][ordered.rows[i]]);
    }
    const LastRows<Lane> rows{n, first_keys_.data(), ordered.ends.data(), ordered.weights.data(),
                              ordered.labels.data()};
    losses_.clear();
    for (std::size_t at = 0; at < cuts.size(); at += cut_lanes) {
      const std::size_t end = std::min(cuts.size(), at + cut_lanes);
      CutLanes<Lane> lanes;
      for (std::size_t l = 0; l < cut_lanes; ++l) {
        const std::int32_t cut = cuts[std::min(at + l, end - 1)];
        lanes[l] = static_cast<Lane>(cut);
        const Number* const captured = along.counts.data() + along.place(cut) * all_.n_classes;
        for (std::size_t label = 0; label < all_.n_classes; ++label) {
          left_[label][l] = static_cast<Lane>(state.by_class()[label] - captured[label]);
        }
      }
      count_lanes(rows, lanes, end - at);
    }
  }

  void count_lanes(const LastRows<Lane>& rows, const CutLanes<Lane>& cuts, std::size_t n) {
    spend(rows.n * (all_.n_classes == 2 ? 2 : 2 + all_.n_classes));
    CutLanes<Lane> most;
    if (all_.n_classes == 2) {
      CutLanes<Lane> least;
      last_of_two(rows, cuts, most, least);
      for (std::size_t l = 0; l < n; ++l) {
        losses_.push_back(std::min(Number{left_[1][l]} - most[l], Number{left_[0][l]} + least[l]));
      }
      return;
    }
    last_of_many(rows, cuts, left_, sums_, most);
    for (std::size_t l = 0; l < n; ++l) {
      Number all = -Number{most[l]};
      for (const CutLanes<Lane>& each : left_) all += each[l];
      losses_.push_back(all);
    }
  }

  // The named cuts of the n-th rule from the end, extended to all cuts by (2).
  void read_next_rules(const State& state, const Bounds& bounds, std::size_t n,
                       std::vector<Number>& chains) {
    std::vector<std::vector<Next>> solved(all_.keys.size());
    const std::size_t n_named = next_below(std::size_t{1} << 62);
    for (std::size_t named = 0; named < n_named; ++named) {
      const std::size_t chain = next_below(all_.keys.size());
      const auto cut = static_cast<std::int32_t>(next(Number{all_.n_cuts[chain]} + 1));
      const Along& along = state.along(chain);
      const std::size_t place = along.place(cut);
      const std::vector<Source> sources = read_sources(along, place, bounds, solved[chain]);
      State child(state, chain, cut);
      Bounds found = read_state(child, n - 1, sources);
      const Number value = all_.price + all_.unit * along.loss[place] + found.value(all_.unit);
      solved[chain].push_back({place, value, std::move(found)});
      ++n_solved;
    }
    const Number alone = bounds.value(all_.unit);
    for (std::size_t chain = 0; chain < chains.size(); ++chain) {
      if (solved[chain].empty() && chains[chain] >= alone) continue;
      std::vector<Solved> cuts{{0, all_.price + alone}};
      for (const Next& each : solved[chain]) cuts.push_back({each.place, each.value});
      chains[chain] = std::max(chains[chain], cover(state.along(chain), cuts, all_.price));
    }
  }

  // From which one or two states bounds are taken over: cut 0, or those of cuts that come before.
  std::vector<Source> read_sources(const Along& along, std::size_t place, const Bounds& alone,
                                   const std::vector<Next>& before) {
    std::vector<Source> found;
    const std::size_t first = next_below(before.size() + 1);
    const std::size_t second = next_below(before.size() + 1);
    for (const std::size_t i : {first, second}) {
      if (i == 0 && !found.empty()) break;
      const std::size_t at = i == 0 ? 0 : before[i - 1].place;
      const Number lacking = along.captured[place] - along.captured[at];
      const Bounds& bounds = i == 0 ? alone : before[i - 1].found;
      found.push_back({&bounds, all_.unit * std::max<Number>(0, lacking)});
    }
    return found;
  }

  // (2): the least that any cut may cost, from those that are solved, cut 0 among them.
  Number cover(const Along& along, std::vector<Solved>& solved, Number least_rest) {
    n_cuts += along.n();
    spend(along.n());
    std::stable_sort(solved.begin(), solved.end(),
                     [](const Solved& a, const Solved& b) { return a.place < b.place; });
    const auto same = [](const Solved& a, const Solved& b) { return a.place == b.place; };
    solved.erase(std::unique(solved.begin(), solved.end(), same), solved.end());
    Number least = std::numeric_limits<Number>::max();
    std::size_t left = 0;
    std::size_t right = 0;  // the last one that is not above p, and the first one not below
    for (std::size_t p = 0; p <= along.n(); ++p) {
      if (right < solved.size() && solved[right].place < p) ++right;
      if (right < solved.size() && solved[right].place == p) left = right;
      const Solved& below = solved[left];
      const Number from_left =
          below.value + all_.unit * (along.right[p] - along.right[below.place]);
      const Number rest = right < solved.size()
                              ? solved[right].value - all_.unit * along.loss[solved[right].place]
                              : least_rest;
      least = std::min(least, std::max(from_left, rest + all_.unit * along.loss[p]));
    }
    return least;
  }

  CutRows all_;
  std::string proof_;
  std::size_t at_ = 0;
  std::size_t steps_ = 0;
  const Watch* watch_ = nullptr;

  // Scratch of last_losses.
  std::vector<Lane> first_keys_;
  std::vector<CutLanes<Lane>> left_;
  std::vector<CutLanes<Lane>> sums_;
  std::vector<Number> losses_;
};

}  // namespace

std::unique_ptr<CutProof> make_cut_proof(CutRows rows, std::string proof) {
  constexpr Number most = std::numeric_limits<std::int32_t>::max();
  if (std::accumulate(rows.weights.begin(), rows.weights.end(), Number{0}) <= most) {
    return std::make_unique<CutProofIn<std::int32_t>>(std::move(rows), std::move(proof));
  }
  return std::make_unique<CutProofIn<std::int64_t>>(std::move(rows), std::move(proof));
}

}  // namespace surelist_checker
