// Fairness constraints: what the predictions of a list must be like, by sensitive group.
//
// A list is judged by what it selects: for each sensitive group a and class c the weight of the
// rows that it predicts positive, at position 2a + c. Statistical parity, equal opportunity,
// predictive equality and bounds on error or selection rates are linear in these weights, because
// the denominators are known; as integers they are cross-multiplied, so nothing is rounded.
// Predictive parity and its sibling for the negative prediction divide by what was selected, so
// they are compared as fractions. docs/fairness.md and docs/fairness_proofs.md explain both.
#pragma once

#include "base/types.hpp"

namespace surelist::fair {

using Counts = std::vector<Weight>;  // by sensitive group and class, at 2a + c

// Σ factors · selected ≤ most.
struct Linear {
  std::vector<Wide> factors;
  Wide most = 0;
};

// How often a prediction is right must not differ between groups: by difference at most, or by
// ratio at least, `numerator / denominator`. Of the selected rows (precision), or of the others.
// Where no row of any group got the prediction, groups are alike; where only some did, they are
// not.
struct Predictive {
  bool of_selected = true;
  bool as_ratio = false;
  Wide numerator = 0;
  Wide denominator = 1;
};

class Constraints {
 public:
  // Throws InputError where sums of these sizes could leave 127 bits.
  Constraints(std::vector<Linear> linear, std::vector<Predictive> predictive, Counts totals);

  const std::vector<Linear>& linear() const { return linear_; }
  std::size_t n_counts() const { return totals_.size(); }

  // Whether a list that selects this is fair.
  bool hold(const Weight* selected) const;
  // Whether some part of the rows that are `open` could be selected as well to make it fair.
  bool may_hold(const Weight* selected, const Weight* open) const;
  // Whether, whatever part of the open rows is selected as well, `kept` is fair where `other` is.
  bool no_worse(const Weight* kept, const Weight* other, const Weight* open) const;

 private:
  struct Range {  // of right and wrong predictions
    Weight least_right, most_right, least_wrong, most_wrong;
  };
  Range range(const Predictive& rule, std::size_t group, const Weight* selected,
              const Weight* open) const;
  bool predictive_may_hold(const Predictive& rule, const Weight* selected,
                           const Weight* open) const;
  bool predictive_always_holds(const Predictive& rule, const Weight* selected,
                               const Weight* open) const;
  void check_sizes() const;

  std::vector<Linear> linear_;
  std::vector<Predictive> predictive_;
  Counts totals_;
};

}  // namespace surelist::fair
