#include "cuts/search.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "cuts/pair_boxes.hpp"
#include "cuts/solver.hpp"

namespace surelist::cuts {

// A solver of some width of numbers, of all rows.
class Solving {
 public:
  virtual ~Solving() = default;
  virtual void extend(std::size_t k) = 0;
  // Tries to replace the end of the best list by two other rules, or to add two.
  virtual void improve(std::optional<Length> max_length) = 0;
  virtual Cost open_bound() const = 0;
  // The best list so far, and the proof of the lengths that are done.
  virtual Cost value() const = 0;
  virtual std::vector<std::vector<Cut>> rules() const = 0;
  virtual Bytes proof() const = 0;
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
    solved_.value = scale.loss * root_.loss();
  }

  void extend(std::size_t k) override { solver_.extend(root_, k, solved_, {}); }
  Cost open_bound() const override { return solver_.open_bound(); }
  Cost value() const override { return solved_.value; }
  Bytes proof() const override { return solved_.log; }

  std::vector<std::vector<Cut>> rules() const override {
    std::vector<std::vector<Cut>> found;
    for (const Cut& cut : solved_.rules) found.push_back({cut});
    return found;
  }

  void improve(std::optional<Length> max_length) override {
    while (improve_once(max_length)) {
    }
  }

 private:
  bool improve_once(std::optional<Length> max_length) {
    const std::vector<Cut> rules = solved_.rules;
    std::vector<std::unique_ptr<State<T>>> states;
    const State<T>* state = &root_;
    Cost cost = 0;
    for (std::size_t n = 0;; ++n) {
      const std::size_t room = max_length ? *max_length - n : 2;
      const SolvedPtr found =
          silent_.solve(*state, std::min<std::size_t>(2, room), solved_.value - cost, {});
      if (cost + found->value < solved_.value) {
        solved_.value = cost + found->value;
        solved_.rules.assign(rules.begin(), rules.begin() + static_cast<std::ptrdiff_t>(n));
        solved_.rules.insert(solved_.rules.end(), found->rules.begin(), found->rules.end());
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
  Solved solved_;
};

// Rules of two cuts.
template <class T>
class SolvingPairs final : public Solving {
 public:
  SolvingPairs(const Table& table, const std::vector<Family>& families, Scale scale, Watch& watch,
               bool logging)
      : table_(table), boxes_(table, families, scale, watch, logging) {}

  void extend(std::size_t k) override { boxes_.extend(k); }
  void improve(std::optional<Length> max_length) override { boxes_.improve(max_length); }
  Cost open_bound() const override { return boxes_.open_bound(); }
  Cost value() const override { return boxes_.best.value; }
  Bytes proof() const override { return boxes_.log(); }

  // Without the cuts that capture all rows.
  std::vector<std::vector<Cut>> rules() const override {
    std::vector<std::vector<Cut>> found;
    for (const Conjunction& rule : boxes_.best.rules) {
      std::vector<Cut>& asked = found.emplace_back();
      for (const std::size_t axis : {0, 1}) {
        const std::uint32_t chain = rule.chains[axis];
        if (rule.cuts[axis] <= table_.chains[chain].n_cuts) {
          asked.push_back({chain, rule.cuts[axis]});
        }
      }
    }
    return found;
  }

 private:
  const Table& table_;
  PairBoxes<T> boxes_;
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

// A chain of no cuts, with which others make pairs that ask one cut.
Table with_chain_of_all(Table table) {
  table.chains.push_back({.keys = std::vector<Key>(table.n_rows(), 0)});
  return table;
}

std::unique_ptr<Solving> solving_pairs(const Table& table, Scale scale,
                                       const std::vector<Family>& families, Watch& watch,
                                       bool logging) {
  for (const Family& family : families) {
    if (std::max(family[0], family[1]) >= table.chains.size()) {
      throw InputError("a pair has a chain that there is not");
    }
  }
  if (table.total <= std::numeric_limits<std::int32_t>::max()) {
    return std::make_unique<SolvingPairs<std::int32_t>>(table, families, scale, watch, logging);
  }
  return std::make_unique<SolvingPairs<std::int64_t>>(table, families, scale, watch, logging);
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
    : table_(options.families.empty() ? std::move(table) : with_chain_of_all(std::move(table))),
      n_groups_(std::set<std::uint32_t>(table_.groups.begin(), table_.groups.end()).size()),
      scale_(scale_for(options.regularization, table_.total, options.max_length)),
      families_(options.families),
      max_length_(options.max_length) {
  if (table_.n_classes > 256) throw InputError("a search over all cuts takes up to 256 classes");
  if (families_.empty()) {
    solving_ = solving_for(table_, scale_, options, watch_);
    return;
  }
  solving_ = solving_pairs(table_, scale_, families_, watch_, options.logging);
}

CutSearch::~CutSearch() = default;

// Whether a list of so many rules might be better than the best one. As many rules as groups are
// one too many: where each captures something, the last one's label does as the default.
bool CutSearch::may_pay(Length length) const {
  if (max_length_ && length > *max_length_) return false;
  if (length >= n_groups_) return false;
  return static_cast<Cost>(length) * scale_.rule < solving_->value();
}

void CutSearch::run(const Limits& limits, std::function<bool(const Found&, const Watch&)> report) {
  watch_.begin(limits.work, limits.seconds, limits.memory);
  if (report) watch_.caller = [this, &report] { return report(found(), watch_); };
  try {
    while (may_pay(proven_ + 1)) {
      solving_->extend(proven_ + 1);
      ++proven_;
      proof_ = solving_->proof();
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
  const Cost value = solving_->value();
  Found found{solving_->rules(), value + base, value + base, std::nullopt};
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
