// For each default label, the two largest gains are enough: the second stands for all further ones.
#include "prune/gain_potential.hpp"

#include <algorithm>

namespace surelist {

GainPotential::GainPotential(const Problem& problem, const Kernels& kernels)
    : n_classes_(problem.n_classes()), kernels_(kernels), gains_(n_classes_) {}

void GainPotential::reset(const CaptureCounts& counts, const Word* viable) {
  for (Label q = 0; q < n_classes_; ++q) {
    gains_[q] =
        kernels_.largest_gains(counts.cost(q), counts.floor(), viable, counts.n_antecedents());
  }
}

template <class Visit>
void GainPotential::for_each_length(const Rest& rest, const ObjectiveScale& scale, Label label,
                                    Lengths lengths, Visit&& visit) const {
  const LargestGains& gains = gains_[label];
  const auto gain_at = [&](std::size_t i) {
    return i == 0 && gains.owner != rest.used ? gains.largest : gains.second;
  };
  Weight reached = rest.default_costs[label];
  const bool net = rest.first_gains != nullptr;  // of the first rule, in place of one gain
  for (Length j = 1; j <= lengths.most; ++j) {
    const Weight gain = net && j == 1 ? rest.first_gains[label] : gain_at(net ? j - 2 : j - 1);
    reached = std::max(reached - gain, rest.minority);
    if (visit(j, rest.prefix_loss + reached)) return;
    // Gains do not rise from here on: if this rule does not pay its λ, no further one does. (Up to
    // the shortest length that is looked for, rules cost nothing.)
    const bool pays = rest.length + j < lengths.shortest || !scale.within_rule(gain);
    if (j > 1 && (reached == rest.minority || !pays)) return;
  }
}

bool GainPotential::prunes(const Rest& rest, const ObjectiveScale& scale, const Budget& budget,
                           MoreRules more) const {
  bool within = false;
  for (Label q = 0; q < n_classes_ && !within; ++q) {
    for_each_length(rest, scale, q, {more.most, budget.shortest()}, [&](Length j, Weight loss) {
      within = j >= more.least && loss <= budget.at(rest.length + j);
      return within;
    });
  }
  return !within;
}

Objective GainPotential::lower_bound(const Rest& rest, const ObjectiveScale& scale, Length most,
                                     Objective infinite) const {
  Objective least = infinite;
  for (Label q = 0; q < n_classes_; ++q) {
    for_each_length(rest, scale, q, {most, 0}, [&](Length j, Weight loss) {
      least = std::min(least, scale.of(loss, rest.length + j));
      return false;
    });
  }
  return least;
}

}  // namespace surelist
