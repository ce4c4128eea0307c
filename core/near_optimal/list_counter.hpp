// How many lists are within a threshold, without keeping them. What may follow a prefix depends
// only on the set of groups that it leaves, the required antecedents that it lacks, and how many
// rules may still come. So prefixes form a graph of such states; lists are its paths, and are
// counted state by state. Orders of rules are counted one by one: two orders of the same rules are
// two lists here (`Orders` says which are one entry).
//
// Lists are numbered by their paths, so any of them can be made from its number.
#pragma once

#include <functional>
#include <memory>

#include "near_optimal/cheapest.hpp"
#include "near_optimal/predictions.hpp"
#include "near_optimal/reach.hpp"
#include "near_optimal/tallies.hpp"

namespace surelist {

class ListCounter {
 public:
  // Called regularly with the work done so far; false stops it.
  using GoOn = std::function<bool(std::uint64_t)>;
  // Rules, default label and loss of a list.
  using Take = std::function<void(std::span<const LabelledRule>, Label, Weight)>;

  ListCounter(std::shared_ptr<const Problem> problem, SearchOptions options);
  ListCounter(const ListCounter&) = delete;
  ListCounter& operator=(const ListCounter&) = delete;

  // The number of lists within the threshold; none if it was stopped. What it has learned of states
  // stays, within so many bytes, for the next call.
  std::optional<Tally> count(Objective threshold, std::size_t most_bytes, const GoOn& go_on);
  // Hands over the lists from number `start` on, at most `n` of them, within the threshold of the
  // last count. False if it was stopped.
  bool read(Tally start, std::uint64_t n, const Take& take, const GoOn& go_on);

  const SearchContext& context() const { return context_; }
  std::size_t nbytes() const { return tallies_.nbytes(); }
  std::size_t n_states() const { return tallies_.size(); }
  std::uint64_t work() const { return work_; }

 private:
  // A rule that may follow a prefix.
  struct Child {
    Antecedent antecedent = kNoAntecedent;
    Priced rule;
    Priced rest;             // the default, if the list ends here
    Weight loss = 0;         // of the prefix with this rule
    bool ends = false;       // a list within the threshold ends here
    bool continues = false;  // longer ones may begin here
  };
  struct Level {
    explicit Level(const SearchContext& context);

    Aligned<Word> set;     // groups not captured
    Aligned<Word> usable;  // antecedents that may follow
    Weight loss = 0;
    std::size_t missing = 0;  // required antecedents that it does not have
    Word lacks = 0;           // which: a bit for each
    CaptureCounts counts;
    Reach reach;
    std::vector<Child> children;
    std::vector<Word> key;
  };
  // What is left to be skipped, and to be handed over.
  struct Reading {
    Tally skip = 0;
    std::uint64_t n = 0;
    const Take& take;
  };

  bool begin();
  void look();
  void find_children(Level& level);
  Child judge(const Level& level, Antecedent s);
  bool captures_something(const Level& level, Antecedent s) const;
  void open(const Level& level, const Child& child);
  void close();
  // Of the prefix, which was opened: how many longer lists there are.
  CountedCompletions completions();
  CountedCompletions count_children();
  void read_children(Reading& reading);
  void hand_over(Reading& reading, Label default_label, Weight loss);
  void write_key(Level& level) const;
  Objective spent() const { return context_.scale.of(levels_[rules_.size()]->loss, length()); }
  Level& level() { return *levels_[rules_.size()]; }
  Length length() const { return static_cast<Length>(rules_.size()); }

  SearchContext context_;
  const Problem& problem_;
  TallyTable tallies_;
  std::size_t most_bytes_ = 0;
  ThresholdBudget budget_;
  std::vector<std::unique_ptr<Level>> levels_;  // by length
  std::vector<LabelledRule> rules_;             // of the prefix
  Prefix prefix_;
  const GoOn* go_on_ = nullptr;
  bool stopped_ = false;
  std::uint64_t work_ = 0;
  std::uint64_t next_look_ = 0;
};

}  // namespace surelist
