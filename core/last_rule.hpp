// The last rule, evaluated in place. With two classes a last rule t after (P, s) is worth having
// only if it predicts the other label than the default q, and then its gain is the sum over what it
// captures of cost(q) − cost(1 − q): gaining groups less harmed ones. From the counts of P alone
// that is at most
//   gain(t) − max(0, harm(t) − harm(s)) − max(0, gain(t) + gain(s) − all gain),
// because s can have taken away no more harm than it captures, and no less gain than must overlap.
// Few rules pass that test, and only they are counted exactly.
#pragma once

#include "bit_slices.hpp"
#include "capture_counts.hpp"

namespace surelist {

class LastRule {
 public:
  LastRule(const Problem& problem, const Kernels& kernels);

  // P's counts, and the antecedents that may still be used.
  void reset(const CaptureCounts& counts, const Word* viable);

  struct Found {
    Weight loss = 0;  // of rule and default together
    Antecedent antecedent = 0;
  };
  // Whether some last rule after s could bring the loss of what (P, s) leaves to `most` or below,
  // so that it needs a look. `default_costs` by label, of what (P, s) leaves.
  bool promising(Antecedent s, const Weight* default_costs, Weight most) const;
  // Looks: the least loss that a last rule reaches, if it is `most` or below. `left` is what (P, s)
  // leaves.
  bool find(Antecedent s, const Weight* default_costs, Weight most, const BitSlices& slices,
            const BitSlices::Set& left, Found& found) const;

 private:
  LastRuleLimits limits(Antecedent s, Label label) const;

  const Kernels& kernels_;
  const CaptureCounts* counts_ = nullptr;
  std::vector<Antecedent> antecedents_;  // the viable ones
  std::vector<Weight> gain_[2];          // theirs, by default label; harm is the other label's gain
};

}  // namespace surelist
