// What a rule list predicts for every group, as a hash that is added up rule by rule. Lists with
// different hashes predict differently; where hashes agree, the predictions themselves are compared
// (`same_predictions`), so that a collision costs time and never merges two lists.
#pragma once

#include <span>

#include "base/types.hpp"
#include "problem/problem.hpp"

namespace surelist {

struct LabelledRule {
  Antecedent antecedent = 0;
  Label label = 0;

  friend constexpr auto operator<=>(const LabelledRule&, const LabelledRule&) = default;
};

struct PredictionHash {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  friend constexpr bool operator==(const PredictionHash&, const PredictionHash&) = default;
  constexpr PredictionHash& operator+=(const PredictionHash& other) {
    low += other.low;
    high += other.high;
    return *this;
  }
  constexpr PredictionHash& operator-=(const PredictionHash& other) {
    low -= other.low;
    high -= other.high;
    return *this;
  }
};

// A number for each group and label; the hash of a list is the sum over what it predicts.
class PredictionHashes {
 public:
  explicit PredictionHashes(const Problem& problem);

  // The sum over the groups of `set`, of those in `inside` if that is not null.
  PredictionHash sum(const Word* set, const Word* inside, Label label) const;
  std::size_t nbytes() const { return numbers_.capacity() * sizeof(PredictionHash); }

 private:
  const Problem& problem_;
  std::vector<PredictionHash> numbers_;  // label-major
};

// Whether two lists predict the same label for every group.
class PredictionComparer {
 public:
  explicit PredictionComparer(const Problem& problem);

  bool same(std::span<const LabelledRule> one, Label one_default,
            std::span<const LabelledRule> other, Label other_default);

 private:
  void predict(std::span<const LabelledRule> rules, Label default_label, std::vector<Word>& sets);

  const Problem& problem_;
  std::vector<Word> left_;
  std::vector<Word> one_;  // by label, the groups that get it
  std::vector<Word> other_;
};

}  // namespace surelist
