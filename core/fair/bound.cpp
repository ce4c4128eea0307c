#include "fair/bound.hpp"

#include <algorithm>

#include "base/bits.hpp"
#include "base/work.hpp"

namespace surelist::fair {

void Gains::add(const FairProblem& problem, std::size_t i, Antecedent s, Weight unit) {
  const Weight extra = unit * problem.surcharge(s);
  for (Label d = 0; d < 2; ++d) {
    net_[d] = std::max(net_[d], captured_[i].net(d) - extra);
    auto& top = top_[d];
    const Weight gain = captured_[i].gain(d) - extra;
    if (gain <= top[kTop - 1]) continue;
    std::size_t at = kTop - 1;
    for (; at > 0 && top[at - 1] < gain; --at) top[at] = top[at - 1];
    top[at] = gain;
  }
}

void Gains::reset(const FairProblem& problem, const Relaxation& relaxation, const Word* left) {
  const std::size_t n = problem.usable().size();
  captured_.assign(n, {});
  nonempty_.assign(n, 0);
  top_ = {};
  net_ = {};
  left_ = {};
  visited_ = 0;
  bits::for_each(left, problem.words(), [&](std::size_t u) { left_ += relaxation.of_group(u); });
  for (std::size_t i = 0; i < n; ++i) {
    const Antecedent s = problem.usable()[i];
    const Word* captured = problem.rows().captured(s);
    Costs sum;
    for (std::size_t w = 0; w < problem.words(); ++w) {
      const Word both = left[w] & captured[w];
      if (both == 0) continue;
      nonempty_[i] = 1;
      bits::for_each_in_word(both, w * bits::kWord, [&](std::size_t u) {
        sum += relaxation.of_group(u);
        ++visited_;
      });
    }
    captured_[i] = sum;
    if (nonempty_[i] != 0) add(problem, i, s, relaxation.unit());
  }
  for (Label d = 0; d < 2; ++d) {
    sum_[d][0] = 0;
    for (std::size_t j = 0; j < kTop; ++j) sum_[d][j + 1] = sum_[d][j] + top_[d][j];
  }
}

std::uint64_t Gains::work() const {
  return work::elements(2 * visited_ + 16 * captured_.size());
}

Weight Gains::gain(Label d, Length j, Weight spared, const Switches& on) const {
  const auto by_potential = [&](Length n) {
    const auto known = std::min<std::size_t>(n, kTop);
    return sum_[d][known] + static_cast<Weight>(n - known) * top_[d][kTop - 1];
  };
  Weight most = left_.gain(d);
  if (on.gain_potential) most = std::min(most, by_potential(j));
  if (on.last_rule) {
    const Weight others = on.gain_potential ? by_potential(j - 1) : j > 1 ? left_.gain(d) : 0;
    most = std::min(most, net_[d] + spared + others);
  }
  return most;
}

Wide least_without(const RelaxedScale& scale, const Costs& left) {
  return scale.of(std::min(left.of(0), left.of(1)), 0);
}

Wide least_with_rules(const FairProblem& problem, const RelaxedScale& scale, const Gains& gains,
                      const After& after, Length most, Wide need, Length* rules) {
  const Switches& on = problem.options().on;
  const Weight floor = on.equivalent_points
                           ? after.left.floor
                           : after.left.of(0) - gains.left().saved_by_1 - gains.left().saved_by_0;
  const auto longest = std::min(most, static_cast<Length>(problem.rows().n_antecedents()));
  Wide least = need;
  for (Length j = 1; j <= longest; ++j) {
    if (scale.of(floor, j) >= least) break;
    for (Label d = 0; d < 2; ++d) {
      const Weight gain = gains.gain(d, j, after.captured.harm(d), on);
      const Wide reached = scale.of(std::max(floor, after.left.of(d) - gain), j);
      if (reached >= least) continue;
      if (least == need && rules != nullptr) *rules = j;
      least = reached;
    }
  }
  return least;
}

}  // namespace surelist::fair
