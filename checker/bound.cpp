#include "bound.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace surelist_checker {

Bound::Bound(const Problem& problem)
    : problem_(problem),
      active_(problem.n_antecedents),
      is_active_(problem.n_antecedents),
      best_(problem.n_classes),
      greatest_(problem.n_classes),
      before_(problem.n_classes + 1),
      after_(problem.n_classes + 1),
      saved_(problem.n_classes) {
  for (const Number price : problem.price) extra_.push_back(price - problem.least_price);
}

// Theorems 1 and 2: a cheapest completion uses none but these.
void Bound::find_active(const Sums& sums, const State& state) {
  const std::size_t m = problem_.n_antecedents;
  const Number *ceil = sums.ceil(), *rule = sums.rule(), *price = problem_.price.data();
  missing_ = problem_.all_required & ~state.used;
  n_missing_ = std::popcount(missing_);
  const bool nothing_missing = missing_ == 0;
  active_.resize(m);
  std::size_t n = 0;
  for (std::size_t a = 0; a < m; ++a) {
    const bool worthless = ceil[a] - rule[a] <= price[a];
    const bool leaves_too_little = nothing_missing & (ceil[m] - ceil[a] <= price[a]);
    const bool needed = problem_.required[a] & missing_;
    const bool active = (needed | !(worthless | leaves_too_little)) & !problem_.forbidden[a];
    is_active_[a] = active;
    active_[n] = static_cast<std::uint32_t>(a);
    n += active;
  }
  active_.resize(n);
}

// With more rules than this, prices and floor alone reach the target.
Number Bound::most_rules_below_target(Number most, Number least_cost) const {
  const Number lacking = problem_.target - least_cost, price = problem_.least_price;
  if (lacking <= 0) return -1;
  return price == 0 ? most : std::min(most, (lacking - 1) / price);
}

void Bound::rank_gains(const Sums& sums, std::size_t n) {
  n = std::min(n, active_.size());
  for (std::size_t q = 0; q < problem_.n_classes; ++q) {
    sorted_.clear();
    for (const auto a : active_) sorted_.push_back(gain_at(sums, q, a));
    std::partial_sort(sorted_.begin(), sorted_.begin() + static_cast<std::ptrdiff_t>(n),
                      sorted_.end(), std::greater<>());
    best_[q].assign(1, 0);
    for (std::size_t j = 0; j < n; ++j) best_[q].push_back(best_[q].back() + sorted_[j]);
  }
}

// The most that rules for a label save: the greatest savings of active antecedents.
void Bound::rank_savings(const Sums& sums) {
  const Number* ceil = sums.ceil();
  for (std::size_t r = 0; r < problem_.n_classes; ++r) {
    Number first = 0, second = 0, third = 0;
    if (problem_.is_label[r]) {
      const Number* cost = sums.cost(r);
      for (const auto a : active_) {
        const Number saved = ceil[a] - cost[a];
        if (saved <= third) continue;
        third = std::min(second, std::max(saved, third));
        second = std::min(first, std::max(saved, second));
        first = std::max(first, saved);
      }
    }
    greatest_[r] = {0, first, first + second, first + second + third};
  }
}

Bound::Saved Bound::share(const Saved& one, const Saved& other) {
  Saved most{};
  for (int j = 0; j <= most_rules; ++j) {
    most[j] = one[j];
    for (int n = 1; n <= j; ++n) most[j] = std::max(most[j], one[j - n] + other[n]);
  }
  return most;
}

// R_0 to R_3 for each default label: rules for the other labels, which save no more than `whole`.
template <class Whole>
void Bound::share_among_labels(Whole whole) {
  const std::size_t n = problem_.n_classes;
  const auto by_label = [&](std::size_t r) {
    Saved saved = greatest_[r];
    const Number most = whole(r);
    for (auto& each : saved) each = std::min(each, most);
    return saved;
  };
  if (n == 2) {
    saved_[0] = by_label(1);
    saved_[1] = by_label(0);
    return;
  }
  for (std::size_t r = 0; r < n; ++r) before_[r + 1] = share(before_[r], by_label(r));
  for (std::size_t r = n; r-- > 0;) after_[r] = share(after_[r + 1], by_label(r));
  for (std::size_t q = 0; q < n; ++q) saved_[q] = share(before_[q], after_[q + 1]);
}

Number Bound::saved_by(const Saved& saved, Number n_rules) {
  if (n_rules <= most_rules) return saved[static_cast<std::size_t>(n_rules)];
  return saved[most_rules] + (n_rules - most_rules) * (saved[most_rules] - saved[most_rules - 1]);
}

bool Bound::holds(const Sums& sums, const State& state) {
  const std::size_t m = problem_.n_antecedents;
  find_active(sums, state);
  Number most = std::min(static_cast<Number>(active_.size()), state.room);
  most = most_rules_below_target(most, state.cost + sums.floor()[m]);
  if (most < n_missing_) return true;
  rank_gains(sums, static_cast<std::size_t>(most));
  rank_savings(sums);
  share_among_labels([&](std::size_t r) { return sums.ceil()[m] - sums.cost(r)[m]; });
  for (std::size_t q = 0; q < problem_.n_classes; ++q)
    if (!holds_for(sums, state, q, most)) return false;
  return true;
}

// For one default label. Antecedents that are missing are among the rules; if there are no others,
// one of them comes first, and gains no more than its net.
bool Bound::holds_for(const Sums& sums, const State& state, std::size_t q, Number most) {
  const std::size_t m = problem_.n_antecedents;
  const Number *cost = sums.cost(q), *rule = sums.rule();
  Number net = 0, own = 0, harm = 0;
  bool any_missing = false;
  for (const auto a : active_) {
    const Number net_of_a = cost[a] - rule[a] - extra_[a];
    net = std::max(net, net_of_a);
    if (!(problem_.required[a] & missing_)) continue;
    const Number loss = gain_at(sums, q, a) - net_of_a;
    own += gain_at(sums, q, a);
    harm = any_missing ? std::min(harm, loss) : loss;
    any_missing = true;
  }
  std::vector<Number> others;  // sums of the greatest gains of what is not missing
  if (any_missing) {
    sorted_.clear();
    for (const auto a : active_)
      if (!(problem_.required[a] & missing_)) sorted_.push_back(gain_at(sums, q, a));
    std::sort(sorted_.begin(), sorted_.end(), std::greater<>());
    others.assign(1, 0);
    for (const Number gain : sorted_) others.push_back(others.back() + gain);
  }
  const Number need = problem_.target - state.cost;
  for (Number j = n_missing_; j <= most; ++j) {
    Number gained = 0;
    if (j > 0) {
      const auto at = static_cast<std::size_t>(j);
      gained = std::min(best_[q][at - 1] + net, saved_by(saved_[q], j));
      gained = std::min(gained, net + saved_by(saved_[q], j - 1));
      const Number by_gains =
          any_missing ? own + others[static_cast<std::size_t>(j - n_missing_)] : best_[q][at];
      gained = std::min(gained, by_gains - (j == n_missing_ ? harm : 0));
    }
    if (j * problem_.least_price + cost[m] - gained < need) return false;
  }
  return true;
}

void Bound::prepare(const Sums& sums, const State& state, Number least_floor) {
  find_active(sums, state);
  Number most = std::min(static_cast<Number>(active_.size()), state.room - 1);
  most = std::max<Number>(0, most_rules_below_target(most, least_floor));
  rank_gains(sums, static_cast<std::size_t>(most) + 1);
  rank_savings(sums);
}

// A child's own antecedent captures nothing there.
Number Bound::best_without(const Sums& sums, std::size_t q, std::size_t antecedent,
                           std::size_t n) const {
  const auto& best = best_[q];
  if (n == 0) return 0;
  if (!is_active_[antecedent]) return best[n];
  const Number own = gain_at(sums, q, antecedent);
  return own >= best[n] - best[n - 1] ? best[n + 1] - own : best[n];
}

bool Bound::holds_for_child(const Sums& sums, const State& state, std::size_t antecedent,
                            Number child_cost, Number child_floor) {
  const std::size_t m = problem_.n_antecedents, a = antecedent;
  Number most = std::min(static_cast<Number>(active_.size()) - is_active_[a], state.room - 1);
  most = most_rules_below_target(most, child_floor);
  const Number least = n_missing_ - ((problem_.required[a] & missing_) != 0);
  const Number need = problem_.target - child_cost;
  bool shared = false;
  for (Number j = least; j <= most; ++j) {
    const auto at = static_cast<std::size_t>(j);
    for (std::size_t q = 0; q < problem_.n_classes; ++q) {
      const Number* cost = sums.cost(q);
      const Number loss = j * problem_.least_price + cost[m] - cost[a];
      Number gained = 0;
      if (j > 0) {
        gained = best_without(sums, q, a, at);
        if (loss - gained >= need) continue;
        if (!shared) {
          share_among_labels([&](std::size_t r) {
            return sums.ceil()[m] - sums.cost(r)[m] - (sums.ceil()[a] - sums.cost(r)[a]);
          });
          shared = true;
        }
        gained = std::min(gained, saved_by(saved_[q], j));
      }
      if (loss - gained < need) return false;
    }
  }
  return true;
}

bool Bound::holds_for_child(const Sums& sums, const State& state, std::size_t antecedent,
                            Number child_cost, Number child_floor, const Number* most_net) const {
  const std::size_t m = problem_.n_antecedents, a = antecedent;
  Number most = std::min(static_cast<Number>(active_.size()) - is_active_[a], state.room - 1);
  most = most_rules_below_target(most, child_floor);
  const Number need = problem_.target - child_cost;
  for (std::size_t q = 0; q < problem_.n_classes; ++q) {
    const Number cost = sums.cost(q)[m] - sums.cost(q)[a];
    if (cost < need) return false;
    for (Number j = 1; j <= most; ++j) {
      const auto at = static_cast<std::size_t>(j);
      Number gained = best_without(sums, q, a, at);
      gained = std::min(gained, most_net[q] + best_without(sums, q, a, at - 1));
      if (j * problem_.least_price + cost - gained < need) return false;
    }
  }
  return true;
}

}  // namespace surelist_checker
