// The orders of one list's rules that predict the same and are lists themselves: how many there
// are, and which is the first. What is left after some of the rules does not depend on their
// order, so the orders are paths through the subsets of the rules.
#pragma once

#include <span>

#include "near_optimal/predictions.hpp"
#include "problem/constraints.hpp"

namespace surelist {

class Orders {
 public:
  // Lists with more rules have too many subsets.
  static constexpr std::size_t kMostRules = 16;

  Orders(const Problem& problem, const Constraints& constraints);

  struct Found {
    std::uint64_t n_orders = 0;
    bool is_first = false;  // by the order of antecedents
  };
  // Of a list that counts as one. Throws InputError if it is too long.
  Found of(std::span<const LabelledRule> order, Label default_label);

 private:
  // Whether the rule at this place may come next, where the rules of `subset` came before it.
  bool may_follow(std::span<const LabelledRule> order, std::size_t subset, std::size_t place);
  Label cheapest(const Word* captured) const;
  void leave(std::span<const LabelledRule> order, std::size_t subset);

  const Problem& problem_;
  const Constraints& constraints_;
  std::vector<Word> left_;                // after the rules of a subset
  std::vector<Word> captured_;            // scratch
  std::vector<Word> predicted_;           // by label, the groups that get it
  std::vector<std::uint64_t> ways_;       // by subset: orders of the rules that are not in it
  std::vector<std::uint32_t> followers_;  // by subset: the rules that may come next
};

}  // namespace surelist
