// Local search for good lists, where there are too many antecedents for the beam.
//
// One round drops a few rules, or inserts one that does not pay by itself; then it inserts the best
// rule at its best place, removes rules and exchanges neighbours as long as that helps. Its result
// is accepted by late acceptance (Burke and Bykov): if it is no worse than the list of some rounds
// ago. After many rounds without a better list it restarts.
//
// It reads no clock, and draws from no distribution of the standard library, which may differ
// between implementations: the same problem and random_state give the same lists everywhere.
#pragma once

#include <memory>
#include <random>

#include "heuristics/assessed_list.hpp"
#include "heuristics/insert_prices.hpp"

namespace surelist {

class LocalSearch {
 public:
  explicit LocalSearch(const SearchContext& context);

  // Continues from this list, which the constraints allow. Allocates on first use.
  void start(const Prefix& prefix);
  // One pass over the groups, or evaluations of lists that take about as long. Calls
  // `offer(objective, prefix)` if the list is then better than `best`. Returns the work, in words
  // of antecedents or groups.
  template <class Offer>
  std::uint64_t step(Objective best, Offer&& offer);
  std::size_t nbytes() const;

 private:
  enum class Phase : std::uint8_t { kDisturb, kInsert, kTidy, kJudge };

  std::uint64_t advance();
  void disturb();
  void drop_rules(std::size_t n);
  void force_insert();
  bool insert_best();
  bool tidy();
  bool remove_best();
  bool exchange_neighbours();
  template <class Try>
  void for_some_places(std::size_t end, Try&& attempt);
  void judge();
  void restart();
  void begin_run();
  void go_back_to(const Prefix& prefix);

  void find_inserts(std::size_t n);
  Prefix tail_with(const PricedInsert& insert) const;
  std::vector<Word> excluded() const;
  bool is_full() const { return list_->length() >= context_.max_length; }
  // Drawn from 0 to n − 1.
  std::size_t draw(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  bool happens(std::size_t percent) { return draw(100) < percent; }

  const SearchContext& context_;
  std::size_t n_fixed_;  // rules that every list begins with
  std::unique_ptr<SparseCosts> costs_;
  std::unique_ptr<InsertPrices> prices_;
  std::unique_ptr<AssessedList> list_;  // the list that is changed
  std::mt19937_64 random_;
  Phase phase_ = Phase::kInsert;
  std::vector<Antecedent> avoided_;  // may not be inserted in this round
  std::vector<PricedInsert> inserts_;
  Prefix tail_;  // scratch
  Prefix current_;
  Objective current_objective_;
  Prefix best_;
  Objective best_objective_;
  Objective run_objective_;          // the best since the last restart
  std::vector<Objective> accepted_;  // of the last rounds
  std::uint64_t round_ = 0;
  std::uint64_t improved_ = 0;  // the last round with a better list
  std::uint64_t work_ = 0;      // of passes, in this step
};

template <class Offer>
std::uint64_t LocalSearch::step(Objective best, Offer&& offer) {
  const std::uint64_t work = advance();
  if (list_->objective() < best) offer(list_->objective(), list_->prefix());
  return work;
}

}  // namespace surelist
