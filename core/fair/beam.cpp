#include "fair/beam.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/bits.hpp"

namespace surelist::fair {

namespace {

constexpr Length kLongest = 12;
constexpr int kPatience = 2;  // levels without a better list

}  // namespace

double Beam::real(const Relaxation& relaxation, Weight relaxed, Length length) const {
  const double loss = static_cast<double>(relaxed) / static_cast<double>(relaxation.unit());
  const ObjectiveScale& scale = problem_.scale();
  return loss * scale.real(scale.loss(1)) + scale.real(scale.of(0, length));
}

void Beam::consider_child(const State& state, const Relaxation& relaxation, Incumbent& incumbent,
                          Child child) {
  const Costs& captured = gains_.captured(child.usable);
  const Costs left = gains_.left() - captured;
  const Antecedent s = problem_.usable()[child.usable];
  const Weight spent =
      spent_ + relaxation.unit() * problem_.surcharge(s) + captured.of(child.label);
  const Label d = left.of(1) < left.of(0) ? 1 : 0;
  const auto length = state.length() + 1;
  child.objective = real(relaxation, spent + left.of(d), length);
  children_.push_back(child);
  const bool better = child.objective < best_.objective;
  const RelaxedScale scale(problem_.scale(), relaxation.unit());
  const Wide to_beat = scale.to_beat(incumbent.objective());
  if (!better && scale.of(spent + left.of(d), length) >= to_beat) return;
  const Capture capture = problem_.capture(state, s);
  if (!problem_.rule_may(child.label, capture)) {
    children_.pop_back();
    return;
  }
  for (Label e = 0; e < 2; ++e) {
    if (scale.of(spent + left.of(e), length) < to_beat) {
      incumbent.consider(state, s, child.label, capture, rest_, e);
    }
  }
  if (!better) return;
  best_.objective = child.objective;
  best_.selected = state.selected;
  for (std::size_t i = 0; i < best_.selected.size(); ++i) {
    if (child.label == 1) best_.selected[i] += capture.counts[i];
    if (d == 1) best_.selected[i] += rest_.counts[i] - capture.counts[i];
  }
}

void Beam::consider(const State& state, const Relaxation& relaxation, Incumbent& incumbent,
                    std::size_t parent) {
  gains_.reset(problem_, relaxation, index_, state.left.data());
  spent_ = relaxation.of(state.loss, state.selected.data());
  bits::for_each(state.left.data(), problem_.words(),
                 [&](std::size_t u) { spent_ += relaxation.floor(u); });
  rest_ = problem_.rest(state);
  for (std::size_t i = 0; i < problem_.usable().size(); ++i) {
    if (!problem_.may_follow(state, problem_.usable()[i])) continue;
    for (Label label = 0; label < 2; ++label) {
      consider_child(state, relaxation, incumbent, {0, parent, i, label});
    }
  }
  work_ += gains_.work();
}

std::vector<State> Beam::next(const std::vector<State>& states) const {
  std::vector<Child> best = children_;
  const std::size_t some = std::min(best.size(), 4 * width_);
  const auto before = [](const Child& a, const Child& b) { return a.objective < b.objective; };
  std::partial_sort(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(some), best.end(),
                    before);
  best.resize(some);
  std::vector<State> made;
  std::set<std::pair<std::vector<Word>, Counts>> seen;
  for (const Child& child : best) {
    if (made.size() == width_) break;
    State state = states[child.parent];
    const Antecedent s = problem_.usable()[child.usable];
    const Capture capture = problem_.capture(state, s);
    if (!problem_.rule_may(child.label, capture)) continue;
    problem_.extend(state, s, child.label, capture);
    if (seen.emplace(state.left, state.selected).second) made.push_back(std::move(state));
  }
  return made;
}

Beam::Best Beam::run(const Relaxation& relaxation, Incumbent& incumbent) {
  std::vector<State> states{problem_.empty()};
  best_ = {};
  rest_ = problem_.rest(states[0]);
  for (Label d = 0; d < 2; ++d) {
    incumbent.consider(states[0], rest_, d);
    Counts selected(problem_.n_counts(), 0);
    if (d == 1) selected = rest_.counts;
    const double value = real(relaxation, relaxation.of(rest_.cost[d], selected.data()), 0);
    if (value < best_.objective) best_ = {value, selected};
  }
  double before = best_.objective;
  int patience = kPatience;
  for (Length length = 0; length < kLongest && problem_.may_extend(length); ++length) {
    children_.clear();
    for (std::size_t i = 0; i < states.size(); ++i) consider(states[i], relaxation, incumbent, i);
    states = next(states);
    patience = best_.objective < before ? kPatience : patience - 1;
    before = best_.objective;
    if (states.empty() || patience == 0) break;
  }
  return best_;
}

}  // namespace surelist::fair
