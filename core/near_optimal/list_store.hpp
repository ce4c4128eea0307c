// The rule lists that were found. Lists that have the same rules, antecedents and labels, in
// another order, and predict the same for every group, are one entry: it has the first of them in
// the order of antecedents, and the number of orders.
//
// The store keeps within a number of lists and of bytes by lowering its threshold: it drops the
// costliest lists and accepts none above the threshold from then on. So it always holds every list
// up to its threshold that it was given.
#pragma once

#include <deque>
#include <optional>

#include "near_optimal/predictions.hpp"
#include "near_optimal/rule_pool.hpp"
#include "problem/objective.hpp"

namespace surelist {

struct FoundList {
  std::uint64_t offset = 0;  // of its rules
  Weight loss = 0;           // surcharges included
  std::uint64_t n_orders = 1;
  PredictionHash predictions;
  Length length = 0;
  Label default_label = 0;
};

struct StoreLimits {
  std::optional<std::size_t> lists = std::nullopt;  // the best ones, and those equal to the last
  std::optional<std::size_t> bytes = std::nullopt;
};

class ListStore {
 public:
  ListStore(const Problem& problem, const ObjectiveScale& scale, Objective threshold,
            StoreLimits limits);

  // Lists above this are not kept.
  Objective threshold() const { return threshold_; }
  // A list; `order` is what its rules are in.
  void add(std::span<const LabelledRule> order, Label default_label, Weight loss,
           const PredictionHash& predictions);

  // Sorts the lists by objective, length and antecedents, and numbers their predictions.
  void finish();

  std::size_t size() const { return lists_.size(); }
  const FoundList& list(std::size_t i) const { return lists_[i]; }
  std::span<const LabelledRule> rules(const FoundList& list) const {
    return list.length == 0 ? std::span<const LabelledRule>{}
                            : std::span(rules_.data(list.offset), list.length);
  }
  std::uint64_t n_orders() const { return n_orders_; }
  Length longest() const { return longest_; }
  Objective objective(const FoundList& list) const { return scale_.of(list.loss, list.length); }
  // For each list, the first one that predicts the same; after finish().
  const std::vector<std::uint32_t>& first_alike() const { return first_alike_; }
  std::size_t nbytes() const;

 private:
  // The list as it was added, with its rules sorted, to compare it with others.
  struct Candidate {
    std::span<const LabelledRule> order;
    Label default_label;
    const PredictionHash& predictions;
  };
  bool is_same(const FoundList& known, const Candidate& candidate);
  std::uint64_t key_of(std::span<const LabelledRule> sorted, const PredictionHash& hash) const;
  std::uint64_t key_of(const FoundList& list);
  void insert(std::uint32_t index, std::uint64_t key);
  void rebuild(std::size_t n_slots);
  bool is_full() const;
  void shrink();
  Wide objective_of_best(std::size_t n) const;
  void drop_above(Objective threshold);

  const ObjectiveScale& scale_;
  Objective threshold_;
  StoreLimits limits_;
  PredictionComparer comparer_;
  std::deque<FoundList> lists_;
  RulePool rules_;
  std::size_t most_lists_;            // at which the store is full
  std::vector<std::uint32_t> slots_;  // open addressing; an index plus one, 0 is empty
  std::uint64_t n_orders_ = 0;
  Length longest_ = 0;
  std::vector<LabelledRule> sorted_;  // scratch
  std::vector<LabelledRule> known_;
  std::vector<std::uint32_t> first_alike_;
};

}  // namespace surelist
