// What completions of a state can reach under the relaxation, from counts of single antecedents.
//
// For a default label d and j more rules, the relaxed loss is at least that of predicting d
// everywhere, less what j rules gain: each at most what it captures of the groups that are better
// off with the other label (gain potential), the first at most its net gain (last rule). It is never
// below what no label avoids (equivalent points). All of it falls as the state shrinks, so the sums
// of a parent bound its children, too.
//
// Relaxed objectives are whole numbers: see RelaxedScale.
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

// What every antecedent captures of a set of groups, and the greatest of it.
class Gains {
 public:
  static constexpr std::size_t kTop = 6;

  void reset(const FairProblem& problem, const Relaxation& relaxation, const Word* left);

  const Costs& left() const { return left_; }
  const Costs& captured(std::size_t i) const { return captured_[i]; }  // of the i-th usable one
  bool captures(std::size_t i) const { return nonempty_[i] != 0; }
  // What j rules gain at most over the default label d; `spared` is what a rule before them may
  // spare the first of them.
  Weight gain(Label d, Length j, Weight spared, const Switches& on) const;
  std::uint64_t work() const;

 private:
  void add(const FairProblem& problem, std::size_t i, Antecedent s, Weight unit);

  Costs left_;
  std::vector<Costs> captured_;
  std::vector<std::uint8_t> nonempty_;
  std::array<std::array<Weight, kTop>, 2> top_{};  // the greatest gains, falling
  std::array<std::array<Weight, kTop + 1>, 2> sum_{};
  std::array<Weight, 2> net_{};
  std::size_t visited_ = 0;
};

// What may follow a set of groups, `left`, after a rule captured `captured` of the set that `gains`
// are about; nothing, where the set is that one itself.
struct After {
  Costs left;
  Costs captured;
};

// The least relaxed objective of completions by 1 to `most` rules, those rules included, if it is
// below `need`; some number of at least `need` otherwise. `rules` becomes the least number of rules
// with which it is below `need`.
Wide least_with_rules(const FairProblem& problem, const RelaxedScale& scale, const Gains& gains,
                      const After& after, Length most, Wide need, Length* rules = nullptr);
// The same for completions without any.
Wide least_without(const RelaxedScale& scale, const Costs& left);

}  // namespace surelist::fair
