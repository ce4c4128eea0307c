#include "symmetry_map.hpp"

#include <algorithm>

#include "bits.hpp"

namespace surelist {
namespace {

std::size_t key_words(const Problem& problem, bool by_antecedents) {
  return by_antecedents ? bits::words(problem.n_antecedents()) : problem.group_words();
}

// Finding the antecedents that capture nothing takes time, so it must save half of the key.
bool closure_is_smaller(const Problem& problem) {
  return 2 * bits::words(problem.n_antecedents()) <= problem.group_words();
}

}  // namespace

SymmetryMap::SymmetryMap(const Problem& problem, Symmetry kind)
    : problem_(problem),
      kind_(kind),
      by_antecedents_(kind == Symmetry::kPermutation || closure_is_smaller(problem)),
      key_(key_words(problem, by_antecedents_)),
      keys_(key_.size()),
      heads_(kind == Symmetry::kNone ? 0 : 1024, kNoEntry) {}

void SymmetryMap::make_key(const Prefix& antecedents, const Word* not_captured) {
  if (!by_antecedents_) {
    std::copy_n(not_captured, key_.size(), key_.begin());
    return;
  }
  std::fill(key_.begin(), key_.end(), 0);
  if (kind_ == Symmetry::kPermutation) {
    for (const Antecedent s : antecedents) bits::set(key_.data(), s);
    return;
  }
  for (Antecedent s = 0; s < problem_.n_antecedents(); ++s) {
    if (!bits::intersects(problem_.captured(s), not_captured, problem_.group_words())) {
      bits::set(key_.data(), s);
    }
  }
}

std::uint32_t SymmetryMap::find_or_insert(const Prefix& antecedents, const Word* not_captured,
                                          bool& inserted) {
  make_key(antecedents, not_captured);
  const auto hash = static_cast<std::uint32_t>(bits::hash(key_.data(), key_.size()));
  std::uint32_t& head = heads_[hash & (heads_.size() - 1)];
  for (std::uint32_t e = head; e != kNoEntry; e = entries_[e].next) {
    if (entries_[e].hash == hash && bits::equal(keys_[e], key_.data(), key_.size())) {
      inserted = false;
      return e;
    }
  }
  if (entries_.size() >= kNoEntry) throw std::length_error("more than 4 billion symmetry entries");
  const auto entry = static_cast<std::uint32_t>(keys_.append());
  std::copy(key_.begin(), key_.end(), keys_[entry]);
  entries_.push_back({.hash = hash, .next = head});
  head = entry;
  if (entries_.size() > heads_.size()) grow();
  inserted = true;
  return entry;
}

void SymmetryMap::grow() {
  heads_.assign(heads_.size() * 2, kNoEntry);
  for (std::uint32_t e = 0; e < entries_.size(); ++e) {
    std::uint32_t& head = heads_[entries_[e].hash & (heads_.size() - 1)];
    entries_[e].next = head;
    head = e;
  }
}

std::size_t SymmetryMap::nbytes() const {
  return entries_.nbytes() + keys_.nbytes() + heads_.capacity() * sizeof(std::uint32_t);
}

}  // namespace surelist
