// Shards by the upper bits of the hash; each is a KeyTable, which is written with its lock held and
// read without.
#include "prune/symmetry_map.hpp"

#include <algorithm>
#include <cstring>

#include "base/bits.hpp"
#include "problem/bounds.hpp"

namespace surelist {
namespace {

std::size_t key_words(const Problem& problem, bool by_antecedents) {
  return by_antecedents ? bits::words(problem.n_antecedents()) : problem.group_words();
}

// Finding the antecedents that capture nothing takes time; it pays if it halves the key.
bool closure_is_smaller(const Problem& problem) {
  return 2 * bits::words(problem.n_antecedents()) <= problem.group_words();
}

}  // namespace

SymmetryKeys::SymmetryKeys(const SearchContext& context)
    : problem_(*context.problem),
      kind_(context.options.symmetry),
      by_antecedents_(kind_ == Symmetry::kPermutation || closure_is_smaller(problem_)),
      set_words_(kind_ == Symmetry::kNone ? 0 : key_words(problem_, by_antecedents_)),
      n_words_(set_words_),
      witness_(problem_.n_antecedents(), 0) {
  const std::vector<Antecedent>& required = context.constraints().required;
  if (kind_ != Symmetry::kCaptured || required.empty()) return;
  required_ = &required;
  used_.resize(bits::words(required.size()));
  n_words_ += used_.size();
}

void SymmetryKeys::start(const Prefix& prefix, const Word* not_captured, const Word* captures) {
  words_.clear();
  hashes_.clear();
  set_ = not_captured;
  if (required_ != nullptr) {
    std::fill(used_.begin(), used_.end(), 0);
    for (const Antecedent s : prefix) note_required(s, used_.data());
  }
  if (kind_ == Symmetry::kNone || !by_antecedents_) return;
  base_.assign(set_words_, 0);
  for (const Antecedent s : prefix) bits::set(base_.data(), s);
  if (kind_ == Symmetry::kPermutation) return;
  for (std::size_t w = 0; w < set_words_; ++w) {
    const std::size_t first = w * bits::kWord;
    const std::size_t n = std::min(bits::kWord, problem_.n_antecedents() - first);
    const Word known = captures != nullptr ? captures[w] | base_[w] : base_[w];
    const Word all = n == bits::kWord ? ~Word{0} : (Word{1} << n) - 1;
    bits::for_each_in_word(all & ~known, first, [&](std::size_t t) {
      if (captures_nothing(static_cast<Antecedent>(t))) bits::set(base_.data(), t);
    });
  }
}

void SymmetryKeys::add(Antecedent s, const Word* candidates) {
  if (kind_ == Symmetry::kNone) return hashes_.push_back(0);
  words_.resize(words_.size() + n_words_);
  Word* key = words_.data() + words_.size() - n_words_;
  if (by_antecedents_) {
    std::copy(base_.begin(), base_.end(), key);
    bits::set(key, s);
  } else {
    std::copy_n(set_, set_words_, key);
    bits::and_not(key, problem_.captured(s), set_words_);
  }
  if (required_ != nullptr) {
    std::copy(used_.begin(), used_.end(), key + set_words_);
    note_required(s, key + set_words_);
  }
  for (std::size_t w = 0; needs_candidates() && w < set_words_; ++w) {
    bits::for_each_in_word(candidates[w] & ~key[w], w * bits::kWord, [&](std::size_t t) {
      if (captures_nothing_after(s, static_cast<Antecedent>(t))) bits::set(key, t);
    });
  }
  hashes_.push_back(static_cast<std::uint32_t>(bits::hash(key, n_words_)));
}

void SymmetryKeys::note_required(Antecedent s, Word* used) const {
  for (std::size_t i = 0; i < required_->size(); ++i) {
    if ((*required_)[i] == s) bits::set(used, i);
  }
}

bool SymmetryKeys::captures_nothing(Antecedent t) const {
  return !bits::intersects(problem_.captured(t), set_, problem_.group_words());
}

// Tests first the word where the antecedent last captured something: mostly, it still does.
bool SymmetryKeys::captures_nothing_after(Antecedent s, Antecedent t) {
  const Word* gone = problem_.captured(s);
  const Word* captured = problem_.captured(t);
  const auto captures = [&](std::size_t w) { return (set_[w] & captured[w] & ~gone[w]) != 0; };
  if (captures(witness_[t])) return false;
  for (std::size_t w = 0; w < problem_.group_words(); ++w) {
    if (!captures(w)) continue;
    witness_[t] = static_cast<std::uint32_t>(w);
    return false;
  }
  return true;
}

SymmetryMap::SymmetryMap(const SearchContext& context, std::size_t n_shards)
    : context_(context), n_words_(SymmetryKeys(context).n_words()) {
  if (context.options.symmetry == Symmetry::kNone) return;
  for (std::size_t i = 0; i < n_shards; ++i) {
    shards_.push_back(std::make_unique<Shard>(n_words_));
    nbytes_ += shards_.back()->unlocked().nbytes();
  }
}

bool SymmetryMap::claim(const Word* key, std::uint32_t hash, Price price, Place& place) {
  place = {};
  if (shards_.empty()) return true;
  Shard& shard = shard_of(hash);
  const SpinLockGuard locked(shard.lock);
  KeyTable& table = shard.locked();
  const std::uint32_t e = table.find(key, hash);
  if (e == kNoEntry) {
    place.entry = name_of(insert(table, key, hash, price), hash);
    return true;
  }
  const Price known = table.price(e);
  if (dominates(known, price)) return false;
  place.entry = name_of(e, hash);
  if (!cheaper(price, known)) return true;  // the one in the map is cheaper, but longer
  place.replaced = table.prefix(e);
  table.set_price(e, price);
  table.set_prefix(e, kNoPrefix);  // until it is in the tree
  return true;
}

std::uint32_t SymmetryMap::insert(KeyTable& table, const Word* key, std::uint32_t hash,
                                  Price price) {
  // Entries of all shards together are numbered in 32 bits.
  if (table.size() >= kNoEntry / shards_.size()) {
    throw std::length_error("too many entries in the symmetry map");
  }
  const std::size_t before = table.nbytes();
  const std::uint32_t e = table.insert(key, hash, price);
  // Only when it changes: a counter that all threads write to moves from cache to cache.
  if (table.nbytes() != before) nbytes_ += table.nbytes() - before;
  if (table.has_retired()) has_retired_.store(true, std::memory_order_relaxed);
  return e;
}

std::vector<Retired> SymmetryMap::take_retired() {
  std::vector<Retired> retired;
  if (!has_retired_.exchange(false, std::memory_order_relaxed)) return retired;
  for (const std::unique_ptr<Shard>& owned : shards_) {
    Shard& shard = *owned;
    const SpinLockGuard locked(shard.lock);
    if (shard.locked().has_retired()) retired.push_back(shard.locked().take_retired());
  }
  return retired;
}

void SymmetryMap::free_retired(std::vector<Retired>& retired) {
  for (const Retired& each : retired) nbytes_ -= each.nbytes;
  retired.clear();
}

std::uint32_t SymmetryMap::name_of(std::uint32_t e, std::uint32_t hash) const {
  return static_cast<std::uint32_t>(e * shards_.size() + shard_index(hash));
}

bool SymmetryMap::cheaper(Price a, Price b) const {
  const ObjectiveScale& scale = context_.scale;
  return scale.of(a.prefix_loss, a.length) < scale.of(b.prefix_loss, b.length);
}

bool SymmetryMap::is_dominated(const Word* key, std::uint32_t hash, Price price) const {
  if (shards_.empty()) return false;
  const KeyTable& table = shard_of(hash).unlocked();
  const std::uint32_t e = table.find(key, hash);
  if (e == kNoEntry) return false;
  const std::optional<Price> known = table.read_price(e);
  return known && dominates(*known, price);  // a price that is being written: `claim` will tell
}

SymmetryMap::Price SymmetryMap::price(std::uint32_t entry) const {
  Shard& shard = *shards_[entry % shards_.size()];
  const SpinLockGuard locked(shard.lock);
  return shard.locked().price(static_cast<std::uint32_t>(entry / shards_.size()));
}

void SymmetryMap::name(std::uint32_t entry, PrefixId prefix) {
  Shard& shard = *shards_[entry % shards_.size()];
  const auto e = static_cast<std::uint32_t>(entry / shards_.size());
  const SpinLockGuard locked(shard.lock);
  if (shard.locked().prefix(e) == kNoPrefix) shard.locked().set_prefix(e, prefix);
}

bool SymmetryMap::dominates(Price kept, Price other) const {
  const ObjectiveScale& scale = context_.scale;
  return bounds::equivalent_support_dominates(scale.of(kept.prefix_loss, kept.length), kept.length,
                                              scale.of(other.prefix_loss, other.length),
                                              other.length,
                                              context_.options.max_length.has_value());
}

std::size_t SymmetryMap::growth(std::size_t n) const {
  std::size_t sum = 0;
  for (const std::unique_ptr<Shard>& owned : shards_) {
    Shard& shard = *owned;
    const SpinLockGuard locked(shard.lock);
    sum += shard.locked().growth(n / shards_.size() + 1);
  }
  return sum;
}

void SymmetryMap::append_key(std::uint32_t entry, std::string& bytes) const {
  Shard& shard = *shards_[entry % shards_.size()];
  const SpinLockGuard locked(shard.lock);
  const Word* key = shard.locked().key(static_cast<std::uint32_t>(entry / shards_.size()));
  bytes.append(reinterpret_cast<const char*>(key), key_bytes());
}

void SymmetryMap::save(const std::vector<bool>& without, std::string& bytes) const {
  const auto put = [&](const void* words, std::size_t n) {
    bytes.append(static_cast<const char*>(words), n * sizeof(Word));
  };
  const Word n_words = n_words_;
  put(&n_words, 1);
  for (std::size_t i = 0; i < shards_.size(); ++i) {
    Shard& shard = *shards_[i];
    const SpinLockGuard locked(shard.lock);
    const KeyTable& table = shard.locked();
    for (std::uint32_t e = 0; e < table.size(); ++e) {
      const std::size_t named = e * shards_.size() + i;
      if (named < without.size() && without[named]) continue;
      const Price price = table.price(e);
      const Word numbers[2] = {static_cast<Word>(price.prefix_loss), price.length};
      put(numbers, 2);
      put(table.key(e), n_words_);
    }
  }
}

void SymmetryMap::learn(std::string_view bytes) {
  std::vector<Word> words(bytes.size() / sizeof(Word));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(Word));
  const std::size_t each = n_words_ + 2;
  if (bytes.size() % sizeof(Word) != 0 || words.empty() || words[0] != n_words_ ||
      (words.size() - 1) % each != 0) {
    throw InputError("the state of a search has another kind of symmetry map, or is damaged");
  }
  for (std::size_t at = 1; at < words.size(); at += each) {
    const Word* key = words.data() + at + 2;
    const Price price{static_cast<Weight>(words[at]), static_cast<Length>(words[at + 1])};
    Place place;
    claim(key, static_cast<std::uint32_t>(bits::hash(key, n_words_)), price, place);
  }
}

}  // namespace surelist
