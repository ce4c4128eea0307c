#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "counter.hpp"
#include "kernels.hpp"
#include "pair_table.hpp"
#include "problem.hpp"

namespace surelist_checker {

// Rule (M): what any number of rules can reach behind a prefix (Z, a), with two classes. A rule for
// a label costs, above the floor, what it captures of the other label's class and no rule has taken
// yet. How much is taken of what an antecedent captures lies between bounds that need only what two
// antecedents share in the set of Z. All lists within the budget are gone through, depth first; if
// none may end there, no child of (Z, a) is left to account for, or it is in the other order.
// docs/proofs.md, Theorem 9, has the proof.
//
// Everything is in units of the problem's factor, rounded in favour of lists.
template <class Counter>
class Relaxation {
 public:
  using Lane = typename Counter::Lane;

  Relaxation(const Problem& problem, const Counter& counter, PairTable<Counter>& table);

  bool applies() const { return applies_; }
  // The set of Z and its counts, which must stay as they are until the next call; and whether it is
  // another Z than before.
  void reset(const Word* left, const Lane* counts, bool is_other);
  // `room` rules may follow (Z, a), and together with their prices cost so much and remain below
  // the target (or less than nothing). Whether no list does.
  bool excludes(std::uint32_t antecedent, Number room, Number lacking);

 private:
  static constexpr std::size_t most_steps = 128;
  static constexpr std::size_t most_shared = 1 << 22;  // numbers of one class that are kept, about
  // What the rules so far have taken of each class, by antecedent, and what a next rule costs.
  struct Taken {
    std::array<Lanes<Lane>, 2> most, least, cost;
    std::array<Lane, 2> whole{};
  };

  const Lane* class_counts(std::size_t c) const { return counts_ + (1 - c) * problem_.stride; }
  const Lane* shared(std::uint32_t antecedent, std::size_t c);
  void bound(std::uint32_t antecedent, std::size_t c);
  void forget_shared();
  bool may_reach(std::size_t n_rules, std::uint32_t antecedent, int label, Number cost);
  RelaxedRule<Lane> rule(std::size_t n_rules, std::uint32_t antecedent, int label);
  Number budget(std::size_t n_rules, Number cost) const;

  const Problem& problem_;
  const Counter& counter_;
  PairTable<Counter>& table_;
  const bool applies_;
  typename Counter::Scratch scratch_;
  const Word* left_ = nullptr;
  const Lane* counts_ = nullptr;
  Lanes<Lane> usable_, worth_, turn_;  // by antecedent
  Lanes<Lane> shared_;                 // rows, each of two classes
  std::vector<std::size_t> row_of_;    // by antecedent: its row from 1, or 0
  std::size_t n_rows_ = 0, most_rows_ = 0;
  std::array<Lanes<Lane>, 2> most_shared_, least_shared_;  // bounds, by class
  std::size_t n_exact_ = 0;                                // rules for which pairs are counted
  std::vector<Word> captured_;
  std::vector<Taken> taken_;  // by the number of rules, a included
  std::size_t n_steps_ = 0;
  std::uint32_t first_ = 0;  // a
  Number room_ = 0, lacking_ = 0;
};

template <class Counter>
Relaxation<Counter>::Relaxation(const Problem& problem, const Counter& counter,
                                PairTable<Counter>& table)
    : problem_(problem),
      counter_(counter),
      table_(table),
      applies_(problem.n_classes == 2 && problem.is_label[0] && problem.is_label[1] &&
               problem.all_required == 0) {
  if (!applies_) return;
  usable_.resize(problem.stride);
  worth_.resize(problem.stride);
  turn_.resize(problem.stride);
  most_rows_ = std::min(problem.n_antecedents, 1 + most_shared / problem.stride);
  row_of_.resize(problem.n_antecedents);
  for (auto* lanes : {&most_shared_, &least_shared_})
    for (auto& by_class : *lanes) by_class.resize(problem.stride);
  captured_.resize(problem.n_words);
  for (std::size_t t = 0; t < problem.n_antecedents; ++t)
    worth_[t] = static_cast<Lane>(std::min(problem.price[t] / problem.factor, problem.most_cost));
}

// An antecedent that leaves too little of the set of Z is in no cheapest list (Theorem 2).
template <class Counter>
void Relaxation<Counter>::reset(const Word* left, const Lane* counts, bool is_other) {
  left_ = left;
  counts_ = counts;
  if (!is_other) return;
  forget_shared();
  const std::size_t stride = problem_.stride, m = problem_.n_antecedents;
  const auto ceil = [&](std::size_t t) {
    return Number{counts[t]} + counts[stride + t] + counts[2 * stride + t];
  };
  for (std::size_t t = 0; t < m; ++t) {
    const bool leaves_little = (ceil(m) - ceil(t)) * problem_.factor <= problem_.price[t];
    usable_[t] = problem_.forbidden[t] || leaves_little ? 0 : -1;
  }
}

template <class Counter>
void Relaxation<Counter>::forget_shared() {
  std::fill(row_of_.begin(), row_of_.end(), 0);
  n_rows_ = 0;
}

// What each antecedent shares with one of a class, in the set of Z. Until the next call.
template <class Counter>
auto Relaxation<Counter>::shared(std::uint32_t antecedent, std::size_t c) -> const Lane* {
  const std::size_t size = 2 * problem_.stride;
  if (row_of_[antecedent] == 0) {
    if (n_rows_ == most_rows_) forget_shared();
    row_of_[antecedent] = ++n_rows_;
    if (shared_.size() < n_rows_ * size) shared_.resize(n_rows_ * size);
    const Word* captures = problem_.captured_by(antecedent);
    for (std::size_t w = 0; w < problem_.n_words; ++w) captured_[w] = left_[w] & captures[w];
    counter_.count(captured_.data(), 0, 2, shared_.data() + (n_rows_ - 1) * size, scratch_);
  }
  return shared_.data() + (row_of_[antecedent] - 1) * size + (1 - c) * problem_.stride;
}

// Bounds that: from what both share in all groups.
template <class Counter>
void Relaxation<Counter>::bound(std::uint32_t antecedent, std::size_t c) {
  const Lane *captured = class_counts(c), *whole = table_.whole(1 - c);
  const Lane own = captured[antecedent];
  const SharedBounds<Lane> bounds{table_.shared(antecedent, 1 - c),
                                  whole,
                                  captured,
                                  own,
                                  static_cast<Lane>(whole[antecedent] - own),
                                  static_cast<Lane>(captured[problem_.n_antecedents] - own),
                                  most_shared_[c].data(),
                                  least_shared_[c].data()};
  bound_shared(bounds, problem_.stride);
}

// What a and the rules behind it share with others is bounded first. If that is not enough, it is
// counted for a, and then for all.
// With wider bounds the search goes wherever it goes with exact ones: it excludes no more.
template <class Counter>
bool Relaxation<Counter>::excludes(std::uint32_t antecedent, Number room, Number lacking) {
  const std::size_t stride = problem_.stride, m = problem_.n_antecedents, a = antecedent;
  first_ = antecedent;
  room_ = room;
  lacking_ = lacking;
  if (budget(1, 0) < 0) return true;
  const Number own = problem_.rank[a];
  for (std::size_t t = 0; t < m; ++t) {
    const Number turn = Number{problem_.rank[t]} - own;
    turn_[t] = static_cast<Lane>(turn < 0 ? turn + static_cast<Number>(m) : turn);
  }
  if (taken_.empty()) taken_.resize(1);
  for (std::size_t c = 0; c < 2; ++c) {
    taken_[0].most[c].assign(stride, 0);
    taken_[0].least[c].assign(stride, 0);
  }
  const int label = counts_[a] <= counts_[stride + a] ? 0 : 1;
  for (const std::size_t n_exact : {std::size_t{0}, std::size_t{1}, most_steps}) {
    if (n_exact < most_steps && !table_.exists()) continue;
    n_exact_ = n_exact;
    n_steps_ = 0;
    if (!may_reach(1, antecedent, label, 0)) return true;
  }
  return false;
}

// What n rules behind (Z, a) may cost above the floor, beyond what some of them have cost; negative
// if there are no such lists.
template <class Counter>
Number Relaxation<Counter>::budget(std::size_t n_rules, Number cost) const {
  const auto n = static_cast<Number>(n_rules);
  const Number left = lacking_ - 1 - n * problem_.least_price;
  if (n > room_ || left < 0) return -1;
  return std::min(left / problem_.factor, problem_.most_cost) - cost;
}

// Whether a list that goes on with this rule may end within the budget.
template <class Counter>
bool Relaxation<Counter>::may_reach(std::size_t n_rules, std::uint32_t antecedent, int label,
                                    Number cost) {
  if (++n_steps_ > most_steps) return true;
  while (taken_.size() <= n_rules) {
    Taken& next = taken_.emplace_back();
    for (auto* lanes : {&next.most, &next.least, &next.cost})
      for (auto& by_class : *lanes) by_class.resize(problem_.stride);
  }
  RelaxedRule<Lane> step = rule(n_rules, antecedent, label);
  step.budget_last = static_cast<Lane>(budget(n_rules, cost));
  step.budget_next = static_cast<Lane>(std::max<Number>(-1, budget(n_rules + 1, cost)));
  if (relax(step, problem_.stride)) return true;
  if (step.budget_next < 0) return false;
  for (int next = 0; next < 2; ++next) {
    for (std::uint32_t t = 0; t < problem_.n_antecedents; ++t) {
      const Lane more = taken_[n_rules].cost[next][t];
      if (more >= 0 && may_reach(n_rules + 1, t, next, cost + more)) return true;
    }
  }
  return false;
}

template <class Counter>
RelaxedRule<typename Counter::Lane> Relaxation<Counter>::rule(std::size_t n_rules,
                                                              std::uint32_t antecedent, int label) {
  const std::size_t m = problem_.n_antecedents;
  RelaxedRule<Lane> step;
  step.usable = usable_.data();
  step.worth = worth_.data();
  step.turn = turn_.data();
  step.label = label;
  // Behind a, rules of its label that come before it are accounted for in the other order.
  step.least_turn = turn_[antecedent];
  step.most_turn = static_cast<Lane>(n_rules > 1 ? m - 1 : m - 1 - problem_.rank[first_]);
  const Taken& before = taken_[n_rules - 1];
  Taken& now = taken_[n_rules];
  for (std::size_t c = 0; c < 2; ++c) {
    const Lane* captured = class_counts(c);
    auto& of = step.classes[c];
    of.captured = captured;
    if (n_rules <= n_exact_) {
      of.shared_most = of.shared_least = shared(antecedent, c);
    } else {
      bound(antecedent, c);
      of.shared_most = most_shared_[c].data();
      of.shared_least = least_shared_[c].data();
    }
    of.before_most = before.most[c].data();
    of.before_least = before.least[c].data();
    of.now_most = now.most[c].data();
    of.now_least = now.least[c].data();
    of.cost = now.cost[c].data();
    of.own_new = static_cast<Lane>(captured[antecedent] - of.before_least[antecedent]);
    of.own_taken = of.before_most[antecedent];
    const Number whole = Number{before.whole[c]} + of.own_new;
    now.whole[c] = static_cast<Lane>(std::min<Number>(whole, captured[m]));
    of.left = static_cast<Lane>(captured[m] - now.whole[c]);
  }
  return step;
}

}  // namespace surelist_checker
