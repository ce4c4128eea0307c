#include "fair/incumbent.hpp"

namespace surelist::fair {

Incumbent::Incumbent(const FairProblem& problem) : problem_(problem) {
  Weight most = problem.rows().largest_loss();
  for (const Weight surcharge : problem.options().surcharges) most += surcharge;
  const auto longest = static_cast<Length>(problem.rows().n_antecedents());
  objective_ = {problem.scale().of(most, longest).value + 1};
}

bool Incumbent::take(const State& state, Demands demands, Weight loss, Length length,
                     const Counts& selected, Label d) {
  if (!problem_.complete(demands)) return false;
  const Objective objective = problem_.scale().of(loss, length);
  if (objective >= objective_ || !problem_.constraints().hold(selected.data())) return false;
  objective_ = objective;
  found_ = true;
  list_ = {.prefix = state.prefix,
           .labels = state.labels,
           .default_label = d,
           .loss = loss,
           .selected = selected};
  return true;
}

bool Incumbent::consider(const State& state, const Capture& rest, Label d) {
  if (!problem_.default_may(d, rest)) return false;
  Counts selected = state.selected;
  if (d == 1) {
    for (std::size_t i = 0; i < selected.size(); ++i) selected[i] += rest.counts[i];
  }
  return take(state, state.demands, state.loss + rest.cost[d], state.length(), selected, d);
}

bool Incumbent::consider(const State& state, Antecedent s, Label label, const Capture& capture,
                         const Capture& rest, Label d) {
  Capture after = rest;
  Counts selected = state.selected;
  for (std::size_t i = 0; i < selected.size(); ++i) {
    after.counts[i] -= capture.counts[i];
    selected[i] += (label == 1 ? capture.counts[i] : 0) + (d == 1 ? after.counts[i] : 0);
  }
  after.cost[0] -= capture.cost[0];
  after.cost[1] -= capture.cost[1];
  if (!problem_.default_may(d, after)) return false;
  const Weight loss = state.loss + problem_.surcharge(s) + capture.cost[label] + after.cost[d];
  const Demands demands = state.demands | problem_.demand(s);
  if (!take(state, demands, loss, state.length() + 1, selected, d)) return false;
  list_.prefix.push_back(s);
  list_.labels.push_back(label);
  return true;
}

}  // namespace surelist::fair
