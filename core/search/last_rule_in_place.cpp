// The last rule in place: where at most one more rule may follow a child, the best such rule is
// found at once, and the child needs no place in the tree.
#include <algorithm>
#include <limits>

#include "base/bits.hpp"
#include "base/work.hpp"
#include "count/rule_and_rest.hpp"
#include "search/expander.hpp"

namespace surelist {

// Evaluates every list that extends the child by one rule.
void Expander::look_at_last_rule(const Child& child) {
  counters_.prune(Bound::kLastRule);
  counters_.longest_prefix = std::max(counters_.longest_prefix, child_length() + 1);
  ++counters_.last_rule_looks;
  const Weight most = incumbent_.budget.at(child_length() + 1) - child.prefix_loss;
  const std::optional<LastRule::Found> found =
      missing_ == 0 ? find_last_rule(child, most) : count_last_rule(child, most);
  if (found) offer(child.prefix_loss + found->loss, {child.antecedent, found->antecedent});
}

// Whether similar sets show that no list with one more rule is better (similar_sets.hpp).
bool Expander::similar_sets_prune(const Child& child) {
  if (!similar_sets_.is_known()) return false;
  if (!is_compared_) {
    const std::size_t total = counts_.total();
    Weight value = std::numeric_limits<Weight>::max();
    for (Label q = 0; q < 2; ++q) {
      value =
          std::min(value, counts_.cost(q)[total] - counts_.floor()[total] - last_rule_.reach(q));
    }
    similar_sets_.start(cut_set(), value);
    counters_.work += similar_sets_.work();
    is_compared_ = true;
  }
  const Weight most = incumbent_.budget.at(child_length() + 1) - child.prefix_loss - child.minority;
  if (similar_sets_.settles(child.antecedent, most)) return true;
  context_.counter.slices().cut_without(cut_set(), child.antecedent, child_cut_);
  const bool prunes = similar_sets_.count(child.antecedent, child_cut_, most);
  counters_.work += similar_sets_.work();
  return prunes;
}

std::optional<LastRule::Found> Expander::find_last_rule(const Child& child, Weight most) {
  counters_.work += work::elements(context_.pairs.stride() / 4) +
                    work::bytes(8 * context_.counter.slices().size());
  context_.counter.slices().cut_without(cut_set(), child.antecedent, child_cut_);
  if (savings_.is_known()) return savings_.find_last(child.antecedent, most, child_cut_);
  return last_rule_.find(child.antecedent, default_costs_.data(), most, child_cut_);
}

// Counts all rules, or the one that is still required.
std::optional<LastRule::Found> Expander::count_last_rule(const Child& child, Weight most) {
  const std::size_t missing = missing_after(child.antecedent);
  if (missing > 1) return std::nullopt;
  child_set_ = set_;
  bits::and_not(child_set_.data(), problem_.captured(child.antecedent), child_set_.size());
  antecedents_.push_back(child.antecedent);
  context_.counter.count(child_set_.data(), antecedents_, viable_.data(), child_counts_);
  counters_.work +=
      child_counts_.work() + work::elements(problem_.n_classes() * problem_.n_antecedents());
  antecedents_.pop_back();
  std::optional<LastRule::Found> found;
  bits::for_each(viable_.data(), viable_.size(), [&](std::size_t s) {
    const auto t = static_cast<Antecedent>(s);
    if (t == child.antecedent || (missing == 1 && !constraints_.requires_antecedent(t))) return;
    const auto [rule, rest] = rule_and_rest(child_counts_, t, constraints_);
    if (rule + rest > most) return;
    found = {rule + rest, t};
    most = rule + rest - 1;
  });
  return found;
}

}  // namespace surelist
