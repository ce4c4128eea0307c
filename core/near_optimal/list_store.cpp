// Orders of the same rules meet in a hash table. Where two hashes agree, rules and predictions are
// compared.
#include "near_optimal/list_store.hpp"

#include <algorithm>
#include <numeric>

namespace surelist {
namespace {

constexpr std::size_t kLeastSlots = 1024;
constexpr std::size_t kMostLists = std::numeric_limits<std::uint32_t>::max() / 2;

std::uint64_t mixed(std::uint64_t h, std::uint64_t value) {
  h = (h ^ value) * 0xD6E8FEB86659FD93u;
  return h ^ (h >> 32);
}

}  // namespace

ListStore::ListStore(const Problem& problem, const ObjectiveScale& scale, Objective threshold,
                     StoreLimits limits)
    : scale_(scale),
      threshold_(threshold),
      limits_(limits),
      comparer_(problem),
      most_lists_(limits.lists ? 2 * *limits.lists + kLeastSlots : kMostLists),
      slots_(kLeastSlots, 0) {}

void ListStore::add(std::span<const LabelledRule> order, Label default_label, Weight loss,
                    const PredictionHash& predictions) {
  const auto length = static_cast<Length>(order.size());
  if (scale_.of(loss, length) > threshold_) return;
  sorted_.assign(order.begin(), order.end());
  std::sort(sorted_.begin(), sorted_.end());
  const std::uint64_t key = key_of(sorted_, predictions);
  const Candidate candidate{order, default_label, predictions};
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = key & mask; slots_[slot] != 0; slot = (slot + 1) & mask) {
    FoundList& known = lists_[slots_[slot] - 1];
    if (!is_same(known, candidate)) continue;
    ++known.n_orders;
    ++n_orders_;
    LabelledRule* rules = length == 0 ? nullptr : rules_.data(known.offset);
    if (std::lexicographical_compare(order.begin(), order.end(), rules, rules + length)) {
      std::copy(order.begin(), order.end(), rules);
    }
    return;
  }
  lists_.push_back({.offset = rules_.append(order),
                    .loss = loss,
                    .n_orders = 1,
                    .predictions = predictions,
                    .length = length,
                    .default_label = default_label});
  longest_ = std::max(longest_, length);
  ++n_orders_;
  insert(static_cast<std::uint32_t>(lists_.size()), key);
  if (2 * lists_.size() > slots_.size()) rebuild(2 * slots_.size());
  if (is_full()) shrink();
}

bool ListStore::is_same(const FoundList& known, const Candidate& candidate) {
  if (known.length != candidate.order.size() || known.default_label != candidate.default_label ||
      !(known.predictions == candidate.predictions)) {
    return false;
  }
  const std::span<const LabelledRule> order = rules(known);
  known_.assign(order.begin(), order.end());
  std::sort(known_.begin(), known_.end());
  return known_ == sorted_ &&
         comparer_.same(order, known.default_label, candidate.order, candidate.default_label);
}

std::uint64_t ListStore::key_of(std::span<const LabelledRule> sorted,
                                const PredictionHash& hash) const {
  std::uint64_t key = mixed(hash.low, hash.high);
  for (const LabelledRule& rule : sorted) {
    key = mixed(key, (static_cast<std::uint64_t>(rule.antecedent) << 32) | rule.label);
  }
  return key ^ (key >> 29);
}

std::uint64_t ListStore::key_of(const FoundList& list) {
  const std::span<const LabelledRule> order = rules(list);
  known_.assign(order.begin(), order.end());
  std::sort(known_.begin(), known_.end());
  return key_of(known_, list.predictions);
}

void ListStore::insert(std::uint32_t index, std::uint64_t key) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = key & mask;
  while (slots_[slot] != 0) slot = (slot + 1) & mask;
  slots_[slot] = index;
}

void ListStore::rebuild(std::size_t n_slots) {
  slots_.assign(n_slots, 0);
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    insert(static_cast<std::uint32_t>(i + 1), key_of(lists_[i]));
  }
}

bool ListStore::is_full() const {
  return lists_.size() > most_lists_ || (limits_.bytes && nbytes() > *limits_.bytes);
}

// Keeps the lists that were asked for, or the better half where there is no room for them. Lists
// with the same objective stay or go together.
void ListStore::shrink() {
  const bool no_room = limits_.bytes && nbytes() > *limits_.bytes;
  if (limits_.lists && lists_.size() > *limits_.lists) {
    drop_above({objective_of_best(*limits_.lists)});
  }
  if (no_room && nbytes() > *limits_.bytes / 2) {
    const Wide worst = objective_of_best(lists_.size());
    drop_above(
        {std::min(objective_of_best(std::max<std::size_t>(1, lists_.size() / 2)), worst - 1)});
  }
  if (limits_.lists) most_lists_ = std::max(most_lists_, 2 * lists_.size());
}

// The objective of the nth best list; below every objective if there are none.
Wide ListStore::objective_of_best(std::size_t n) const {
  if (n == 0 || lists_.empty()) return -1;
  std::vector<Wide> objectives;
  objectives.reserve(lists_.size());
  for (const FoundList& list : lists_) objectives.push_back(objective(list).value);
  const auto last = objectives.begin() + static_cast<std::ptrdiff_t>(n - 1);
  std::nth_element(objectives.begin(), last, objectives.end());
  return *last;
}

void ListStore::drop_above(Objective threshold) {
  threshold_ = std::min(threshold_, threshold);
  std::size_t kept = 0;
  n_orders_ = 0;
  longest_ = 0;
  rules_.rewind();
  for (FoundList list : lists_) {
    if (objective(list) > threshold) continue;
    list.offset = rules_.append(rules(list));
    n_orders_ += list.n_orders;
    longest_ = std::max(longest_, list.length);
    lists_[kept++] = list;
  }
  lists_.resize(kept);
  lists_.shrink_to_fit();
  rules_.release_unused();
  std::size_t n_slots = slots_.size();
  while (n_slots > kLeastSlots && 4 * lists_.size() < n_slots) n_slots /= 2;
  slots_ = {};
  rebuild(n_slots);
}

void ListStore::finish() {
  if (limits_.lists && lists_.size() > *limits_.lists) {
    drop_above({objective_of_best(*limits_.lists)});
  }
  const auto before = [&](const FoundList& a, const FoundList& b) {
    if (objective(a) != objective(b)) return objective(a) < objective(b);
    if (a.length != b.length) return a.length < b.length;
    const auto one = rules(a);
    const auto other = rules(b);
    return std::lexicographical_compare(one.begin(), one.end(), other.begin(), other.end());
  };
  std::sort(lists_.begin(), lists_.end(), before);
  first_alike_.resize(lists_.size());
  std::fill(slots_.begin(), slots_.end(), 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    const FoundList& list = lists_[i];
    first_alike_[i] = static_cast<std::uint32_t>(i);
    std::size_t slot = mixed(list.predictions.low, list.predictions.high) & mask;
    for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
      const FoundList& known = lists_[slots_[slot] - 1];
      if (known.predictions == list.predictions &&
          comparer_.same(rules(known), known.default_label, rules(list), list.default_label)) {
        first_alike_[i] = slots_[slot] - 1;
        break;
      }
    }
    if (slots_[slot] == 0) slots_[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

// What is held, and the arrays that will be made of it.
std::size_t ListStore::nbytes() const {
  constexpr std::size_t per_list = sizeof(FoundList) + 48;
  return lists_.size() * (per_list + 6 * longest_) + rules_.nbytes() +
         slots_.capacity() * sizeof(std::uint32_t);
}

}  // namespace surelist
