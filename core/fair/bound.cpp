#include "fair/bound.hpp"

#include <algorithm>

#include "base/bits.hpp"
#include "base/work.hpp"

namespace surelist::fair {

void Slack::reset(const RelaxedScale& scale, Wide need, Length most) {
  constexpr Wide largest = Wide{1} << 61;
  last_ = 0;
  slack_[0] = -1;
  for (Length rules = 0; rules <= std::min(most, kMostRules + 1); ++rules) {
    // The largest x with per_loss · x + per_rule · rules < need.
    const Wide room = need - 1 - scale.per_rule * std::min(rules, kMostRules);
    if (room < 0) break;
    slack_[rules] = static_cast<Weight>(std::min(room / scale.per_loss, largest));
    last_ = rules;
  }
}

Gains::Index::Index(const FairProblem& problem) {
  const std::size_t n_groups = problem.rows().n_groups();
  begin.reserve(n_groups + 1);
  for (std::size_t u = 0; u < n_groups; ++u) {
    begin.push_back(static_cast<std::uint32_t>(usable.size()));
    for (std::size_t i = 0; i < problem.usable().size(); ++i) {
      if (bits::test(problem.rows().captured(problem.usable()[i]), u)) {
        usable.push_back(static_cast<std::uint32_t>(i));
      }
    }
  }
  begin.push_back(static_cast<std::uint32_t>(usable.size()));
}

void Gains::add_group(const Relaxation& relaxation, const Index& index, std::size_t group,
                      int sign) {
  const Weight spread = sign * relaxation.spread(group);
  const Label label = relaxation.label(group);
  left_.saved[label] += spread;
  const std::uint32_t end = index.begin[group + 1];
  for (std::uint32_t at = index.begin[group]; at < end; ++at) {
    captured_[index.usable[at]].saved[label] += spread;
  }
  work_ += work::elements(4 + end - index.begin[group]);
}

void Gains::find_top(const FairProblem& problem, Weight unit) {
  top_ = {};
  net_ = {};
  for (std::size_t i = 0; i < captured_.size(); ++i) {
    const Weight extra = unit * problem.surcharge(problem.usable()[i]);
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
  for (Label d = 0; d < 2; ++d) {
    sum_[d][0] = 0;
    for (std::size_t j = 0; j < kTop; ++j) sum_[d][j + 1] = sum_[d][j] + top_[d][j];
  }
  work_ += work::elements(4 * captured_.size());
}

void Gains::reset(const FairProblem& problem, const Relaxation& relaxation, const Index& index,
                  const Word* left) {
  captured_.assign(problem.usable().size(), {});
  left_ = {};
  work_ = 0;
  bits::for_each(left, problem.words(), [&](std::size_t u) { add_group(relaxation, index, u, 1); });
  find_top(problem, relaxation.unit());
}

void Gains::reset_after(const FairProblem& problem, const Relaxation& relaxation,
                        const Index& index, const Gains& from, const Word* left_before,
                        Antecedent s) {
  captured_ = from.captured_;
  left_ = from.left_;
  work_ = 0;
  const Word* captured = problem.rows().captured(s);
  for (std::size_t w = 0; w < problem.words(); ++w) {
    bits::for_each_in_word(left_before[w] & captured[w], w * bits::kWord,
                           [&](std::size_t u) { add_group(relaxation, index, u, -1); });
  }
  find_top(problem, relaxation.unit());
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

Length may_go_on(const FairProblem& problem, const Slack& slack, const Gains& gains,
                 const After& after) {
  const Switches& on = problem.options().on;
  for (Length j = 1; after.cost <= slack.at(after.length + j); ++j) {
    for (Label d = 0; d < 2; ++d) {
      const Weight gain = gains.gain(d, j, after.captured.harm(d), on);
      const Weight excess = std::max<Weight>(0, after.left.of(d) - gain);
      if (after.cost + excess <= slack.at(after.length + j)) return j;
    }
  }
  return 0;
}

Wide least_further(const FairProblem& problem, const RelaxedScale& scale, const Slack& slack,
                   const Gains& gains, const After& after) {
  Wide least = scale.of(after.cost, after.length + slack.last());
  for (Length j = 1; after.length + j <= slack.last(); ++j) {
    for (Label d = 0; d < 2; ++d) {
      const Weight gain = gains.gain(d, j, after.captured.harm(d), problem.options().on);
      const Weight excess = std::max<Weight>(0, after.left.of(d) - gain);
      least = std::min(least, scale.of(after.cost + excess, after.length + j));
    }
  }
  return least;
}

}  // namespace surelist::fair
