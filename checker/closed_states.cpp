#include "closed_states.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>

namespace surelist_checker {
namespace {

std::uint32_t tag_of(Word hash) { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

// Keys are drawn anew each time, so that nobody can write a proof whose states all collide.
ClosedStates::ClosedStates(const Problem& problem, const PrefixTree& tree)
    : problem_(problem), tree_(tree), keys_(problem.n_words + 2), slots_(1024, Slot{0, empty}) {
  std::random_device device;
  for (auto& key : keys_) key = (Word{device()} << 32 | device()) | 1;
}

Word ClosedStates::hash(const Word* left) const {
  Word hash = keys_.back();
  for (std::size_t w = 0; w < problem_.n_words; ++w) {
    const auto product = static_cast<unsigned __int128>(left[w] ^ keys_[w]) * (keys_[w + 1]);
    hash = (hash << 7 | hash >> 57) ^ static_cast<Word>(product) ^ static_cast<Word>(product >> 64);
  }
  hash ^= hash >> 32;
  return hash * 0x9e3779b97f4a7c15u;
}

// Whether a record leaves just these groups; and which required antecedents it has.
bool ClosedStates::has_groups(const Record& record, const Word* left, std::vector<Word>& scratch,
                              Word& used) const {
  const std::size_t n = problem_.n_words;
  scratch.assign(problem_.everything.begin(), problem_.everything.end());
  used = 0;
  for (auto node = record.node; node != PrefixTree::root; node = tree_.parent(node)) {
    const auto antecedent = tree_.antecedent(node);
    const Word* captured = problem_.captured_by(antecedent);
    for (std::size_t w = 0; w < n; ++w) scratch[w] &= ~captured[w];
    used |= problem_.required[antecedent];
  }
  return std::equal(left, left + n, scratch.begin());
}

void ClosedStates::add(const Candidate& state, std::uint32_t node) {
  if (records_.size() * 2 >= slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = state.hash & mask; slots_[at].record != empty; at = (at + 1) & mask) {
    if (slots_[at].tag != tag_of(state.hash)) continue;
    Record& record = records_[slots_[at].record];
    Word used;
    if (record.hash != state.hash || record.length != state.length ||
        !has_groups(record, state.left, scratch_, used) || used != state.used)
      continue;
    if (state.cost < record.cost) {
      record.cost = state.cost;
      record.node = node;
    }
    return;
  }
  if (records_.size() >= empty) throw std::overflow_error("more than 2**32 closed states");
  records_.push_back({state.hash, state.cost, node, state.length});
  place(static_cast<std::uint32_t>(records_.size() - 1));
}

void ClosedStates::prefetch_record(Word hash) const {
  const Slot& slot = slots_[hash & (slots_.size() - 1)];
  if (slot.record != empty && slot.tag == tag_of(hash)) __builtin_prefetch(&records_[slot.record]);
}

bool ClosedStates::dominates(const Candidate& state, std::vector<Word>& scratch) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = state.hash & mask; slots_[at].record != empty; at = (at + 1) & mask) {
    if (slots_[at].tag != tag_of(state.hash)) continue;
    const Record& record = records_[slots_[at].record];
    Word used;
    if (record.hash == state.hash && record.cost <= state.cost && record.length <= state.length &&
        has_groups(record, state.left, scratch, used) && !(state.used & ~used))
      return true;
  }
  return false;
}

void ClosedStates::grow() {
  slots_.assign(slots_.size() * 2, Slot{0, empty});
  for (std::uint32_t index = 0; index < records_.size(); ++index) place(index);
}

void ClosedStates::place(std::uint32_t index) {
  const Word hash = records_[index].hash;
  std::size_t at = hash & (slots_.size() - 1);
  while (slots_[at].record != empty) at = (at + 1) & (slots_.size() - 1);
  slots_[at] = {tag_of(hash), index};
}

}  // namespace surelist_checker
