// One step is one phase of a round, so that the caller can stop in between.
#include "heuristics/local_search.hpp"

#include <algorithm>

#include "base/bits.hpp"

namespace surelist {
namespace {

// Chosen on ten of KEEL's tables (two seeds, λ = .01) by the mean objective after a second. Most
// differences were within a few tenths of a percent.
constexpr std::size_t kForced = 32;        // best inserts, of which a forced one is drawn
constexpr std::size_t kMostDropped = 3;    // rules, in a round
constexpr std::size_t kRoundsAgo = 20;     // that late acceptance looks back
constexpr std::size_t kPatience = 100;     // rounds without a better list, before a restart
constexpr std::size_t kWorkPerStep = 500;  // for what is not counted
constexpr std::size_t kWorkOfNeighbours = 1 << 16;

// Probabilities, in percent.
constexpr std::size_t kForces = 25;        // a round begins with a forced insert, not by dropping
constexpr std::size_t kAvoids = 50;        // dropped rules may not come back in this round
constexpr std::size_t kStartsAfresh = 50;  // a restart is not from half of the best list

}  // namespace

LocalSearch::LocalSearch(const SearchContext& context)
    : context_(context),
      n_fixed_(context.constraints().first.size()),
      random_(context.options.random_state) {}

void LocalSearch::start(const Prefix& prefix) {
  if (!list_) {
    costs_ = std::make_unique<SparseCosts>(*context_.problem);
    prices_ = InsertPrices::make(context_, *costs_);
    list_ = std::make_unique<AssessedList>(context_, *costs_);
  }
  avoided_.clear();
  go_back_to(prefix);
  best_ = prefix;
  best_objective_ = list_->objective();
  begin_run();
}

std::uint64_t LocalSearch::advance() {
  work_ = kWorkPerStep;
  const std::uint64_t before = list_->assessed();
  switch (phase_) {
    case Phase::kDisturb:
      disturb();
      phase_ = Phase::kInsert;
      break;
    case Phase::kInsert:
      if (!insert_best()) phase_ = Phase::kTidy;
      break;
    case Phase::kTidy:
      phase_ = tidy() ? Phase::kInsert : Phase::kJudge;
      break;
    case Phase::kJudge:
      phase_ = Phase::kDisturb;
      judge();
      break;
  }
  return work_ + list_->assessed() - before;
}

void LocalSearch::disturb() {
  ++round_;
  avoided_.clear();
  const bool force = !is_full() && happens(kForces);
  force ? force_insert() : drop_rules(1 + draw(kMostDropped));
}

void LocalSearch::drop_rules(std::size_t n) {
  Prefix prefix = list_->prefix();
  const bool avoid = happens(kAvoids);
  for (; n > 0; --n) {
    if (prefix.size() <= n_fixed_) break;
    const std::size_t place = n_fixed_ + draw(prefix.size() - n_fixed_);
    if (context_.constraints().requires_antecedent(prefix[place])) continue;
    if (avoid) avoided_.push_back(prefix[place]);
    prefix.erase(prefix.begin() + static_cast<std::ptrdiff_t>(place));
  }
  go_back_to(prefix);
}

void LocalSearch::go_back_to(const Prefix& prefix) {
  const Prefix& now = list_->prefix();
  const auto differ = std::mismatch(now.begin(), now.end(), prefix.begin(), prefix.end());
  const auto place = static_cast<std::size_t>(differ.second - prefix.begin());
  list_->replace(place, std::span(prefix).subspan(place));
}

std::vector<Word> LocalSearch::excluded() const {
  std::vector<Word> set(context_.usable.begin(), context_.usable.end());
  for (Word& word : set) word = ~word;
  for (const Antecedent s : list_->prefix()) bits::set(set.data(), s);
  for (const Antecedent s : avoided_) bits::set(set.data(), s);
  return set;
}

// The n best inserts, by their prices.
void LocalSearch::find_inserts(std::size_t n) {
  work_ += prices_->price(*list_, n_fixed_);
  prices_->best(n, draw(context_.problem->n_antecedents()), excluded().data(), inserts_);
}

Prefix LocalSearch::tail_with(const PricedInsert& insert) const {
  Prefix tail{insert.antecedent};
  tail.insert(tail.end(), list_->prefix().begin() + static_cast<std::ptrdiff_t>(insert.place),
              list_->prefix().end());
  return tail;
}

void LocalSearch::force_insert() {
  find_inserts(kForced);
  if (inserts_.empty()) return;
  const PricedInsert& insert = inserts_[draw(inserts_.size())];
  list_->replace(insert.place, tail_with(insert));
}

bool LocalSearch::insert_best() {
  if (is_full()) return false;
  find_inserts(1);
  if (inserts_.empty()) return false;
  const PricedInsert& insert = inserts_.front();
  const Prefix tail = tail_with(insert);
  if (list_->objective_with(insert.place, tail) >= list_->objective()) return false;
  list_->replace(insert.place, tail);
  return true;
}

bool LocalSearch::tidy() { return remove_best() || exchange_neighbours(); }

// A step tries as many places as take about the time of one pass: long lists have many.
template <class Try>
void LocalSearch::for_some_places(std::size_t end, Try&& attempt) {
  if (end <= n_fixed_) return;
  const std::size_t n = end - n_fixed_;
  const std::size_t from = draw(n);
  const std::uint64_t most =
      list_->assessed() + kWorkOfNeighbours + context_.problem->n_groups() * context_.usable.size();
  for (std::size_t i = 0; i < n && list_->assessed() < most; ++i) {
    attempt(n_fixed_ + (from + i) % n);
  }
}

bool LocalSearch::remove_best() {
  const Prefix prefix = list_->prefix();
  Objective least = list_->objective();
  std::size_t chosen = prefix.size();
  for_some_places(prefix.size(), [&](std::size_t place) {
    if (context_.constraints().requires_antecedent(prefix[place])) return;
    const Objective objective = list_->objective_with(place, std::span(prefix).subspan(place + 1));
    if (objective >= least) return;
    least = objective;
    chosen = place;
  });
  if (chosen == prefix.size()) return false;
  list_->replace(chosen, std::span(prefix).subspan(chosen + 1));
  return true;
}

// Neighbours with the same label capture the same in either order. Required rules cannot be removed
// and inserted elsewhere, so this alone moves them.
bool LocalSearch::exchange_neighbours() {
  const Objective before = list_->objective();
  for_some_places(std::max<std::size_t>(list_->length(), 1) - 1, [&](std::size_t place) {
    if (list_->label(place) == list_->label(place + 1)) return;
    tail_.assign(list_->prefix().begin() + static_cast<std::ptrdiff_t>(place),
                 list_->prefix().end());
    std::swap(tail_[0], tail_[1]);
    if (list_->objective_with(place, tail_) < list_->objective()) list_->replace(place, tail_);
  });
  return list_->objective() < before;
}

void LocalSearch::judge() {
  const Objective objective = list_->objective();
  if (objective < run_objective_) {
    run_objective_ = objective;
    improved_ = round_;
  }
  if (objective < best_objective_) {
    best_ = list_->prefix();
    best_objective_ = objective;
  }
  Objective& before = accepted_[round_ % kRoundsAgo];
  if (objective <= current_objective_ || objective < before) {
    current_ = list_->prefix();
    current_objective_ = objective;
  }
  before = current_objective_;
  go_back_to(current_);
  if (round_ - improved_ >= kPatience) restart();
}

void LocalSearch::begin_run() {
  current_ = list_->prefix();
  current_objective_ = run_objective_ = list_->objective();
  accepted_.assign(kRoundsAgo, current_objective_);
  improved_ = round_;
  phase_ = Phase::kInsert;
}

// From the shortest list with one good rule, or from the best list without half of its rules.
void LocalSearch::restart() {
  avoided_.clear();
  if (happens(kStartsAfresh)) {
    go_back_to(context_.constraints().shortest());
    if (!is_full()) force_insert();
  } else {
    go_back_to(best_);
    drop_rules((list_->length() - n_fixed_) / 2 + 1);
  }
  begin_run();
}

std::size_t LocalSearch::nbytes() const {
  return list_ ? costs_->nbytes() + prices_->nbytes() + list_->nbytes() : 0;
}

}  // namespace surelist
