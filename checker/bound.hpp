#pragma once

#include <array>
#include <vector>

#include "problem.hpp"
#include "sums.hpp"

namespace surelist_checker {

// What matters of a prefix beside the groups that it leaves.
struct State {
  Number cost;  // g: prices and losses of its rules
  Word used;    // which of the required antecedents it has
  Number room;  // for further rules
};

// Theorem 3, rule (B): whatever follows a state, the target is reached. For each default label q
// and each number j of further rules, from as many as are missing to as many as there can be,
//     g + j p + max(floor(S), cost_q(S) - A) >= T,
// where A bounds what j rules gain over predicting q for all of S. See `checker.py` for the proof.
class Bound {
 public:
  explicit Bound(const Problem& problem);

  bool holds(const Sums& sums, const State& state);

  // The same for children from the sums of their parent alone: gains only fall as a set shrinks,
  // and what is not active stays so. First `prepare` for children whose least cost is at least
  // `least_floor`, then ask for each.
  void prepare(const Sums& sums, const State& state, Number least_floor);
  bool holds_for_child(const Sums& sums, const State& state, std::size_t antecedent,
                       Number child_cost, Number child_floor);
  // Where that fails and nothing is missing: given the most that the first rule can gain, by
  // default label.
  bool holds_for_child(const Sums& sums, const State& state, std::size_t antecedent,
                       Number child_cost, Number child_floor, const Number* most_net) const;
  const std::vector<std::uint32_t>& active() const { return active_; }

 private:
  // What 0 to 3 rules save; from there on each further one saves as much as the third.
  static constexpr int most_rules = 3;
  using Saved = std::array<Number, most_rules + 1>;
  static Saved share(const Saved& one, const Saved& other);
  static Number saved_by(const Saved& saved, Number n_rules);

  void find_active(const Sums& sums, const State& state);
  Number most_rules_below_target(Number most, Number least_cost) const;
  void rank_gains(const Sums& sums, std::size_t n);
  void rank_savings(const Sums& sums);
  template <class Whole>
  void share_among_labels(Whole whole);
  bool holds_for(const Sums& sums, const State& state, std::size_t q, Number most);
  // The sum of the n greatest gains without an antecedent's own.
  Number best_without(const Sums& sums, std::size_t q, std::size_t antecedent, std::size_t n) const;
  Number gain_at(const Sums& sums, std::size_t q, std::size_t antecedent) const {
    return sums.gain(q)[antecedent] - extra_[antecedent];
  }

  const Problem& problem_;
  std::vector<Number> extra_;          // by antecedent: its price above the least
  std::vector<std::uint32_t> active_;  // antecedents that a cheapest completion may use
  std::vector<std::uint8_t> is_active_;
  Word missing_ = 0;
  Number n_missing_ = 0;
  std::vector<Number> sorted_;
  std::vector<std::vector<Number>> best_;  // by class: sums of the greatest gains
  std::vector<Saved> greatest_;            // by class: the most that rules for it save
  std::vector<Saved> before_, after_;      // shared among the classes before and after one
  std::vector<Saved> saved_;               // R_j, by default label
};

}  // namespace surelist_checker
