// The results of a search, at any time and from any thread.
#include <algorithm>

#include "base/bits.hpp"
#include "search/search.hpp"

namespace surelist {

Status Search::status() const {
  const Lock locked(mutex_);
  return status_;
}

Objective Search::objective() const {
  const Lock locked(mutex_);
  return incumbent_.objective;
}

Objective Search::lower_bound() const {
  const Lock locked(mutex_);
  return lower_bound_locked();
}

Counters Search::counters() const {
  const Lock locked(mutex_);
  return counters_;
}

std::vector<Sample> Search::trace() const {
  const Lock locked(mutex_);
  return trace_.samples();
}

RuleListResult Search::best() const {
  RuleListResult result;
  {
    const Lock locked(mutex_);
    result.prefix = best_prefix_;
  }
  result.loss = loss_of(result.prefix, &result);
  return result;
}

std::vector<Antecedent> Search::order() const {
  std::vector<Antecedent> order(context_.rank.size());
  for (std::size_t s = 0; s < order.size(); ++s) {
    order[static_cast<std::size_t>(context_.rank[s])] = static_cast<Antecedent>(s);
  }
  return order;
}

Objective Search::objective_of(const Prefix& prefix) const {
  return context_.scale.of(loss_of(prefix, nullptr), static_cast<Length>(prefix.size()));
}

// From the definition of the loss, and independent of the incremental computation, which
// `finish_locked` checks against it.
Weight Search::loss_of(const Prefix& prefix, RuleListResult* described) const {
  const Problem& problem = *context_.problem;
  std::vector<Word> left(problem.group_words());
  bits::fill(left.data(), problem.n_groups());
  std::vector<Weight> costs(problem.n_classes());
  Weight loss = 0;
  const Constraints& constraints = context_.constraints();
  const auto cheapest = [&](const Word* inside) {
    std::fill(costs.begin(), costs.end(), 0);
    for (std::size_t w = 0; w < left.size(); ++w) {
      const Word chosen = inside == nullptr ? left[w] : left[w] & inside[w];
      bits::for_each_in_word(chosen, w * bits::kWord, [&](std::size_t g) {
        for (Label q = 0; q < costs.size(); ++q) costs[q] += problem.cost(g, q);
      });
    }
    auto least = std::min_element(costs.begin(), costs.end());
    if (inside != nullptr && constraints.rule_label) {
      least = costs.begin() + static_cast<std::ptrdiff_t>(*constraints.rule_label);
    }
    loss += *least;
    return static_cast<Label>(least - costs.begin());
  };
  for (const Antecedent s : prefix) {
    const Weight before = loss;
    const Label label = cheapest(problem.captured(s));
    loss += constraints.surcharge(s);
    if (described != nullptr) {
      described->labels.push_back(label);
      described->losses.push_back(loss - before);
    }
    bits::and_not(left.data(), problem.captured(s), left.size());
  }
  const Label default_label = cheapest(nullptr);
  if (described != nullptr) described->default_label = default_label;
  return loss;
}

}  // namespace surelist
