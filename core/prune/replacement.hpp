// Replacement, another edit (edits.hpp), with two classes: if some antecedent in place of that of
// an earlier rule makes every list that starts with a prefix strictly better, whatever follows,
// then no optimal list starts with it. Tables with many cuts of one column have many antecedents
// that capture nearly the same rows; which of them is best depends on the rules that come later.
//
// Rule i predicts q. Without it, a group goes to the first later rule that captures it, or is left.
// So t in its place changes the cost of a group only if a later rule predicts 1 − q for it, or none
// captures it. Then a group of t costs cost(q). One that t does not capture costs cost(1 − q) in
// the first case. In the second it costs at most its ceiling, if rule i captured it, and otherwise
// at least its minority weight, as before. With a(q) = cost(q) − floor, t is better than the
// antecedent of rule i if it has a larger
//   sum of a(1 − q) over the groups of t that later rules predict 1 − q, or i alone captures,
//   less that of a(q) over the groups of t that later rules predict 1 − q, or no rule captures.
// Both sums are counted for all antecedents at once.
#pragma once

#include <vector>

#include "base/aligned.hpp"
#include "context/context.hpp"

namespace surelist {

class Replacement {
 public:
  explicit Replacement(const SearchContext& context);

  // Whether the bound is switched on and the constraints leave earlier rules free.
  bool is_known() const { return is_known_; }

  // A prefix and the labels of its rules, which must exist until the next call.
  void reset(const Prefix& prefix, const std::vector<Label>& labels);
  // Whether another antecedent in one of its rules makes all lists better that start with the
  // prefix and this rule.
  bool improves(Antecedent added, Label label);

  std::uint64_t work() const { return work_; }  // of the last call

 private:
  void walk();
  void find_groups(Antecedent added, Label label, std::size_t place);
  bool any_is_better(std::size_t place);
  Word* at(Aligned<Word>& sets, std::size_t place) const {
    return sets.data() + place * context_.problem->group_words();
  }

  const SearchContext& context_;
  const bool is_known_;
  const Prefix* prefix_ = nullptr;
  const std::vector<Label>* labels_ = nullptr;
  bool is_walked_ = false;
  // By place, of the groups that the rules before it leave: those for which the rules after it
  // predict the other label, and those that they leave.
  Aligned<Word> other_;
  Aligned<Word> rest_;
  // The groups whose costs count: of either sum.
  Aligned<Word> gained_;
  Aligned<Word> harmed_;
  BitSlices::Set set_;
  Columns::Scratch scratch_;
  std::size_t stride_;
  Aligned<Weight> sums_;  // by label: costs above floor
  std::uint64_t work_ = 0;
};

}  // namespace surelist
