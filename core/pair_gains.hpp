// How much gain each two antecedents share in the whole problem, with two classes: for default
// label q a group gains cost(q) − floor when it is captured by a rule that predicts its own
// majority. Harm under q is gain under the other label, so one table a label serves for both.
#pragma once

#include "capture_counts.hpp"

namespace surelist {

class PairGains {
 public:
  PairGains(const Problem& problem, const CaptureCounter& counter);

  // By t: gain of t within s, and outside s. Unlimited where there are too many pairs for a table.
  const Weight* overlap(Antecedent s, Label label) const { return row(overlap_[label], s); }
  const Weight* outside(Antecedent s, Label label) const { return row(outside_[label], s); }
  std::size_t nbytes() const;

 private:
  const Weight* row(const std::vector<Weight>& table, Antecedent s) const {
    return unlimited_.empty() ? table.data() + s * n_antecedents_ : unlimited_.data();
  }

  std::size_t n_antecedents_;
  std::vector<Weight> overlap_[2];
  std::vector<Weight> outside_[2];
  std::vector<Weight> unlimited_;  // stands in for every row
};

}  // namespace surelist
