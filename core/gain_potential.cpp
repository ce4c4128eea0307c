#include "gain_potential.hpp"

#include <algorithm>

#include "bits.hpp"

namespace surelist {

GainPotential::GainPotential(const Problem& problem)
    : n_classes_(problem.n_classes()), gains_(n_classes_ * kKept) {}

void GainPotential::reset(const CaptureCounts& counts, const Word* viable) {
  const Weight* floor = counts.floor();
  for (Label q = 0; q < n_classes_; ++q) {
    Gain* kept = gains_.data() + q * kKept;
    std::fill_n(kept, kKept, Gain{});
    const Weight* cost = counts.cost(q);
    bits::for_each(viable, bits::words(counts.n_antecedents()), [&](std::size_t s) {
      const Weight gain = cost[s] - floor[s];
      if (gain <= kept[kKept - 1].gain) return;
      std::size_t at = kKept - 1;
      for (; at > 0 && kept[at - 1].gain < gain; --at) kept[at] = kept[at - 1];
      kept[at] = {gain, static_cast<Antecedent>(s)};
    });
  }
}

GainPotential::Bounds GainPotential::bounds(const ObjectiveScale& scale, Weight prefix_loss,
                                            Length length, const Weight* default_costs,
                                            Weight minority, Antecedent used, Length most_rules,
                                            Objective infinite) const {
  Bounds result{infinite, infinite};
  for (Label q = 0; q < n_classes_; ++q) {
    const Gain* kept = gains(q);
    Weight reached = default_costs[q];
    std::size_t next = 0;
    for (Length j = 1; j <= most_rules; ++j) {
      if (next < kKept - 1 && kept[next].antecedent == used) ++next;
      const Weight gain = kept[next].gain;
      if (next < kKept - 1) ++next;
      reached = std::max(reached - gain, minority);
      const Objective bound = scale.of(prefix_loss + reached, length + j);
      Objective& least = j == 1 ? result.one : result.more;
      if (bound < least) least = bound;
      // Gains only fall from here: a rule that cannot pay its λ is followed by none that can.
      const bool exhausted = reached == minority || scale.within_rule(gain);
      if (exhausted && j > 1) break;
    }
  }
  return result;
}

}  // namespace surelist
