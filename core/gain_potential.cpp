#include "gain_potential.hpp"

#include <algorithm>

#include "bits.hpp"

namespace surelist {

GainPotential::GainPotential(const Problem& problem)
    : n_classes_(problem.n_classes()), gains_(n_classes_) {}

void GainPotential::reset(const CaptureCounts& counts, const Word* viable) {
  const Weight* floor = counts.floor();
  for (Label q = 0; q < n_classes_; ++q) {
    Gains gains;
    const Weight* cost = counts.cost(q);
    bits::for_each(viable, bits::words(counts.n_antecedents()), [&](std::size_t s) {
      const Weight gain = cost[s] - floor[s];
      gains.second = std::max(gains.second, std::min(gains.largest, gain));
      gains.owner = gain > gains.largest ? static_cast<Antecedent>(s) : gains.owner;
      gains.largest = std::max(gains.largest, gain);
    });
    gains_[q] = gains;
  }
}

template <class Visit>
void GainPotential::for_each_length(const Rest& rest, const ObjectiveScale& scale, Label label,
                                    Length most, Visit&& visit) const {
  const Gains& gains = gains_[label];
  Weight reached = rest.default_costs[label];
  const bool net = rest.first_gains != nullptr;  // of the first rule, in place of one gain
  for (Length j = 1; j <= most; ++j) {
    const Weight gain =
        net && j == 1 ? rest.first_gains[label] : gains.at(net ? j - 2 : j - 1, rest.used);
    reached = std::max(reached - gain, rest.minority);
    if (visit(j, rest.prefix_loss + reached)) return;
    // Gains only fall from here: a rule that cannot pay its λ is followed by none that can.
    if (j > 1 && (reached == rest.minority || scale.within_rule(gain))) return;
  }
}

bool GainPotential::prunes(const Rest& rest, const ObjectiveScale& scale, const Budget& budget,
                           Length least, Length most) const {
  bool within = false;
  for (Label q = 0; q < n_classes_ && !within; ++q) {
    for_each_length(rest, scale, q, most, [&](Length j, Weight loss) {
      within = j >= least && loss <= budget.at(rest.length + j);
      return within;
    });
  }
  return !within;
}

Objective GainPotential::lower_bound(const Rest& rest, const ObjectiveScale& scale, Length most,
                                     Objective infinite) const {
  Objective least = infinite;
  for (Label q = 0; q < n_classes_; ++q) {
    for_each_length(rest, scale, q, most, [&](Length j, Weight loss) {
      least = std::min(least, scale.of(loss, rest.length + j));
      return false;
    });
  }
  return least;
}

}  // namespace surelist
