// Loans: a search on several machines. One search, the lender, has the tree, the queue, the
// symmetry map and the incumbent. It lends open prefixes to other searches, each of which searches
// below them for a while and returns a report with the prefixes that are open then. To the lender,
// a loan is like a worker that takes long: returned prefixes claim their keys in the map, and are
// dropped if another prefix dominates them. So nothing has to be proven twice (docs/scale.md).
#include <algorithm>
#include <cstring>

#include "base/bits.hpp"
#include "search/planting.hpp"
#include "search/snapshot.hpp"
#include "search/worker.hpp"

namespace surelist {

// The state of settling one loan.
struct Search::Settlement {
  Settlement(const SearchContext& context, Lent settled, std::string_view reported_keys)
      : lent(std::move(settled)),
        untouched(lent.ids.size(), false),
        reader(reported_keys),
        key(SymmetryKeys(context).n_words()) {}

  // Reads the key of the next open prefix; false if it has none, because it comes from a dive.
  bool next_key() {
    if (reader.get_below(2) == 0) return false;
    const std::size_t n_bytes = key.size() * sizeof(Word);
    std::memcpy(key.data(), reader.take(n_bytes).data(), n_bytes);
    return true;
  }

  struct Superseded {
    PrefixRecord by;
    PrefixId id;
  };

  Lent lent;
  std::vector<bool> untouched;  // by prefix that was lent
  std::uint64_t n_new = 0;      // open prefixes that were not lent
  std::optional<Planter> planter;
  std::size_t planted = kNoEntry;  // the lent prefix that `planter` plants below
  std::vector<Superseded> superseded;
  leb128::Reader reader;
  std::vector<Word> key;
};

void Search::check_at_rest_locked() const {
  if (broken_) throw std::logic_error("the search failed before and cannot go on");
  if (is_running_) throw std::logic_error("the search is running");
}

std::size_t Search::n_open() const {
  const Lock locked(mutex_);
  std::size_t n = tree_.n_open();
  for (const auto& [ticket, lent] : loans_) {
    for (const PrefixId id : lent.ids) n -= tree_.is_expanding(id) ? 1 : 0;
  }
  return n;
}

void Search::check_allowed(const Prefix& prefix) const {
  check_distinct(prefix, context_.problem->n_antecedents(), "the rule list");
  // The incumbent of a stage may be longer than the stage allows.
  const bool fits = prefix.size() <= context_.max_length || outer_ != nullptr;
  if (!fits || !context_.constraints().allow(prefix)) {
    throw InputError("the rule list is not allowed by the constraints of this search");
  }
}

bool Search::offer(const Prefix& prefix) {
  check_allowed(prefix);
  const Objective objective = objective_of(prefix);
  const Lock locked(mutex_);
  return objective < incumbent_.objective && offer_locked(objective, prefix) == objective;
}

Search::Loan Search::lend(std::size_t most) {
  const Lock locked(mutex_);
  check_at_rest_locked();
  if (improved_) collect_garbage_locked();
  Lent lent;
  for (PrefixId id; lent.ids.size() < most && (id = take_next_locked()) != kNoPrefix;) {
    lent.ids.push_back(id);
  }
  Loan loan;
  loan.size = lent.ids.size();
  if (lent.ids.empty()) return loan;
  std::vector<std::pair<Prefix, PrefixId>> paths(lent.ids.size());
  OpenPrefix open;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    paths[i].second = lent.ids[i];
    tree_.path(lent.ids[i], paths[i].first, open.labels);
  }
  std::sort(paths.begin(), paths.end());
  OpenPrefixWriter writer;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const PrefixRecord& record = tree_[paths[i].second];
    tree_.path(paths[i].second, open.antecedents, open.labels);
    open.prefix_loss = record.prefix_loss;
    open.bound_loss = record.bound_loss;
    writer.add(open);
    lent.ids[i] = paths[i].second;
    lent.paths.push_back(std::move(paths[i].first));
  }
  loan.prefixes = writer.bytes();
  loan.ticket = ++last_ticket_;
  loans_.emplace(loan.ticket, std::move(lent));
  return loan;
}

void Search::begin_with(std::string_view prefixes) {
  const Lock locked(mutex_);
  check_at_rest_locked();
  // Before their children, some of which the lender may know to be dominated.
  replant_locked(prefixes, PlantOrder::kFirst);
  beam_done_ = true;
  counters_ = Counters{};
}

void Search::reclaim(std::uint64_t ticket) {
  const Lock locked(mutex_);
  const auto found = loans_.find(ticket);
  if (found == loans_.end()) throw std::logic_error("there is no such loan");
  for (const PrefixId id : found->second.ids) give_back_locked(id);
  loans_.erase(found);
}

void Search::reclaim_all() {
  const Lock locked(mutex_);
  for (const auto& [ticket, lent] : loans_) {
    for (const PrefixId id : lent.ids) give_back_locked(id);
  }
  loans_.clear();
}

void Search::settle(std::uint64_t ticket, std::string_view report, std::string_view closed) {
  const SavedState reported = read_state(report);
  const Problem& problem = *context_.problem;
  offer(reported.best);
  const Lock locked(mutex_);
  check_at_rest_locked();
  const auto found = loans_.find(ticket);
  if (found == loans_.end()) throw std::logic_error("there is no such loan");
  Settlement settlement(context_, std::move(found->second), reported.keys);
  loans_.erase(found);
  broken_ = true;  // until the loan is settled completely
  if (closed_log_) closed_log_->append(closed);
  OpenPrefixReader reader(reported.open, problem.n_antecedents(), problem.n_classes());
  for (OpenPrefix open; reader.next(open);) take_over_locked(open, settlement);
  close_loan_locked(settlement);
  map_.learn(reported.known);
  Counters theirs = reported.counters;
  counters_.queue_insertions += theirs.queue_insertions - settlement.n_new;
  counters_.garbage_collected += theirs.garbage_collected;
  counters_.take(theirs);
  if (closed_log_) closed_log_->flush();
  broken_ = false;
}

void Search::pass_time(double now) {
  const Lock locked(mutex_);
  check_at_rest_locked();
  counters_.time = std::max(counters_.time, now);
  if (trace_.due(counters_.time)) sample_locked(false);
}

// Takes over an open descendant of a lent prefix, or the lent prefix itself if it was not expanded.
void Search::take_over_locked(const OpenPrefix& open, Settlement& settlement) {
  const std::vector<Prefix>& paths = settlement.lent.paths;
  const Prefix& antecedents = open.antecedents;
  // No lent prefix extends another, so only the last one in order before it can be its ancestor.
  const auto after = std::upper_bound(paths.begin(), paths.end(), antecedents);
  if (after == paths.begin() || std::prev(after)->size() > antecedents.size() ||
      !std::equal(std::prev(after)->begin(), std::prev(after)->end(), antecedents.begin())) {
    throw std::logic_error("a prefix came back that does not begin with one that was lent");
  }
  const bool has_key = settlement.next_key();
  const auto index = static_cast<std::size_t>(std::prev(after) - paths.begin());
  const PrefixId top = settlement.lent.ids[index];
  if (paths[index].size() == antecedents.size()) {
    settlement.untouched[index] = true;
    return;
  }
  ++settlement.n_new;
  // A prefix with the same captures has come to dominate it meanwhile, and has removed it.
  if (!tree_.is_expanding(top)) return;
  PrefixRecord record = open.record();
  if (prunable(record, incumbent_)) return;
  SymmetryMap::Place place;
  if (has_key) {
    const Word* key = settlement.key.data();
    const auto hash = static_cast<std::uint32_t>(bits::hash(key, settlement.key.size()));
    if (!map_.claim(key, hash, {record.prefix_loss, record.length}, place)) {
      ++counters_.pruned_by_symmetry;
      return;
    }
  }
  if (settlement.planted != index) settlement.planter.emplace(*this, top);
  settlement.planted = index;
  settlement.planter->add(open, place.entry, planted_key(open));
  ++counters_.queue_insertions;
  record.map_entry = place.entry;
  if (place.replaced != kNoPrefix) settlement.superseded.push_back({record, place.replaced});
}

void Search::close_loan_locked(const Settlement& settlement) {
  for (std::size_t i = 0; i < settlement.lent.ids.size(); ++i) {
    const PrefixId id = settlement.lent.ids[i];
    if (settlement.untouched[i] || !tree_.is_expanding(id)) {
      give_back_locked(id);
      continue;
    }
    tree_.close(id, nullptr);
    if (tree_[id].first_child == kNoPrefix) tree_.prune_upwards(id);
  }
  for (const Settlement::Superseded& old : settlement.superseded) {
    if (supersedes_locked(old.by, old.id))
      counters_.garbage_collected += tree_.remove_subtree(old.id);
  }
  if (improved_) collect_garbage_locked();
}

}  // namespace surelist
