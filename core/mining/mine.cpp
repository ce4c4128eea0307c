// Level-wise mining: conjunctions of k clauses with enough support are extended to k + 1. Supports
// are counted by popcount on slices of the weights (slices.hpp), which takes most of the time.
#include "mining/mine.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/bits.hpp"
#include "base/transpose.hpp"
#include "count/kernels.hpp"
#include "count/slices.hpp"

namespace surelist {
namespace {

constexpr std::size_t kMostAntecedents = 1'000'000;
constexpr std::size_t kMostNames = 4 * kMostAntecedents;
constexpr std::uint64_t kTriesPerLook = 64;

// The weights of rows, cut into slices, so that the weight of a set is counted by popcount.
class WeightSlices {
 public:
  explicit WeightSlices(std::vector<Weight> weights) : kernels_(kernels("auto")) {
    // Divides by the common factor, which would only add slices (weights may have been scaled up).
    for (const Weight weight : weights) factor_ = std::gcd(factor_, weight);
    for (Weight& weight : weights) weight /= std::max<Weight>(factor_, 1);
    lane_ = slices_.add(weights);
  }

  std::size_t size() const { return slices_.size(); }

  // A set in the order of the slices: as it is (`arrange`), or intersected with them (`cut`). A sum
  // needs one of each.
  void arrange(const Word* set, Word* words) const {
    for (std::size_t i = 0; i < size(); ++i) words[i] = set[slices_.word_of[i]];
  }
  void cut(const Word* set, Word* words) const {
    kernels_.cut(slices_.words.data(), set, slices_.word_of.data(), size(), words);
  }

  Weight of_both(const Word* cut, const Word* arranged) const {
    Weight sum = 0;
    kernels_.lane_overlaps(cut, arranged, slices_.shifts.data(), &lane_, 1, &sum, 1);
    return sum * factor_;
  }

 private:
  const Kernels& kernels_;
  Weight factor_ = 0;
  Slices slices_;
  SliceLane lane_;
};

// Conjunctions of one length, and the rows that each captures.
struct Level {
  std::vector<Conjunction> conjunctions;
  std::vector<Word> sets;
};

class Miner {
 public:
  Miner(const Patterns& features, const MiningOptions& options)
      : features_(features),
        options_(options),
        n_words_(bits::words(features.size())),
        order_(by_weight(features)),
        slices_(weights_in_order(features, order_)),
        captured_(n_words_),
        joined_(n_words_) {
    list_literals();
  }

  // Level by level, so that the shortest conjunction of an antecedent comes first.
  Mined run() {
    Level level{{{}}, std::vector<Word>(n_words_)};
    bits::fill(level.sets.data(), features_.size());
    for (const Conjunction& conjunction : options_.given) {
      if (given_.insert(conjunction).second) enlist(conjunction, set_of(conjunction).data());
    }
    for (std::size_t clauses = 1; clauses <= options_.max_clauses; ++clauses) {
      level = extended(level, clauses);
      if (level.conjunctions.empty() || !complete_) break;
    }
    Problem problem(collapse_on_antecedents(), options_.costs);
    const Weight floor = feature_floor(problem);
    return {.antecedents = std::move(names_),
            .problem = std::move(problem),
            .complete = complete_,
            .tried = tried_,
            .feature_floor = floor};
  }

 private:
  // Heavy rows are neighbours, so that few words have the higher bits of any weight.
  static std::vector<std::uint32_t> by_weight(const Patterns& features) {
    std::vector<std::uint32_t> order(features.size());
    std::iota(order.begin(), order.end(), 0u);
    const std::vector<Weight> weights = weights_in_order(features, order);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t i, std::uint32_t j) { return weights[i] > weights[j]; });
    return order;
  }

  static std::vector<Weight> weights_in_order(const Patterns& features,
                                              const std::vector<std::uint32_t>& order) {
    std::vector<Weight> weights;
    for (const std::uint32_t p : order) {
      const Weight* by_class = features.weights(p);
      weights.push_back(std::accumulate(by_class, by_class + features.n_classes, Weight{0}));
    }
    return weights;
  }

  void list_literals() {
    const std::size_t n_literals = 2 * features_.n_bits;
    literal_sets_.resize(n_literals * n_words_);
    std::vector<Word> all(n_words_);
    bits::fill(all.data(), features_.size());
    std::vector<Word> band(bits::kWord * n_words_);
    for (std::size_t f = 0; f < features_.n_bits; ++f) {
      if (f % bits::kWord == 0) {
        bits::transpose_band(
            features_.size(), f / bits::kWord,
            [&](std::size_t p) { return features_.row(order_[p]); }, band.data());
      }
      const Word* holds = band.data() + f % bits::kWord * n_words_;
      Word* sets = literal_sets_.data() + 2 * f * n_words_;
      for (std::size_t w = 0; w < n_words_; ++w) {
        sets[w] = holds[w];
        sets[n_words_ + w] = all[w] & ~holds[w];
      }
    }
    const std::size_t step = options_.negations ? 1 : 2;
    for (std::size_t l = 0; l < n_literals; l += step) literals_.push_back(static_cast<Literal>(l));
    arranged_.resize(literals_.size() * slices_.size());
    for (std::size_t i = 0; i < literals_.size(); ++i) {
      slices_.arrange(set(literals_[i]), arranged_.data() + i * slices_.size());
    }
  }

  const Word* set(Literal literal) const { return literal_sets_.data() + literal * n_words_; }

  // Extends by one clause; conjunctions with enough support become antecedents. Returns nothing
  // once mining is cut short.
  Level extended(const Level& level, std::size_t clauses) {
    Level next;
    Aligned<Word> base(slices_.size());
    for (std::size_t i = 0; i < level.conjunctions.size(); ++i) {
      const Conjunction& shorter = level.conjunctions[i];
      const Word* captured = level.sets.data() + i * n_words_;
      slices_.cut(captured, base.data());
      look();
      for (std::size_t l = 0; l < literals_.size(); ++l) {
        if (!shorter.empty() && literals_[l] / 2 <= shorter.back() / 2) continue;
        if (clauses > 1 && !may_try()) return {};
        const Weight support = slices_.of_both(base.data(), arranged_.data() + l * slices_.size());
        // Support only falls with more clauses, so a conjunction with too little is not extended;
        // one that captures nothing is contradictory, even if min_support is 0.
        if (support == 0 || support < options_.min_support) continue;
        join(captured, literals_[l]);
        Conjunction longer = shorter;
        longer.push_back(literals_[l]);
        // Conjunctions that were given are antecedents already.
        if (support <= options_.max_support && (given_.empty() || !given_.contains(longer))) {
          enlist(longer, joined_.data());
        }
        if (clauses == options_.max_clauses) continue;
        next.conjunctions.push_back(std::move(longer));
        next.sets.insert(next.sets.end(), joined_.begin(), joined_.end());
      }
    }
    return next;
  }

  // Single clauses are tried even beyond the limits: there are few, and no list could do without.
  bool may_try() {
    if (tried_ >= options_.most_tried || (tried_ % kTriesPerLook == 0 && !look())) {
      complete_ = false;
      return false;
    }
    ++tried_;
    return true;
  }

  bool look() const { return !options_.go_on || options_.go_on({tried_, names_.size()}); }

  void join(const Word* captured, Literal literal) {
    const Word* other = set(literal);
    for (std::size_t w = 0; w < n_words_; ++w) joined_[w] = captured[w] & other[w];
  }

  std::vector<Word> set_of(const Conjunction& conjunction) const {
    std::vector<Word> captured(n_words_);
    bits::fill(captured.data(), features_.size());
    for (const Literal literal : conjunction) {
      if (literal >= 2 * features_.n_bits) throw InputError("there is no such feature");
      for (std::size_t w = 0; w < n_words_; ++w) captured[w] &= set(literal)[w];
    }
    return captured;
  }

  void enlist(const Conjunction& conjunction, const Word* captured) {
    if (++n_names_ > kMostNames) {
      throw InputError(
          "mining gives more than four million conjunctions; use fewer clauses or features, or a "
          "larger min_support");
    }
    const std::size_t s = captured_.number(captured);
    if (s < names_.size()) {
      names_[s].push_back(conjunction);
      return;
    }
    if (names_.size() >= kMostAntecedents) {
      throw InputError(
          "mining gives more than a million antecedents; use fewer clauses or features, "
          "or a larger min_support");
    }
    names_.push_back({conjunction});
  }

  // Patterns that differ in features but in no antecedent are equivalent points, too.
  Patterns collapse_on_antecedents() const {
    const std::size_t n_antecedents = names_.size();
    const std::size_t row_words = bits::words(n_antecedents);
    Collapser collapser(n_antecedents, features_.n_classes);
    std::vector<Word> band(bits::kWord * row_words);
    for (std::size_t p = 0; p < features_.size(); ++p) {
      if (p % bits::kWord == 0) {
        look();
        bits::transpose_band(
            n_antecedents, p / bits::kWord, [&](std::size_t s) { return captured_.row(s); },
            band.data());
      }
      collapser.add_pattern(band.data() + p % bits::kWord * row_words,
                            features_.weights(order_[p]));
    }
    Patterns patterns = std::move(collapser).finish();
    patterns.n_rows = features_.n_rows;
    return patterns;
  }

  // With the costs of the problem, whose constructor has checked that sums do not overflow.
  Weight feature_floor(const Problem& problem) const {
    const std::size_t n_classes = features_.n_classes;
    Weight floor = 0;
    std::vector<Weight> cost(n_classes);
    for (std::size_t p = 0; p < features_.size(); ++p) {
      std::fill(cost.begin(), cost.end(), 0);
      for (std::size_t c = 0; c < n_classes; ++c) {
        for (std::size_t q = 0; q < n_classes; ++q) {
          cost[q] += features_.weights(p)[c] * problem.costs().values[c * n_classes + q];
        }
      }
      floor += *std::min_element(cost.begin(), cost.end());
    }
    return floor;
  }

  const Patterns& features_;
  const MiningOptions& options_;
  std::size_t n_words_;
  std::vector<std::uint32_t> order_;  // of patterns in sets
  WeightSlices slices_;
  std::vector<Literal> literals_;
  std::vector<Word> literal_sets_;
  Aligned<Word> arranged_;  // sets of `literals_`, in the order of the slices
  std::set<Conjunction> given_;
  std::vector<std::vector<Conjunction>> names_;
  RowNumbers captured_;
  std::size_t n_names_ = 0;
  std::uint64_t tried_ = 0;
  bool complete_ = true;
  std::vector<Word> joined_;  // scratch
};

}  // namespace

Mined mine(const Patterns& features, const MiningOptions& options) {
  return Miner(features, options).run();
}

}  // namespace surelist
