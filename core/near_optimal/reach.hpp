// How good a list can still become after one more rule: the lower bounds that stay true when lists
// need not be optimal. Bounds that replace a list by a better one (dominance, rejected rules,
// order) do not appear here: what they drop is what is asked for.
#pragma once

#include <array>

#include "base/aligned.hpp"
#include "context/context.hpp"

namespace surelist {

// The largest losses within the threshold, by length: see `most_loss`.
class ThresholdBudget {
 public:
  ThresholdBudget(const ObjectiveScale& scale, Objective threshold)
      : scale_(&scale), threshold_(threshold) {}

  Objective threshold() const { return threshold_; }
  // The largest loss with which a list of this length is within the threshold; may be negative.
  Weight most_loss(Length length) {
    while (losses_.size() <= length) {
      const Objective rules = scale_->of(0, static_cast<Length>(losses_.size()));
      losses_.push_back(scale_->weight_within(threshold_ - rules));
    }
    return losses_[length];
  }

 private:
  const ObjectiveScale* scale_;
  Objective threshold_;
  std::vector<Weight> losses_;
};

// What rules can gain in the set that a prefix leaves.
class Reach {
 public:
  explicit Reach(const SearchContext& context);

  // Takes the counts of the set; antecedents in `usable` may follow.
  void reset(const CaptureCounts& counts, const Word* usable);

  // A child of the prefix: what it has lost, its length, and how many rules may and must follow.
  struct Child {
    Antecedent antecedent = kNoAntecedent;
    Weight loss = 0;
    Length length = 0;
    Length least_more = 1;
    Length most_more = 0;
  };
  // Whether a list that begins with the child and is longer may be within the budget.
  bool may_follow(const CaptureCounts& counts, const Child& child, ThresholdBudget& budget) const;

 private:
  static constexpr std::size_t kTop = 8;
  // For a default label: the sums of its largest gains, and the largest net gain by each label.
  struct Default {
    std::array<Weight, kTop + 1> gains{};
    std::vector<Weight> net;
  };
  Weight first_gain(const CaptureCounts& counts, Antecedent s, Label q) const;
  Weight gain(Label q, Length n_rules) const;
  bool allows(Label label) const {
    return !context_.constraints().rule_label || *context_.constraints().rule_label == label;
  }

  const SearchContext& context_;
  std::vector<Default> defaults_;
};

}  // namespace surelist
