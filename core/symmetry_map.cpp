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

SymmetryKeys::SymmetryKeys(const Problem& problem, Symmetry kind)
    : problem_(problem),
      kind_(kind),
      by_antecedents_(kind == Symmetry::kPermutation || closure_is_smaller(problem)),
      n_words_(key_words(problem, by_antecedents_)),
      witness_(problem.n_antecedents(), 0) {}

void SymmetryKeys::start(const Prefix& prefix, const Word* not_captured) {
  words_.clear();
  hashes_.clear();
  if (kind_ == Symmetry::kNone || !by_antecedents_) return;
  base_.assign(n_words_, 0);
  for (const Antecedent s : prefix) bits::set(base_.data(), s);
  if (kind_ == Symmetry::kCaptured) add_closure(base_.data(), not_captured);
}

void SymmetryKeys::add(Antecedent s, const Word* not_captured) {
  if (kind_ == Symmetry::kNone) return;
  words_.resize(words_.size() + n_words_);
  Word* key = words_.data() + words_.size() - n_words_;
  if (by_antecedents_) {
    std::copy(base_.begin(), base_.end(), key);
    bits::set(key, s);
    if (kind_ == Symmetry::kCaptured) add_closure(key, not_captured);
  } else {
    std::copy_n(not_captured, n_words_, key);
  }
  hashes_.push_back(static_cast<std::uint32_t>(bits::hash(key, n_words_)));
}

void SymmetryKeys::add_closure(Word* key, const Word* not_captured) {
  for (Antecedent s = 0; s < problem_.n_antecedents(); ++s) {
    if (!bits::test(key, s) && captures_nothing(s, not_captured)) bits::set(key, s);
  }
}

bool SymmetryKeys::captures_nothing(Antecedent s, const Word* not_captured) {
  const Word* captured = problem_.captured(s);
  if ((captured[witness_[s]] & not_captured[witness_[s]]) != 0) return false;
  for (std::size_t w = 0; w < problem_.group_words(); ++w) {
    if ((captured[w] & not_captured[w]) == 0) continue;
    witness_[s] = static_cast<std::uint32_t>(w);
    return false;
  }
  return true;
}

SymmetryMap::SymmetryMap(const Problem& problem, Symmetry kind)
    : kind_(kind),
      n_words_(SymmetryKeys(problem, kind).n_words()),
      keys_(n_words_),
      heads_(kind == Symmetry::kNone ? 0 : 1024, kNoEntry) {}

std::uint32_t SymmetryMap::position(const Word* key, std::uint32_t hash) const {
  std::uint32_t e = heads_[hash & (heads_.size() - 1)];
  while (e != kNoEntry && !(entries_[e].hash == hash && bits::equal(keys_[e], key, n_words_))) {
    e = entries_[e].next;
  }
  return e;
}

const SymmetryMap::Entry* SymmetryMap::find(const Word* key, std::uint32_t hash) const {
  const std::uint32_t e = position(key, hash);
  return e == kNoEntry ? nullptr : &entries_[e];
}

std::uint32_t SymmetryMap::find_or_insert(const Word* key, std::uint32_t hash, bool& inserted) {
  const std::uint32_t known = position(key, hash);
  inserted = known == kNoEntry;
  if (!inserted) return known;
  if (entries_.size() >= kNoEntry) throw std::length_error("more than 4 billion symmetry entries");
  const auto entry = static_cast<std::uint32_t>(keys_.append());
  std::copy_n(key, n_words_, keys_[entry]);
  std::uint32_t& head = heads_[hash & (heads_.size() - 1)];
  entries_.push_back({.hash = hash, .next = head});
  head = entry;
  if (entries_.size() > heads_.size()) grow();
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

std::size_t SymmetryMap::growth(std::size_t n) const {
  const bool grows = entries_.size() + n > heads_.size();
  return entries_.growth(n) + keys_.growth(n) + (grows ? 2 * heads_.size() * sizeof(heads_[0]) : 0);
}

std::size_t SymmetryMap::nbytes() const {
  return entries_.nbytes() + keys_.nbytes() + heads_.capacity() * sizeof(std::uint32_t);
}

}  // namespace surelist
