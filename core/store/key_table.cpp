// The order of stores is what readers without a lock rely on: a record is complete before its slot
// names it, and a larger array is complete before it replaces the smaller one.
#include "store/key_table.hpp"

#include <algorithm>

#include "base/bits.hpp"

namespace surelist {
namespace {

// Words of a record that change while other threads read them.
Word load(const Word& word) { return __atomic_load_n(&word, __ATOMIC_ACQUIRE); }
void store(Word& word, Word value) { __atomic_store_n(&word, value, __ATOMIC_RELEASE); }

constexpr Word kOneVersion = Word{1} << 32;

Length length_of(Word word) { return static_cast<Length>(word); }
bool is_changing(Word word) { return (word & kOneVersion) != 0; }

// What doubling an array until it holds `needed` values adds: each larger one stands beside those
// it replaces, which are kept until no reader is left.
template <class T>
std::size_t growth_of(const RcuArray<T>& array, std::size_t needed) {
  std::size_t added = 0;
  for (std::size_t size = array.now().size; size < needed;) added += size *= 2;
  return added * sizeof(T);
}

}  // namespace

KeyTable::KeyTable(std::size_t key_words)
    : key_words_(key_words), record_words_(kEntryWords + key_words), chunks_(4), slots_(64) {}

std::uint32_t KeyTable::find(const Word* key, std::uint32_t hash) const {
  const auto& table = slots_.now();
  const std::size_t mask = table.size - 1;
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    const Word slot = table.values[i].load(std::memory_order_acquire);
    if (slot == 0) return kNoEntry;
    if (hash_of(slot) != hash) continue;
    const std::uint32_t e = entry_of(slot);
    if (bits::equal(this->key(e), key, key_words_)) return e;
  }
}

// Sequence lock, reading side: a thread that sees the loss of a later price also sees the odd
// version that was stored before it, or a later version.
std::optional<PrefixPrice> KeyTable::read_price(std::uint32_t e) const {
  const Word* words = record(e);
  const Word before = load(words[kLength]);
  const Word loss = load(words[kLoss]);
  if (is_changing(before) || load(words[kLength]) != before) return std::nullopt;
  return PrefixPrice{static_cast<Weight>(loss), length_of(before)};
}

void KeyTable::prefetch(std::uint32_t hash) const {
  const auto& table = slots_.now();
  __builtin_prefetch(&table.values[hash & (table.size - 1)]);
}

void KeyTable::prefetch_entry(std::uint32_t hash) const {
  const auto& table = slots_.now();
  const Word slot = table.values[hash & (table.size - 1)].load(std::memory_order_acquire);
  if (slot != 0 && hash_of(slot) == hash) __builtin_prefetch(record(entry_of(slot)));
}

std::uint32_t KeyTable::insert(const Word* key, std::uint32_t hash, PrefixPrice price) {
  if (is_full(size_ + 1)) grow();
  const std::uint32_t e = append();
  Word* words = record(e);
  words[kLoss] = static_cast<Word>(price.prefix_loss);
  words[kLength] = price.length;
  words[kPrefix] = kNoPrefix;
  std::copy_n(key, key_words_, words + kEntryWords);
  const auto& table = slots_.now();
  put(table.values.get(), table.size - 1, slot(hash, e));  // from here on readers find it
  return e;
}

void KeyTable::put(Slot* slots, std::size_t mask, Word slot) {
  std::size_t i = hash_of(slot) & mask;
  while (slots[i].load(std::memory_order_relaxed) != 0) i = (i + 1) & mask;
  slots[i].store(slot, std::memory_order_release);
}

PrefixPrice KeyTable::price(std::uint32_t e) const {
  const Word* words = record(e);
  return {static_cast<Weight>(words[kLoss]), length_of(words[kLength])};
}

void KeyTable::set_price(std::uint32_t e, PrefixPrice price) {
  Word* words = record(e);
  const Word changing = (words[kLength] | kOneVersion);
  store(words[kLength], changing);
  store(words[kLoss], static_cast<Word>(price.prefix_loss));
  const Word version = changing - length_of(changing) + kOneVersion;
  store(words[kLength], version | price.length);
}

PrefixId KeyTable::prefix(std::uint32_t e) const {
  return static_cast<PrefixId>(record(e)[kPrefix]);
}

void KeyTable::set_prefix(std::uint32_t e, PrefixId prefix) { record(e)[kPrefix] = prefix; }

std::uint32_t KeyTable::append() {
  if (size_ == memory_.size() * kChunk) add_chunk();
  return static_cast<std::uint32_t>(size_++);
}

void KeyTable::add_chunk() {
  memory_.push_back(std::make_unique<Word[]>(kChunk * record_words_));
  const auto& before = chunks_.now();
  if (memory_.size() > before.size) {
    auto larger = std::make_shared<RcuArray<Word*>::Block>(2 * before.size);
    std::copy_n(before.values.get(), before.size, larger->values.get());
    larger->values[memory_.size() - 1] = memory_.back().get();
    chunks_.replace(std::move(larger), retired_);
  } else {
    before.values[memory_.size() - 1] = memory_.back().get();
  }
}

void KeyTable::grow() {
  const auto& before = slots_.now();
  auto larger = std::make_shared<RcuArray<Slot>::Block>(2 * before.size);
  for (std::size_t i = 0; i < before.size; ++i) {
    const Word slot = before.values[i].load(std::memory_order_relaxed);
    if (slot != 0) put(larger->values.get(), larger->size - 1, slot);
  }
  slots_.replace(std::move(larger), retired_);
}

std::size_t KeyTable::nbytes() const {
  return memory_.size() * kChunk * record_words_ * sizeof(Word) + chunks_.nbytes() +
         slots_.nbytes() + retired_.nbytes;
}

std::size_t KeyTable::growth(std::size_t n) const {
  const std::size_t n_chunks = (size_ + n + kChunk - 1) / kChunk;
  const std::size_t new_chunks = n_chunks - std::min(n_chunks, memory_.size());
  return new_chunks * kChunk * record_words_ * sizeof(Word) + growth_of(chunks_, n_chunks) +
         growth_of(slots_, (3 * (size_ + n) + 1) / 2);
}

}  // namespace surelist
