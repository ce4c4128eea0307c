// What the search for fair lists reads: the problem, the constraints, and how lists are limited.
//
// The problem has two classes for each sensitive group a: 2a for the rows of the negative class,
// and 2a + 1 for those of the positive one. Its costs are those of predicting 0 and 1.
#pragma once

#include <memory>
#include <optional>

#include "fair/constraints.hpp"
#include "problem/objective.hpp"
#include "problem/problem.hpp"

namespace surelist::fair {

enum class Labels : std::uint8_t { kFree, kMajority };
enum class Order : std::uint8_t { kLowerBound, kBreadthFirst, kDepthFirst };

// The bounds, each with a switch. What they prove is in docs/fairness_proofs.md.
struct Switches {
  bool gain_potential = true;  // what further rules gain at most
  bool last_rule = true;       // what the first of them gains
  bool feasibility = true;     // no completion is fair
  bool multipliers = true;     // the Lagrangian relaxation
  bool domination = true;      // another prefix with the same captures is no worse
  bool values = true;          // what is known of the set of groups that a prefix leaves
};

struct Options {
  Regularization regularization;
  Labels labels = Labels::kFree;
  Order order = Order::kLowerBound;
  Switches on;
  std::optional<Length> max_length;
  std::optional<Label> rule_label;    // the one label that rules may predict
  std::vector<Weight> surcharges;     // what each antecedent costs beyond λ, as a loss; empty: none
  Prefix first;                       // every list begins with these
  std::vector<Antecedent> required;   // every list contains these
  std::vector<Antecedent> forbidden;  // no list contains these
  std::optional<std::vector<Weight>> multipliers;  // nothing: they are searched for
};

// Which of the antecedents that are demanded, those of `first` and of `required`, a prefix has.
using Demands = std::uint64_t;

// A prefix with its labels, and what it leaves.
struct State {
  Prefix prefix;
  std::vector<Label> labels;
  Demands demands = 0;
  Weight loss = 0;         // of the rows that it captured, surcharges among it
  Counts selected;         // predicted positive by the prefix
  Counts open;             // in the groups that it leaves
  std::vector<Word> left;  // the groups that it leaves

  Length length() const { return static_cast<Length>(prefix.size()); }
};

// What an antecedent captures of a state.
struct Capture {
  Counts counts;
  Weight cost[2] = {0, 0};
};

class FairProblem {
 public:
  FairProblem(std::shared_ptr<const Problem> problem, Constraints constraints, Options options);

  const Problem& rows() const { return *problem_; }
  const Constraints& constraints() const { return constraints_; }
  const Options& options() const { return options_; }
  const ObjectiveScale& scale() const { return scale_; }
  std::size_t words() const { return problem_->group_words(); }
  std::size_t n_counts() const { return constraints_.n_counts(); }
  const std::vector<Antecedent>& usable() const { return usable_; }  // not forbidden
  Weight surcharge(Antecedent s) const {
    return options_.surcharges.empty() ? 0 : options_.surcharges[s];
  }
  bool may_extend(Length length) const {
    return length < rows().n_antecedents() &&
           (!options_.max_length || length < *options_.max_length);
  }

  Demands demand(Antecedent s) const { return demands_.empty() ? 0 : demands_[s]; }
  // Whether a list with these demanded antecedents is allowed.
  bool complete(Demands demands) const { return demands == all_demands_; }
  // Whether lists may go on with an antecedent after so many rules: they begin with `first`.
  bool in_order(Length length, Antecedent s) const {
    return length >= options_.first.size() || options_.first[length] == s;
  }
  // Whether a rule may follow that is worth a look: it captures something, or is demanded.
  bool may_follow(const State& state, Antecedent s) const;

  State empty() const;
  Capture capture(const State& state, Antecedent s) const;
  // Everything that a state leaves, as a capture.
  Capture rest(const State& state) const;
  // The state with one more rule.
  void extend(State& state, Antecedent s, Label label, const Capture& capture) const;
  // Whether a rule, or the default, may predict the label for what it captures.
  bool rule_may(Label label, const Capture& capture) const;
  bool default_may(Label label, const Capture& capture) const;

 private:
  void add_group(Capture& capture, std::size_t group) const;
  void number_demands(const Prefix& demanded);

  std::shared_ptr<const Problem> problem_;
  Constraints constraints_;
  Options options_;
  ObjectiveScale scale_;
  std::vector<Antecedent> usable_;
  std::vector<Demands> demands_;  // of each antecedent; empty: nothing is demanded
  Demands all_demands_ = 0;
};

}  // namespace surelist::fair
