// How much gain each pair of antecedents shares in the whole problem, with two classes. Under
// default label q, a group gains cost(q) − floor if a rule captures it that predicts its own
// majority. Harm under q is gain under the other label, so one table for each label gives both.
//
// The tables are only used as upper bounds, so they are narrow and rounded up.
#pragma once

#include "base/aligned.hpp"
#include "count/capture_counts.hpp"

namespace surelist {

class PairGains {
 public:
  PairGains(const Problem& problem, const CaptureCounter& counter);

  // The most that t gains within s.
  Weight overlap(Antecedent s, Antecedent t, Label label) const {
    return wide(overlaps(s, label)[t]);
  }
  // By t, narrow: gain of t within s, and outside s. The largest number there is, where there are
  // too many pairs for a table.
  const Narrow* overlaps(Antecedent s, Label label) const { return row(overlap_[label], s); }
  const Narrow* outside(Antecedent s, Label label) const { return row(outside_[label], s); }

  bool known() const { return unlimited_.empty(); }

  // Weights in the units of the tables.
  Narrow up(Weight weight) const {
    return static_cast<Narrow>((weight + (Weight{1} << shift_) - 1) >> shift_);
  }
  Narrow down(Weight weight) const { return static_cast<Narrow>(weight >> shift_); }
  Weight wide(Weight weight) const { return weight << shift_; }
  unsigned shift() const { return shift_; }
  Narrow rounding() const { return shift_ > 0 ? 1 : 0; }  // the most that rounding up adds
  std::size_t stride() const { return stride_; }  // of a row: whole vectors, filled up with zeros
  std::size_t nbytes() const;

 private:
  const Narrow* row(const Aligned<Narrow>& table, Antecedent s) const {
    return unlimited_.empty() ? table.data() + s * stride_ : unlimited_.data();
  }

  std::size_t n_antecedents_;
  std::size_t stride_;
  unsigned shift_ = 0;  // log2 of the unit
  Aligned<Narrow> overlap_[2];
  Aligned<Narrow> outside_[2];
  Aligned<Narrow> unlimited_;  // stands in for every row
};

}  // namespace surelist
