#include "fair/search.hpp"

#include <algorithm>
#include <utility>

#include "base/bits.hpp"
#include "base/work.hpp"
#include "problem/constraints.hpp"

namespace surelist::fair {

Search::Search(std::shared_ptr<const Problem> problem, Constraints constraints, Options options)
    : problem_(std::move(problem), std::move(constraints), std::move(options)),
      index_(problem_),
      unit_(Relaxation::unit_for(problem_.rows(), problem_.n_counts())),
      relaxed_(problem_.scale(), unit_),
      incumbent_(problem_),
      store_(problem_) {
  if (unit_ == 0) {
    throw InputError(
        "the weights are too large for fairness constraints to be computed exactly; use smaller "
        "integer weights");
  }
  const State empty = problem_.empty();
  const Capture rest = problem_.rest(empty);
  for (Label d = 0; d < 2; ++d) incumbent_.consider(empty, rest, d);
  if (problem_.options().multipliers) {
    begin_tree(*problem_.options().multipliers);
  } else {
    search_for_multipliers_.emplace(problem_, index_, unit_);
  }
}

bool Search::offer(const Prefix& prefix, const std::vector<Label>& labels, Label default_label) {
  check_distinct(prefix, problem_.rows().n_antecedents(), "the rule list to begin with");
  if (labels.size() != prefix.size() || default_label > 1) return false;
  State state = problem_.empty();
  for (std::size_t i = 0; i < prefix.size(); ++i) {
    const auto& usable = problem_.usable();
    if (std::find(usable.begin(), usable.end(), prefix[i]) == usable.end()) return false;
    const Capture capture = problem_.capture(state, prefix[i]);
    if (labels[i] > 1 || !problem_.rule_may(labels[i], capture)) return false;
    if (!problem_.may_extend(state.length())) return false;
    if (!problem_.in_order(state.length(), prefix[i])) return false;
    problem_.extend(state, prefix[i], labels[i], capture);
  }
  return incumbent_.consider(state, problem_.rest(state), default_label);
}

void Search::begin_tree(std::vector<Weight> multipliers) {
  const Weight most = Relaxation::most_multiplier(unit_, multipliers.size());
  const bool sound = std::all_of(multipliers.begin(), multipliers.end(),
                                 [&](Weight m) { return m >= 0 && m <= most; });
  if (!sound || multipliers.size() != problem_.constraints().linear().size()) {
    throw InputError("there must be one multiplier for each linear constraint, none too large");
  }
  relaxation_.emplace(problem_.rows(), problem_.constraints(), unit_, std::move(multipliers));
  values_.emplace(problem_, *relaxation_, index_, relaxed_);
  if (search_for_multipliers_) counters_.work += search_for_multipliers_->work();
  search_for_multipliers_.reset();
  insert(kNoNode, problem_.empty(), {.least = {0}, .rules = 1});
}

bool Search::step(std::uint64_t work) {
  const std::uint64_t until = counters().work + work;
  while (!over_ && counters().work < until) {
    if (search_for_multipliers_) {
      const bool more = search_for_multipliers_->step(incumbent_);
      const bool on = problem_.options().on.multipliers;
      const std::vector<Weight> none(problem_.constraints().linear().size(), 0);
      if (!more || !on) begin_tree(on ? search_for_multipliers_->best() : none);
    } else if (current_) {
      go_on(until);
    } else {
      take();
    }
  }
  return !over_;
}

Wide Search::key(Node node) const {
  const Wide length = store_[node].length;
  switch (problem_.options().order) {
    case Order::kBreadthFirst:
      return length;
    case Order::kDepthFirst:
      return -length;
    case Order::kLowerBound:
      break;
  }
  return store_[node].lower.value;
}

Length Search::rules_left(Length length) const {
  const auto& most = problem_.options().max_length;
  return most ? *most - length : kAnyNumber;
}

void Search::take() {
  if (queue_.empty()) {
    over_ = true;
    return;
  }
  const Node node = queue_.top().node;
  queue_.pop();
  counters_.work += work::elements(16);
  if (!store_[node].open) return;
  if (store_[node].lower >= incumbent_.objective()) {
    ++counters_.by_bound;
    store_[node].open = false;
    // What it dominated was dropped because of it, so it is part of the proof.
    store_[node].closed = store_[node].dominates;
    return;
  }
  start(node);
}

void Search::start(Node node) {
  store_[node].closed = true;
  current_.emplace();
  Current& at = *current_;
  at.node = node;
  at.state = store_.state(node);
  at.rest = problem_.rest(at.state);
  at.gains.reset(problem_, *relaxation_, index_, at.state.left.data());
  at.spent = relaxation_->of(at.state.loss, at.state.selected.data());
  bits::for_each(at.state.left.data(), problem_.words(),
                 [&](std::size_t u) { at.spent += relaxation_->floor(u); });
  ++counters_.expanded;
  counters_.work += at.gains.work();
  raise_lower(at);
  if (!problem_.may_extend(at.state.length())) at.child = 2 * problem_.usable().size();
}

void Search::raise_lower(const Current& at) {
  const Length length = at.state.length();
  const Wide before = relaxed_.of(at.spent, length);
  Slack slack;
  slack.reset(relaxed_, relaxed_.to_beat(incumbent_.objective()) - before, rules_left(length));
  const After after{.left = at.gains.left(), .captured = {}};
  // The lists that end here were evaluated when the prefix was found.
  const Wide least = before + least_further(problem_, relaxed_, slack, at.gains, after);
  store_[at.node].lower = std::max(store_[at.node].lower, relaxed_.objective(least));
}

void Search::go_on(std::uint64_t until) {
  Current& at = *current_;
  for (; at.child < 2 * problem_.usable().size(); ++at.child) {
    const std::size_t usable = at.child / 2;
    if (!problem_.may_follow(at.state, problem_.usable()[usable])) continue;
    counters_.work += work::elements(16);
    if (!look_at(at, usable, static_cast<Label>(at.child % 2), until)) return;
    if (counters().work >= until) {
      ++at.child;
      return;
    }
  }
  store_[at.node].open = false;
  current_.reset();
}

bool Search::look_at(Current& at, std::size_t usable, Label label, std::uint64_t until) {
  const Antecedent s = problem_.usable()[usable];
  const Costs& captured = at.gains.captured(usable);
  const After after{.left = at.gains.left() - captured,
                    .captured = captured,
                    .cost = captured.of(label) + unit_ * problem_.surcharge(s),
                    .length = 1};
  const Length length = at.state.length();
  Slack slack;
  const Wide need = relaxed_.to_beat(incumbent_.objective()) - relaxed_.of(at.spent, length);
  slack.reset(relaxed_, need, rules_left(length));
  const bool may[2] = {may_end(slack, after, 0), may_end(slack, after, 1)};
  const Length further = may_go_on(problem_, slack, at.gains, after);
  if (!may[0] && !may[1] && further == 0) {
    ++counters_.by_bound;
    return true;
  }
  const Capture capture = problem_.capture(at.state, s);
  if (!problem_.rule_may(label, capture)) return true;
  for (Label d = 0; d < 2; ++d) {
    if (!may[d]) continue;
    ++counters_.evaluated;
    const bool better = incumbent_.consider(at.state, s, label, capture, at.rest, d);
    counters_.improvements += better ? 1 : 0;
  }
  if (further == 0) return true;
  const Wide least =
      relaxed_.of(at.spent, length) + least_further(problem_, relaxed_, slack, at.gains, after);
  Reach reach{.least = relaxed_.objective(least), .rules = further};
  reach.least = std::max(reach.least, store_[at.node].lower);
  State next = at.state;
  problem_.extend(next, s, label, capture);
  return continue_with(at, next, at.spent + after.cost, reach, until);
}

bool Search::continue_with(Current& at, const State& next, Weight spent, const Reach& reach,
                           std::uint64_t until) {
  const Switches& on = problem_.options().on;
  if (on.feasibility && !problem_.constraints().may_hold(next.selected.data(), next.open.data())) {
    ++counters_.by_feasibility;
    return true;
  }
  if (on.values) {
    const Wide need = relaxed_.to_beat(incumbent_.objective()) - relaxed_.of(spent, next.length());
    const std::uint64_t now = counters().work;
    const Values::Answer answer = values_->reaches(
        next.left, next.prefix, rules_left(next.length()), need, until > now ? until - now : 1);
    if (answer == Values::Answer::kUnknown) return false;
    if (answer == Values::Answer::kYes) {
      ++counters_.by_value;
      return true;
    }
  }
  insert(at.node, next, reach);
  return true;
}

void Search::insert(Node before, const State& state, const Reach& reach) {
  const std::uint64_t looked_at = store_.looked_at();
  const Node node = store_.add(state, before, reach);
  // With constraints that compare precisions, many prefixes may leave the same groups.
  counters_.work += work::elements(64 + 32 * (store_.looked_at() - looked_at));
  if (node == kNoNode) {
    ++counters_.by_domination;
    return;
  }
  ++counters_.stored;
  queue_.push({key(node), node});
}

Counters Search::counters() const {
  Counters all = counters_;
  if (search_for_multipliers_) all.work += search_for_multipliers_->work();
  if (values_) all.work += values_->work();
  return all;
}

std::size_t Search::nbytes() const {
  return store_.nbytes() + (values_ ? values_->nbytes() : 0) + problem_.rows().nbytes();
}

Objective Search::lower_bound() const {
  if (over_) return incumbent_.objective();
  if (store_.size() == 0) return {0};
  Objective least = incumbent_.objective();
  for (Node node = 0; node < store_.size(); ++node) {
    if (store_[node].open) least = std::min(least, store_[node].lower);
  }
  return least;
}

std::optional<Length> Search::proven_length() const {
  if (over_) return std::nullopt;
  Length shortest = static_cast<Length>(problem_.rows().n_antecedents()) + 1;
  for (Node node = 0; node < store_.size(); ++node) {
    const Entry& entry = store_[node];
    if (entry.open && entry.lower < incumbent_.objective()) {
      shortest = std::min(shortest, entry.shortest);
    }
  }
  return store_.size() == 0 ? 0 : shortest - 1;
}

std::vector<Weight> Search::multipliers() const {
  return relaxation_ ? relaxation_->multipliers()
                     : std::vector<Weight>(problem_.constraints().linear().size(), 0);
}

std::vector<std::uint32_t> Search::closed() const {
  std::vector<std::uint32_t> all;
  for (Node node = 0; node < store_.size(); ++node) {
    const Entry& entry = store_[node];
    // What a search that was stopped has left open is bounded, unless something rests on it.
    const bool needed = entry.open ? entry.dominates : entry.closed;
    if (!needed) continue;
    const std::size_t begin = all.size();
    all.push_back(entry.length);
    for (Node at = node; store_[at].antecedent != kNoAntecedent; at = store_[at].before) {
      all.push_back(2 * store_[at].antecedent + store_[at].label);
    }
    std::reverse(all.begin() + static_cast<std::ptrdiff_t>(begin) + 1, all.end());
  }
  return all;
}

std::vector<Values::Claim> Search::claims() const {
  return values_ ? values_->claims() : std::vector<Values::Claim>();
}

}  // namespace surelist::fair
