#include "fair/store.hpp"

#include <algorithm>

#include "base/bits.hpp"

namespace surelist::fair {

Store::Store(const FairProblem& problem) : problem_(problem), heads_(1024, kNoNode) {}

std::size_t Store::nbytes() const {
  return entries_.capacity() * sizeof(Entry) + left_.capacity() * sizeof(Word) +
         selected_.capacity() * sizeof(Weight) + heads_.capacity() * sizeof(Node);
}

std::size_t Store::bucket_of(const Word* left) const {
  return bits::hash(left, problem_.words()) & (heads_.size() - 1);
}

void Store::grow() {
  heads_.assign(heads_.size() * 2, kNoNode);
  for (Node node = 0; node < entries_.size(); ++node) {
    Node& head = heads_[bucket_of(left(node))];
    entries_[node].next = head;
    head = node;
  }
}

bool Store::no_dearer(Weight loss_a, Length a, Weight loss_b, Length b) const {
  if (problem_.options().max_length && a > b) return false;
  return problem_.scale().of(loss_a, a) <= problem_.scale().of(loss_b, b);
}

bool Store::dominated(const State& state, std::size_t bucket) {
  const Constraints& constraints = problem_.constraints();
  for (Node node = heads_[bucket]; node != kNoNode; node = entries_[node].next) {
    Entry& entry = entries_[node];
    ++looked_at_;
    if (!bits::equal(left(node), state.left.data(), problem_.words())) continue;
    // One that is neither open nor closed was dominated itself, by one that is here, too.
    if (!entry.open && !entry.closed) continue;
    if ((state.demands & ~entry.demands) == 0 &&
        no_dearer(entry.loss, entry.length, state.loss, state.length()) &&
        constraints.no_worse(selected(node), state.selected.data(), state.open.data())) {
      entry.dominates = true;
      return true;
    }
    if (entry.open && (entry.demands & ~state.demands) == 0 &&
        no_dearer(state.loss, state.length(), entry.loss, entry.length) &&
        constraints.no_worse(state.selected.data(), selected(node), state.open.data())) {
      entry.open = false;
    }
  }
  return false;
}

Node Store::add(const State& state, Node before, const Reach& reach) {
  std::size_t bucket = bucket_of(state.left.data());
  if (problem_.options().on.domination && dominated(state, bucket)) return kNoNode;
  if (entries_.size() >= heads_.size()) {
    grow();
    bucket = bucket_of(state.left.data());
  }
  if (entries_.size() + 1 >= kNoNode) throw InputError("the search stores too many prefixes");
  const auto node = static_cast<Node>(entries_.size());
  const bool root = state.prefix.empty();
  entries_.push_back({.before = before,
                      .next = heads_[bucket],
                      .antecedent = root ? kNoAntecedent : state.prefix.back(),
                      .label = root ? 0 : state.labels.back(),
                      .length = state.length(),
                      .demands = state.demands,
                      .shortest = state.length() + reach.rules,
                      .loss = state.loss,
                      .lower = reach.least});
  heads_[bucket] = node;
  left_.insert(left_.end(), state.left.begin(), state.left.end());
  selected_.insert(selected_.end(), state.selected.begin(), state.selected.end());
  return node;
}

State Store::state(Node node) const {
  State state;
  state.loss = entries_[node].loss;
  state.demands = entries_[node].demands;
  state.left.assign(left(node), left(node) + problem_.words());
  state.selected.assign(selected(node), selected(node) + problem_.n_counts());
  for (Node at = node; at != kNoNode && entries_[at].antecedent != kNoAntecedent;
       at = entries_[at].before) {
    state.prefix.push_back(entries_[at].antecedent);
    state.labels.push_back(entries_[at].label);
  }
  std::reverse(state.prefix.begin(), state.prefix.end());
  std::reverse(state.labels.begin(), state.labels.end());
  state.open = problem_.rest(state).counts;
  return state;
}

}  // namespace surelist::fair
