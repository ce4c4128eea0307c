// Every rule list within a threshold: objective at most T. Prefixes are visited depth first; all
// children of one are counted at once, and one is left only if no list beyond it can be within T.
//
// What counts as a list: distinct antecedents, each of which captures something that no rule before
// it did (unless the constraints demand it), and for every rule and the default the cheapest label
// that is allowed, the first of them if there are several.
#pragma once

#include <functional>
#include <memory>

#include "near_optimal/cheapest.hpp"
#include "near_optimal/completions.hpp"
#include "near_optimal/list_store.hpp"
#include "near_optimal/reach.hpp"

namespace surelist {

class NearOptimal {
 public:
  // Called regularly with the work done so far; false stops the search.
  using GoOn = std::function<bool(std::uint64_t)>;

  NearOptimal(std::shared_ptr<const Problem> problem, SearchOptions options);

  // Finds all lists within the threshold, or the best `limits.lists`. False if it was stopped: then
  // the lists of the last run that was complete are still there.
  bool run(Objective threshold, const StoreLimits& limits, const GoOn& go_on);

  // The lists of the last complete run; null if there was none. Its threshold says up to which
  // objective there are all.
  const ListStore* lists() const { return lists_.get(); }
  // Frees them.
  void forget() { lists_.reset(); }
  const SearchContext& context() const { return context_; }
  std::uint64_t n_expanded() const { return n_expanded_; }
  std::uint64_t work() const { return work_; }

 private:
  // A child that may be the beginning of longer lists.
  struct Candidate {
    Antecedent antecedent = kNoAntecedent;
    Priced rule;      // what the rule itself loses
    Weight loss = 0;  // of the child
    Weight x = 0;     // loss, and what no label avoids in the groups that it leaves
    std::size_t missing = 0;
  };
  // A child whose longer lists are known: above the minority weight of what the child leaves, they
  // cost at least so much.
  struct Settled {
    Antecedent antecedent = kNoAntecedent;
    Weight x = 0;
    Objective least_above_floor;
  };
  // A prefix on the path that is being visited.
  struct Level {
    explicit Level(const SearchContext& context);

    Aligned<Word> set;     // groups not captured
    Aligned<Word> usable;  // antecedents that may follow
    Weight loss = 0;
    std::size_t missing = 0;     // required antecedents that it does not have
    PredictionHash predictions;  // of what it has captured
    Objective best_beyond;       // the least objective of a longer list that was found
    CaptureCounts counts;
    Reach reach;
    bool is_reach_known = false;
    std::vector<Candidate> candidates;
    std::vector<Settled> settled;
  };

  void begin();
  void visit();
  void judge_child(Level& level, Antecedent s);
  void visit_child(Level& level, const Candidate& child);
  bool may_follow(Level& level, const Candidate& child);
  bool sibling_settles(const Level& level, const Candidate& child);
  void settle(Level& level, const Candidate& child, Objective least);
  Objective least_completion(const Level& level) const;
  void open_child(const Level& level, Antecedent s, const Priced& rule);
  void offer_list(Level& level, const Candidate& child);
  void offer_prefix();
  Level& level() { return *levels_[rules_.size()]; }
  Length length() const { return static_cast<Length>(rules_.size()); }
  Length longest() const { return context_.max_length; }
  void add(Label default_label, Weight loss, const PredictionHash& predictions);

  SearchContext context_;
  const Problem& problem_;
  PredictionHashes hashes_;
  std::unique_ptr<ListStore> lists_;
  std::unique_ptr<ListStore> running_;
  CompletionTable completions_;
  std::size_t completion_bytes_ = 0;  // what the table may take
  ThresholdBudget budget_;
  std::vector<std::unique_ptr<Level>> levels_;  // by length
  std::vector<LabelledRule> rules_;             // of the prefix
  Prefix prefix_;                               // their antecedents
  GoOn go_on_;
  bool stopped_ = false;
  std::uint64_t n_expanded_ = 0;
  std::uint64_t work_ = 0;
  std::uint64_t next_look_ = 0;
};

}  // namespace surelist
