// A rule list with the label and loss of each rule, and the groups that reach it. A list that
// differs from some place on is evaluated from there.
#pragma once

#include <span>

#include "context/context.hpp"
#include "count/sparse_costs.hpp"

namespace surelist {

class AssessedList {
 public:
  AssessedList(const SearchContext& context, const SparseCosts& costs);

  // Keeps the rules before `place` and replaces the others.
  void replace(std::size_t place, std::span<const Antecedent> tail);
  // The objective that the list would have then.
  Objective objective_with(std::size_t place, std::span<const Antecedent> tail);

  const Prefix& prefix() const { return prefix_; }
  std::size_t length() const { return prefix_.size(); }
  Objective objective() const { return objective_; }
  // The label of a rule; at place length(), the default label.
  Label label(std::size_t place) const { return labels_[place]; }
  // The groups that reach the rule at a place; at place length(), the default.
  const Word* left(std::size_t place) const { return left_.data() + place * n_words_; }
  // Groups evaluated so far: a measure of work.
  std::uint64_t assessed() const { return assessed_; }
  std::size_t nbytes() const;

 private:
  struct Prediction {
    Label label = 0;
    Weight loss = 0;
  };
  // The best prediction for the groups in `left`, or for those of them that are in `inside`.
  Prediction predict(const Word* left, const Word* inside);

  const SearchContext& context_;
  const Problem& problem_;
  const SparseCosts& costs_;
  std::size_t n_words_;
  Prefix prefix_;
  Objective objective_;
  std::vector<Label> labels_;   // of each rule and the default
  std::vector<Weight> losses_;  // before each place, surcharges included
  std::vector<Word> left_;      // the groups that reach each place
  std::vector<Word> scratch_;
  std::vector<Weight> savings_;  // scratch, by label
  std::uint64_t assessed_ = 0;
};

}  // namespace surelist
