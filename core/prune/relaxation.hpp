// What any number of rules can still reach, with two classes, from counts and pairs alone.
//
// Let P leave S. A group is of class c if c is its cheaper label; its spread is what the other one
// costs more. m_c(t) is the spread of class c that t captures in S. After some rules, T_c(t) is the
// part of it that they have taken. A rule t for label c then costs m_{1−c}(t) − T_{1−c}(t) above
// the minority weight and takes m_c(t) − T_c(t) of its own class; a list that ends with default
// label 1 − c costs what is left of class c besides. T is not known, but lies between bounds: with
// one more rule s it grows by what s and t share, less what they share with rules before; what two
// of them share is counted when it is needed (set_pairs.hpp).
//
// So lists are searched depth first, with nothing but these bounds on each antecedent. The search
// is short: a rule must be nearly pure to keep to the budget, and one that is not can only become
// so behind others that are. If no list is found that may keep to it, there is none.
//
// Some lists need not be looked at, because another one is better, or as good and shorter: a rule
// takes more than its λ of its own class, and no less than it costs; neighbours with one label come
// in the order of their ranks; and neighbours with two labels so that the first one's is the better
// for what both capture.
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
  // Has what `last_rule` knows of P.
  Relaxation(const SearchContext& context, const LastRule& last_rule);

  // Whether it says anything about this problem under these constraints.
  bool is_known() const { return is_known_; }

  // P's counts and set; both must stay.
  void reset(const CaptureCounts& counts, const BitSlices::Set& set);

  // How many rules may follow a prefix with this length and loss (minority weight of what it leaves
  // included), or that they are more than kMostRules; and how much each number of them may cost.
  std::size_t start(const Budget& budget, Length length, Weight loss);
  // Whether some list that goes on from (P, s) so may keep to the budget; s predicts this label.
  // It may say yes because it would take too long to find out.
  bool may_improve(Antecedent s, Label label);
  // How long it took to say so, in units of a dozen nanoseconds or so.
  std::size_t work() const {
    const std::size_t vectors = context_.pairs.stride() / kNarrowLanes;
    return n_steps_ * (4 + vectors) + 2 * n_counted_;
  }

  static constexpr std::uint64_t kUnit = 12;     // nanoseconds
  static constexpr std::size_t kMostRules = 16;  // that may follow
  std::size_t nbytes() const { return pairs_ ? pairs_->nbytes() : 0; }

 private:
  // What some rules have taken, by class and antecedent, and who may come next, by label.
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
  std::optional<SetPairs> pairs_;       // where it is known
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
