#include "fair/problem.hpp"

#include <algorithm>
#include <utility>

#include "base/bits.hpp"
#include "problem/constraints.hpp"

namespace surelist::fair {

namespace {

Weight most_loss(const Problem& problem, const std::vector<Weight>& surcharges) {
  Weight most = problem.largest_loss();
  for (const Weight surcharge : surcharges) most += surcharge;
  if (most >= kMostWeight) throw InputError("antecedent_costs are too large for these weights");
  return most;
}

}  // namespace

FairProblem::FairProblem(std::shared_ptr<const Problem> problem, Constraints constraints,
                         Options options)
    : problem_(std::move(problem)),
      constraints_(std::move(constraints)),
      options_(std::move(options)),
      scale_(options_.regularization, problem_->total_weight(),
             most_loss(*problem_, options_.surcharges), problem_->n_antecedents()) {
  if (constraints_.n_counts() != problem_->n_classes() || n_counts() < 2 || n_counts() % 2 != 0) {
    throw InputError("a fair problem has two classes for each sensitive group");
  }
  const surelist::Constraints lists{.surcharges = options_.surcharges,
                                    .rule_label = options_.rule_label,
                                    .first = options_.first,
                                    .required = options_.required,
                                    .forbidden = options_.forbidden};
  lists.check(problem_->n_antecedents(), 2, options_.max_length);
  number_demands(lists.shortest());
  for (Antecedent s = 0; s < problem_->n_antecedents(); ++s) {
    const auto& no = options_.forbidden;
    if (std::find(no.begin(), no.end(), s) == no.end()) usable_.push_back(s);
  }
}

void FairProblem::number_demands(const Prefix& demanded) {
  if (demanded.empty()) return;
  if (demanded.size() > 64) {
    throw InputError("with fairness, first and required may name 64 antecedents together");
  }
  demands_.assign(problem_->n_antecedents(), 0);
  for (std::size_t i = 0; i < demanded.size(); ++i) demands_[demanded[i]] = Demands{1} << i;
  for (const Antecedent s : demanded) all_demands_ |= demands_[s];
}

bool FairProblem::may_follow(const State& state, Antecedent s) const {
  if (!in_order(state.length(), s)) return false;
  if ((demand(s) & ~state.demands) != 0) return true;
  return bits::intersects(state.left.data(), problem_->captured(s), words());
}

State FairProblem::empty() const {
  State state;
  state.selected.assign(n_counts(), 0);
  const std::span<const Weight> totals = problem_->class_weights();
  state.open.assign(totals.begin(), totals.end());
  state.left.assign(words(), 0);
  bits::fill(state.left.data(), problem_->n_groups());
  return state;
}

void FairProblem::add_group(Capture& capture, std::size_t group) const {
  const Weight* weights = problem_->group_weights().data() + group * n_counts();
  for (std::size_t i = 0; i < n_counts(); ++i) capture.counts[i] += weights[i];
  capture.cost[0] += problem_->cost(group, 0);
  capture.cost[1] += problem_->cost(group, 1);
}

Capture FairProblem::capture(const State& state, Antecedent s) const {
  Capture capture{.counts = Counts(n_counts(), 0)};
  const Word* captured = problem_->captured(s);
  for (std::size_t w = 0; w < words(); ++w) {
    bits::for_each_in_word(state.left[w] & captured[w], w * bits::kWord,
                           [&](std::size_t group) { add_group(capture, group); });
  }
  return capture;
}

Capture FairProblem::rest(const State& state) const {
  Capture capture{.counts = Counts(n_counts(), 0)};
  bits::for_each(state.left.data(), words(), [&](std::size_t group) { add_group(capture, group); });
  return capture;
}

void FairProblem::extend(State& state, Antecedent s, Label label, const Capture& capture) const {
  state.prefix.push_back(s);
  state.labels.push_back(label);
  state.demands |= demand(s);
  state.loss += capture.cost[label] + surcharge(s);
  for (std::size_t i = 0; i < n_counts(); ++i) {
    state.open[i] -= capture.counts[i];
    if (label == 1) state.selected[i] += capture.counts[i];
  }
  bits::and_not(state.left.data(), problem_->captured(s), words());
}

bool FairProblem::rule_may(Label label, const Capture& capture) const {
  if (options_.rule_label) return label == *options_.rule_label;
  return default_may(label, capture);
}

bool FairProblem::default_may(Label label, const Capture& capture) const {
  if (options_.labels == Labels::kFree) return true;
  return label == (capture.cost[1] < capture.cost[0] ? 1u : 0u);
}

}  // namespace surelist::fair
