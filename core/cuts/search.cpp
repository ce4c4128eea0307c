#include "cuts/search.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "cuts/solver.hpp"

namespace surelist::cuts {

// A solver of some width of numbers.
class Solving {
 public:
  virtual ~Solving() = default;
  virtual void extend(std::size_t k) = 0;
  // Tries to replace the end of the best list by two other rules, or to add two.
  virtual void improve(std::optional<Length> max_length) = 0;
  virtual Cost open_bound() const = 0;

  Solved solved;  // of all rows
};

namespace {

template <class T>
class SolvingIn final : public Solving {
 public:
  SolvingIn(const Table& table, Scale scale, const LaneKernels& kernels, Watch& watch, bool logging)
      : scale_(scale),
        root_(table),
        solver_(table, scale, kernels, watch, logging),
        silent_(table, scale, kernels, watch, false) {
    solved.value = scale.loss * root_.loss();
  }

  void extend(std::size_t k) override { solver_.extend(root_, k, solved, {}); }
  Cost open_bound() const override { return solver_.open_bound(); }

  void improve(std::optional<Length> max_length) override {
    while (improve_once(max_length)) {
    }
  }

 private:
  bool improve_once(std::optional<Length> max_length) {
    const std::vector<Cut> rules = solved.rules;
    std::vector<std::unique_ptr<State<T>>> states;
    const State<T>* state = &root_;
    Cost cost = 0;
    for (std::size_t n = 0;; ++n) {
      const std::size_t room = max_length ? *max_length - n : 2;
      const SolvedPtr found =
          silent_.solve(*state, std::min<std::size_t>(2, room), solved.value - cost, {});
      if (cost + found->value < solved.value) {
        solved.value = cost + found->value;
        solved.rules.assign(rules.begin(), rules.begin() + static_cast<std::ptrdiff_t>(n));
        solved.rules.insert(solved.rules.end(), found->rules.begin(), found->rules.end());
        return true;
      }
      if (n == rules.size()) return false;
      const StateChain<T>& chain = state->chain(rules[n].chain);
      const auto beyond = std::upper_bound(chain.cuts.begin(), chain.cuts.end(), rules[n].cut);
      const Key cut = static_cast<Key>(beyond - chain.cuts.begin()) - 1;
      cost += scale_.rule + scale_.loss * chain.loss[Sums::at(cut)];
      states.push_back(std::make_unique<State<T>>(*state, rules[n].chain, cut));
      state = states.back().get();
    }
  }

  Scale scale_;
  State<T> root_;
  Solver<T> solver_;
  Solver<T> silent_;
};

Scale scale_for(const Regularization& regularization, Weight total, std::optional<Length> most) {
  constexpr Wide kMost = Wide{1} << 60;
  const Wide loss = regularization.denominator;
  const Wide rule = regularization.numerator * total;
  const Wide length = std::min<Wide>(most.value_or(64), 64);
  if (loss > kMost / std::max<Wide>(total, 1) || rule > kMost / (length + 2)) {
    throw InputError("regularization has too many digits for a search over all cuts");
  }
  return {static_cast<Cost>(loss), static_cast<Cost>(rule)};
}

std::unique_ptr<Solving> solving_for(const Table& table, Scale scale, const Options& options,
                                     Watch& watch) {
  const LaneKernels& kernels = lane_kernels(options.kernels);
  Weight most = std::accumulate(table.weights.begin(), table.weights.end(), Weight{0});
  for (const Chain& chain : table.chains) most = std::max<Weight>(most, chain.n_cuts + 1);
  const bool logging = options.logging;
  if (most <= std::numeric_limits<std::int16_t>::max()) {
    return std::make_unique<SolvingIn<std::int16_t>>(table, scale, kernels, watch, logging);
  }
  if (most <= std::numeric_limits<std::int32_t>::max()) {
    return std::make_unique<SolvingIn<std::int32_t>>(table, scale, kernels, watch, logging);
  }
  return std::make_unique<SolvingIn<std::int64_t>>(table, scale, kernels, watch, logging);
}

}  // namespace

CutSearch::CutSearch(Table table, const Options& options)
    : table_(std::move(table)),
      scale_(scale_for(options.regularization, table_.total, options.max_length)),
      max_length_(options.max_length),
      solving_(solving_for(table_, scale_, options, watch_)) {
  if (table_.n_classes > 256) throw InputError("a search over all cuts takes up to 256 classes");
}

CutSearch::~CutSearch() = default;

// Whether a list of so many rules might be better than the best one.
bool CutSearch::may_pay(Length length) const {
  if (max_length_ && length > *max_length_) return false;
  return static_cast<Cost>(length) * scale_.rule < solving_->solved.value;
}

void CutSearch::run(const Limits& limits, std::function<bool(const Found&, const Watch&)> report) {
  watch_.begin(limits.work, limits.seconds, limits.memory);
  if (report) watch_.caller = [this, &report] { return report(found(), watch_); };
  try {
    while (may_pay(proven_ + 1)) {
      solving_->extend(proven_ + 1);
      ++proven_;
      proof_ = solving_->solved.log;
      if (may_pay(proven_ + 1)) solving_->improve(max_length_);
    }
    done_ = true;
  } catch (const Stopped& stopped) {
    ending_ = stopped.by;
  }
  watch_.caller = nullptr;
}

Found CutSearch::found() const {
  const Cost base = scale_.loss * table_.base;
  const Cost value = solving_->solved.value;
  Found found{solving_->solved.rules, value + base, value + base, std::nullopt};
  if (done_) return found;
  found.proven_length = proven_;
  // Lists of one rule more, and all longer ones.
  const Cost next = std::max(solving_->open_bound(), scale_.rule * static_cast<Cost>(proven_ + 1));
  const Cost longer = scale_.rule * static_cast<Cost>(proven_ + 2);
  const bool longer_exist = !max_length_ || *max_length_ > proven_ + 1;
  found.lower_bound = base + std::min({value, next, longer_exist ? longer : next});
  return found;
}

}  // namespace surelist::cuts
