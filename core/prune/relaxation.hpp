// A relaxation: what any number of further rules can reach, with two classes, from counts of single
// antecedents and of pairs alone.
//
// Let P leave S. A group is of class c if c is its cheaper label; its spread is what the other
// label costs more. Let m_c(t) be the spread of class c that t captures in S, and T_c(t) the part
// of it that rules before t have captured ("taken"). A rule t for label c then costs m_{1−c}(t) −
// T_{1−c}(t) above the minority weight, and takes m_c(t) − T_c(t) of its own class. A list that
// ends with default label 1 − c also costs what is left of class c. T is not known exactly, but has
// lower and upper bounds: a rule s adds to it what s and t share, less what they share with earlier
// rules. What a pair shares is counted when it is needed (set_pairs.hpp).
//
// Lists are searched depth first with these bounds alone. The search is short, because a rule must
// be nearly pure to keep to the budget, and an impure rule becomes pure only after rules that take
// its other class. If the relaxed search finds no list within the budget, there is none.
//
// Lists that another list dominates are skipped: every rule takes more than its λ of its own class,
// and at least what it costs; neighbours with the same label are in the order of their ranks; and
// of neighbours with different labels, the first has the label that is better for what both
// capture.
#pragma once

#include <array>
#include <optional>

#include "base/aligned.hpp"
#include "context/budget.hpp"
#include "prune/last_rule.hpp"
#include "prune/set_pairs.hpp"

namespace surelist {

class Relaxation {
 public:
  // Uses the gains and harms that `last_rule` has for P.
  Relaxation(const SearchContext& context, const LastRule& last_rule);

  // Whether the relaxation applies to this problem under these constraints.
  bool is_known() const { return is_known_; }

  // P's counts and set, which must exist until the next call.
  void reset(const CaptureCounts& counts, const BitSlices::Set& set);

  // Computes how many rules may follow a prefix with this length and loss (minority weight of what
  // it leaves included), and how much each number of them may cost. Above kMostRules: too many.
  std::size_t start(const Budget& budget, Length length, Weight loss);
  // Whether some list that starts with (P, s) may keep to the budget; s predicts this label. True,
  // too, if the answer would take too long.
  bool may_improve(Antecedent s, Label label);
  // The work of that answer, in units of about twelve nanoseconds.
  std::size_t work() const {
    const std::size_t vectors = context_.pairs.stride() / kNarrowLanes;
    return n_steps_ * (4 + vectors) + 2 * n_counted_;
  }

  static constexpr std::uint64_t kUnit = 12;     // nanoseconds
  static constexpr std::size_t kMostRules = 16;  // that may follow
  std::size_t nbytes() const { return pairs_ ? pairs_->nbytes() : 0; }

 private:
  // What the rules so far have taken, by class and antecedent; and the candidates for the next and
  // for the last rule, by label.
  struct Taken {
    explicit Taken(std::size_t n);

    std::array<Aligned<Narrow>, 2> most;
    std::array<Aligned<Narrow>, 2> least;
    std::array<Aligned<Word>, 2> next;
    std::array<Aligned<Word>, 2> last;
    std::array<Narrow, 2> whole{};  // of everything, at most
  };

  bool take(std::size_t n_rules, Antecedent s, Label label, Weight cost);
  void set_rule(std::size_t n_rules, Antecedent s, Label label);
  bool refine(std::size_t n_rules);
  bool stays(std::size_t n_rules, Antecedent t, Label label, Label c);
  bool go_on(std::size_t n_rules, Weight cost);

  const SearchContext& context_;
  const bool is_known_;
  std::optional<SetPairs> pairs_;       // if is_known_
  std::size_t fewest_ = 0;              // rules that follow in a list that is looked for
  Aligned<Narrow> rank_;                // from 1
  std::array<Narrow, 2> whole_most_{};  // of each class in S
  std::array<Narrow, 2> whole_least_{};
  Aligned<Weight> budgets_;  // costs above minority weight with 1, 2, … more rules
  std::size_t n_steps_ = 0;
  std::size_t n_counted_ = 0;
  // By the number of rules taken: s is the first.
  std::vector<Taken> taken_;
  Aligned<RelaxedStep> steps_;
  std::vector<Antecedent> rules_;
};

}  // namespace surelist
