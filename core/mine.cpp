#include "mine.hpp"

#include <numeric>
#include <set>
#include <unordered_map>

#include "bits.hpp"

namespace surelist {
namespace {

constexpr std::size_t kMostAntecedents = 1'000'000;
constexpr std::size_t kMostNames = 4 * kMostAntecedents;

class Miner {
 public:
  Miner(const Patterns& features, const MiningOptions& options)
      : features_(features), options_(options), n_words_(bits::words(features.size())) {
    for (std::size_t p = 0; p < features.size(); ++p) {
      const Weight* weights = features.weights(p);
      weight_.push_back(std::accumulate(weights, weights + features.n_classes, Weight{0}));
    }
    list_literals();
  }

  // Level by level, so that the shortest name of an antecedent comes first.
  Mined run() {
    std::vector<Conjunction> level{{}};
    std::vector<Word> sets(n_words_);
    bits::fill(sets.data(), features_.size());
    for (const Conjunction& conjunction : options_.given) {
      if (given_.insert(conjunction).second) enlist(conjunction, set_of(conjunction));
    }
    for (std::size_t clauses = 1; clauses <= options_.max_clauses && !level.empty(); ++clauses) {
      extend(level, sets);
    }
    Problem problem(collapse_on_antecedents(), options_.costs);
    return {std::move(names_), std::move(problem)};
  }

 private:
  void list_literals() {
    const std::size_t n_literals = 2 * features_.n_bits;
    literal_sets_.assign(n_literals * n_words_, 0);
    for (std::size_t p = 0; p < features_.size(); ++p) {
      for (std::size_t f = 0; f < features_.n_bits; ++f) {
        const bool holds = bits::test(features_.row(p), f);
        bits::set(literal_sets_.data() + (2 * f + (holds ? 0 : 1)) * n_words_, p);
      }
    }
    const std::size_t step = options_.negations ? 1 : 2;
    for (std::size_t l = 0; l < n_literals; l += step) literals_.push_back(static_cast<Literal>(l));
  }

  // Replaces `level` by its one-clause extensions with enough support, and registers those.
  void extend(std::vector<Conjunction>& level, std::vector<Word>& sets) {
    std::vector<Conjunction> next;
    std::vector<Word> next_sets;
    std::vector<Word> joined(n_words_);
    for (std::size_t i = 0; i < level.size(); ++i) {
      if (options_.watch) options_.watch();
      for (const Literal literal : literals_) {
        if (!level[i].empty() && literal / 2 <= level[i].back() / 2) continue;
        const Weight support = join(sets.data() + i * n_words_, literal, joined);
        // Support only falls with more clauses, so a conjunction below the least is not extended;
        // what captures nothing is contradictory whatever the least.
        if (support == 0 || support < options_.min_support) continue;
        next.push_back(level[i]);
        next.back().push_back(literal);
        next_sets.insert(next_sets.end(), joined.begin(), joined.end());
        // What was given has its name already.
        if (support <= options_.max_support && !given_.contains(next.back())) {
          enlist(next.back(), joined);
        }
      }
    }
    level = std::move(next);
    sets = std::move(next_sets);
  }

  Weight join(const Word* set, Literal literal, std::vector<Word>& joined) const {
    const Word* other = literal_sets_.data() + literal * n_words_;
    Weight support = 0;
    for (std::size_t w = 0; w < n_words_; ++w) {
      joined[w] = set[w] & other[w];
      bits::for_each(joined[w], w * bits::kWord, [&](std::size_t p) { support += weight_[p]; });
    }
    return support;
  }

  std::vector<Word> set_of(const Conjunction& conjunction) const {
    std::vector<Word> set(n_words_);
    bits::fill(set.data(), features_.size());
    for (const Literal literal : conjunction) {
      if (literal >= 2 * features_.n_bits) throw InputError("there is no such feature");
      const Word* other = literal_sets_.data() + literal * n_words_;
      for (std::size_t w = 0; w < n_words_; ++w) set[w] &= other[w];
    }
    return set;
  }

  void enlist(const Conjunction& conjunction, const std::vector<Word>& set) {
    if (++n_names_ > kMostNames) {
      throw InputError(
          "mining gives more than four million conjunctions; use fewer clauses or features, or a "
          "larger min_support");
    }
    auto& candidates = by_hash_[bits::hash(set.data(), n_words_)];
    for (const std::uint32_t s : candidates) {
      if (bits::equal(captured_.data() + s * n_words_, set.data(), n_words_)) {
        names_[s].push_back(conjunction);
        return;
      }
    }
    if (names_.size() >= kMostAntecedents) {
      throw InputError(
          "mining gives more than a million antecedents; use fewer clauses or features, "
          "or a larger min_support");
    }
    candidates.push_back(static_cast<std::uint32_t>(names_.size()));
    names_.push_back({conjunction});
    captured_.insert(captured_.end(), set.begin(), set.end());
  }

  // Patterns that differ in features but not in antecedents are equivalent points, too.
  Patterns collapse_on_antecedents() const {
    const std::size_t n_antecedents = names_.size();
    Collapser collapser(n_antecedents, features_.n_classes);
    std::vector<Word> row(bits::words(n_antecedents));
    for (std::size_t p = 0; p < features_.size(); ++p) {
      if (options_.watch) options_.watch();
      std::fill(row.begin(), row.end(), 0);
      for (std::size_t s = 0; s < n_antecedents; ++s) {
        if (bits::test(captured_.data() + s * n_words_, p)) bits::set(row.data(), s);
      }
      collapser.add(row.data(), features_.weights(p));
    }
    Patterns patterns = std::move(collapser).finish();
    patterns.n_rows = features_.n_rows;
    return patterns;
  }

  const Patterns& features_;
  const MiningOptions& options_;
  std::size_t n_words_;
  std::vector<Weight> weight_;
  std::vector<Literal> literals_;
  std::set<Conjunction> given_;
  std::vector<Word> literal_sets_;
  std::vector<std::vector<Conjunction>> names_;
  std::size_t n_names_ = 0;
  std::vector<Word> captured_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_hash_;
};

}  // namespace

Mined mine(const Patterns& features, const MiningOptions& options) {
  return Miner(features, options).run();
}

}  // namespace surelist
