#include "near_optimal/orders.hpp"

#include <algorithm>

#include "base/bits.hpp"

namespace surelist {

Orders::Orders(const Problem& problem, const Constraints& constraints)
    : problem_(problem),
      constraints_(constraints),
      left_(problem.group_words()),
      captured_(problem.group_words()),
      predicted_(problem.group_words() * problem.n_classes()) {}

Orders::Found Orders::of(std::span<const LabelledRule> order, Label default_label) {
  const std::size_t n_rules = order.size(), n_words = problem_.group_words();
  if (n_rules > kMostRules) throw InputError("orders of more than 16 rules are not counted");
  std::fill(predicted_.begin(), predicted_.end(), Word{0});
  bits::fill(left_.data(), problem_.n_groups());
  for (const LabelledRule& rule : order) {
    Word* set = predicted_.data() + rule.label * n_words;
    const Word* captures = problem_.captured(rule.antecedent);
    for (std::size_t w = 0; w < n_words; ++w) set[w] |= left_[w] & captures[w];
    bits::and_not(left_.data(), captures, n_words);
  }
  Word* rest = predicted_.data() + default_label * n_words;
  for (std::size_t w = 0; w < n_words; ++w) rest[w] |= left_[w];
  const std::size_t all = (std::size_t{1} << n_rules) - 1;
  ways_.assign(all + 1, 0);
  followers_.assign(all + 1, 0);
  ways_[all] = 1;
  for (std::size_t subset = all; subset-- > 0;) {
    leave(order, subset);
    for (std::size_t place = 0; place < n_rules; ++place) {
      const std::size_t with = subset | (std::size_t{1} << place);
      if (with == subset || ways_[with] == 0 || !may_follow(order, subset, place)) continue;
      ways_[subset] += ways_[with];
      followers_[subset] |= std::uint32_t{1} << place;
    }
  }
  Found found{.n_orders = ways_[0], .is_first = true};
  std::size_t subset = 0;
  for (std::size_t place = 0; place < n_rules; ++place) {
    for (std::size_t other = place + 1; other < n_rules; ++other) {
      const bool follows = (followers_[subset] >> other & 1) != 0;
      if (follows && order[other] < order[place]) found.is_first = false;
    }
    subset |= std::size_t{1} << place;
  }
  return found;
}

void Orders::leave(std::span<const LabelledRule> order, std::size_t subset) {
  bits::fill(left_.data(), problem_.n_groups());
  for (std::size_t place = 0; place < order.size(); ++place) {
    if ((subset >> place & 1) == 0) continue;
    bits::and_not(left_.data(), problem_.captured(order[place].antecedent), problem_.group_words());
  }
}

bool Orders::may_follow(std::span<const LabelledRule> order, std::size_t subset,
                        std::size_t place) {
  const LabelledRule& rule = order[place];
  const std::size_t before = static_cast<std::size_t>(__builtin_popcountll(subset));
  const Prefix& first = constraints_.first;
  if (before < first.size()) {
    if (first[before] != rule.antecedent) return false;
  } else if (std::find(first.begin(), first.end(), rule.antecedent) != first.end()) {
    return false;
  }
  const Word* captures = problem_.captured(rule.antecedent);
  const Word* predicted = predicted_.data() + rule.label * problem_.group_words();
  Word any = 0, wrong = 0;
  for (std::size_t w = 0; w < problem_.group_words(); ++w) {
    captured_[w] = left_[w] & captures[w];
    any |= captured_[w];
    wrong |= captured_[w] & ~predicted[w];
  }
  if (wrong != 0) return false;
  const bool demanded = before < first.size() || constraints_.requires_antecedent(rule.antecedent);
  if (any == 0 && !demanded) return false;
  return constraints_.rule_label || cheapest(captured_.data()) == rule.label;
}

Label Orders::cheapest(const Word* captured) const {
  Label best = 0;
  Weight least = std::numeric_limits<Weight>::max();
  for (Label q = 0; q < problem_.n_classes(); ++q) {
    Weight cost = 0;
    bits::for_each(captured, problem_.group_words(),
                   [&](std::size_t g) { cost += problem_.cost(g, q); });
    if (cost < least) {
      least = cost;
      best = q;
    }
  }
  return best;
}

}  // namespace surelist
