#include "symmetry_map.hpp"

#include <algorithm>

#include "bits.hpp"
#include "bounds.hpp"

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
      n_words_(kind == Symmetry::kNone ? 0 : key_words(problem, by_antecedents_)),
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
  if (kind_ == Symmetry::kNone) return hashes_.push_back(0);
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

SymmetryMap::SymmetryMap(const SearchContext& context, std::size_t n_shards)
    : context_(context),
      n_words_(SymmetryKeys(*context.problem, context.options.symmetry).n_words()) {
  if (context.options.symmetry == Symmetry::kNone) return;
  for (std::size_t i = 0; i < n_shards; ++i) {
    shards_.push_back(std::make_unique<Shard>(n_words_));
    nbytes_ += shards_.back()->nbytes();
  }
}

SymmetryMap::Answer SymmetryMap::claim(const Word* key, std::uint32_t hash, Price price) {
  if (shards_.empty()) return {};
  Shard& shard = shard_of(hash);
  const std::lock_guard locked(shard.mutex);
  const std::uint32_t known = shard.find(key, hash, n_words_);
  Answer answer;
  if (known != kNoEntry) {
    const Entry& entry = shard.entries[known];
    answer.dominated = dominates(entry.price, price);
    if (answer.dominated) return answer;
    answer.entry = name_of(known, hash);
    if (!cheaper(price, entry.price)) return answer;  // kept beside a cheaper but longer one
    answer.replaced = entry.prefix;
  }
  const std::uint32_t e = known != kNoEntry ? known : insert(shard, key, hash);
  shard.entries[e].price = price;
  shard.entries[e].prefix = kNoPrefix;  // until it is in the tree
  answer.entry = name_of(e, hash);
  return answer;
}

std::uint32_t SymmetryMap::insert(Shard& shard, const Word* key, std::uint32_t hash) {
  // Names of entries have 32 bits for all shards together.
  if (shard.entries.size() >= kNoEntry / shards_.size()) {
    throw std::length_error("too many entries in the symmetry map");
  }
  const std::size_t before = shard.nbytes();
  const std::uint32_t e = shard.insert(key, hash, n_words_);
  nbytes_ += shard.nbytes() - before;
  return e;
}

std::uint32_t SymmetryMap::name_of(std::uint32_t e, std::uint32_t hash) const {
  const auto n_shards = static_cast<std::uint32_t>(shards_.size());
  return e * n_shards + (hash >> 24) % n_shards;
}

bool SymmetryMap::cheaper(Price a, Price b) const {
  const ObjectiveScale& scale = context_.scale;
  return scale.of(a.prefix_loss, a.length) < scale.of(b.prefix_loss, b.length);
}

bool SymmetryMap::dominates(const Word* key, std::uint32_t hash, Price price) {
  if (shards_.empty()) return false;
  Shard& shard = shard_of(hash);
  const std::lock_guard locked(shard.mutex);
  const std::uint32_t e = shard.find(key, hash, n_words_);
  return e != kNoEntry && dominates(shard.entries[e].price, price);
}

void SymmetryMap::name(std::uint32_t entry, PrefixId prefix) {
  Shard& shard = *shards_[entry % shards_.size()];
  const std::lock_guard locked(shard.mutex);
  Entry& named = shard.entries[entry / shards_.size()];
  if (named.prefix == kNoPrefix) named.prefix = prefix;
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
  for (const std::unique_ptr<Shard>& shard : shards_) {
    const std::lock_guard locked(shard->mutex);
    const std::size_t share = n / shards_.size() + 1;
    const bool grows = shard->entries.size() + share > shard->heads.size();
    sum += shard->entries.growth(share) + shard->keys.growth(share) +
           (grows ? 2 * shard->heads.size() * sizeof(std::uint32_t) : 0);
  }
  return sum;
}

std::uint32_t SymmetryMap::Shard::find(const Word* key, std::uint32_t hash,
                                       std::size_t n_words) const {
  std::uint32_t e = heads[hash & (heads.size() - 1)];
  while (e != kNoEntry && !(entries[e].hash == hash && bits::equal(keys[e], key, n_words))) {
    e = entries[e].next;
  }
  return e;
}

std::uint32_t SymmetryMap::Shard::insert(const Word* key, std::uint32_t hash, std::size_t n_words) {
  const auto e = static_cast<std::uint32_t>(keys.append());
  std::copy_n(key, n_words, keys[e]);
  std::uint32_t& head = heads[hash & (heads.size() - 1)];
  Entry entry;
  entry.hash = hash;
  entry.next = head;
  entries.push_back(entry);
  head = e;
  if (entries.size() > heads.size()) grow();
  return e;
}

void SymmetryMap::Shard::grow() {
  heads.assign(heads.size() * 2, kNoEntry);
  for (std::uint32_t e = 0; e < entries.size(); ++e) {
    std::uint32_t& head = heads[entries[e].hash & (heads.size() - 1)];
    entries[e].next = head;
    head = e;
  }
}

std::size_t SymmetryMap::Shard::nbytes() const {
  return entries.nbytes() + keys.nbytes() + heads.capacity() * sizeof(std::uint32_t);
}

}  // namespace surelist
