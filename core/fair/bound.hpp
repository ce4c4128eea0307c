// Lower bounds on the completions of a set of groups under the relaxation, from counts of single
// antecedents.
//
// Everything is counted beyond what no label avoids: that is the equivalent points bound of the
// relaxed problem. For a default label d and j more rules, a list costs what predicting d
// everywhere costs, less what the rules gain: each at most what it captures of the groups that are
// better off with the other label (gain potential), the first at most its net gain (last rule), and
// never below zero. All of it falls as the set shrinks, so the sums of a set bound its subsets,
// too.
#pragma once

#include <array>

#include "fair/problem.hpp"
#include "fair/relaxation.hpp"

namespace surelist::fair {

// Relaxed objectives: objectives times the relaxation's unit.
struct RelaxedScale {
  Wide per_loss = 1;  // of a relaxed loss
  Wide per_rule = 0;
  Wide unit = 1;

  RelaxedScale(const ObjectiveScale& scale, Weight relaxation_unit)
      : per_loss(scale.loss(1).value),
        per_rule(scale.rule().value * relaxation_unit),
        unit(relaxation_unit) {}

  Wide of(Weight relaxed, Length rules) const { return per_loss * relaxed + per_rule * rules; }
  // What a list must stay below to beat an objective: the objectives of lists are whole numbers.
  Wide to_beat(Objective best) const { return unit * (best.value - 1) + 1; }
  // The least objective that a fair list of at least this relaxed objective has.
  Objective objective(Wide relaxed) const {
    return {relaxed <= 0 ? 0 : (relaxed + unit - 1) / unit};
  }
};

inline constexpr Length kAnyNumber = std::numeric_limits<Length>::max();  // of rules

// How much relaxed loss leaves a relaxed objective below `need`, by the number of rules.
class Slack {
 public:
  static constexpr Length kMostRules = 62;

  // For up to `most` rules; beyond kMostRules, further ones are assumed to cost nothing more.
  void reset(const RelaxedScale& scale, Wide need, Length most);
  // Negative: no list of so many rules.
  Weight at(Length rules) const { return rules > last_ ? -1 : slack_[rules]; }
  Length last() const { return last_; }

 private:
  std::array<Weight, kMostRules + 2> slack_{};
  Length last_ = 0;
};

// What every antecedent captures of a set of groups, and the greatest of it.
class Gains {
 public:
  static constexpr std::size_t kTop = 6;

  // Which antecedents capture each group; made once.
  struct Index {
    explicit Index(const FairProblem& problem);
    std::vector<std::uint32_t> begin;   // by group
    std::vector<std::uint32_t> usable;  // positions among the usable antecedents
  };

  void reset(const FairProblem& problem, const Relaxation& relaxation, const Index& index,
             const Word* left);
  // For what is left of another set, `from`, after antecedent s.
  void reset_after(const FairProblem& problem, const Relaxation& relaxation, const Index& index,
                   const Gains& from, const Word* left_before, Antecedent s);

  const Costs& left() const { return left_; }
  const Costs& captured(std::size_t i) const { return captured_[i]; }  // of the i-th usable one
  // What j ≥ 1 rules gain at most over the default label d; `spared` is what a rule before them may
  // spare the first of them.
  Weight gain(Label d, Length j, Weight spared, const Switches& on) const;
  std::uint64_t work() const { return work_; }

 private:
  void find_top(const FairProblem& problem, Weight unit);
  void add_group(const Relaxation& relaxation, const Index& index, std::size_t group, int sign);

  Costs left_;
  std::vector<Costs> captured_;
  std::array<std::array<Weight, kTop>, 2> top_{};  // the greatest gains, falling
  std::array<std::array<Weight, kTop + 1>, 2> sum_{};
  std::array<Weight, 2> net_{};
  std::uint64_t work_ = 0;
};

// What may follow after a rule captured `captured` of the set that the gains are about, at this
// cost; nothing and 0, where that is the set itself.
struct After {
  Costs left;
  Costs captured;
  Weight cost = 0;
  Length length = 0;  // rules so far: 1, or 0
};

// Whether the list that ends there with default d stays within the slack.
inline bool may_end(const Slack& slack, const After& after, Label d) {
  return after.cost + after.left.of(d) <= slack.at(after.length);
}

// The least number of further rules, at least one, with which a list may stay within the slack;
// 0: there is none.
Length may_go_on(const FairProblem& problem, const Slack& slack, const Gains& gains,
                 const After& after);
// The least relaxed objective of such lists, of all rules counted here.
Wide least_further(const FairProblem& problem, const RelaxedScale& scale, const Slack& slack,
                   const Gains& gains, const After& after);

}  // namespace surelist::fair
