// Exact keys and what the symmetry map knows of each. One thread at a time writes; any number read
// meanwhile, without a lock: what they read may be a moment old, but it is never half of one price
// and half of another.
//
// How: a key never changes once its slot names it; a price has a version beside it that is odd
// while the price changes; and an array that grows is replaced, the old one staying for those who
// still look at it.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "prefix_tree.hpp"
#include "types.hpp"

namespace surelist {

// An array that others may read while it is replaced by a larger one.
template <class T>
class ReplacedArray {
 public:
  struct Block {
    explicit Block(std::size_t n) : size(n), values(std::make_unique<T[]>(n)) {}
    std::size_t size;
    std::unique_ptr<T[]> values;
  };

  explicit ReplacedArray(std::size_t size) { replace(std::make_unique<Block>(size), false); }

  const Block& now() const { return *now_.load(std::memory_order_acquire); }

  // `shared`: others may still read what there was before.
  void replace(std::unique_ptr<Block> block, bool shared) {
    now_.store(block.get(), std::memory_order_release);
    if (!shared) blocks_.clear();
    blocks_.push_back(std::move(block));
  }

  std::size_t nbytes() const {
    std::size_t n = 0;
    for (const std::unique_ptr<Block>& block : blocks_) n += block->size * sizeof(T);
    return n;
  }

 private:
  std::atomic<const Block*> now_;
  std::vector<std::unique_ptr<Block>> blocks_;  // the last is the one in use
};

// The price of a prefix: what the equivalent support bound compares.
struct PrefixPrice {
  Weight prefix_loss = 0;
  Length length = 0;
};

// Open addressing on a table of hashes; a key is looked at only where the whole hash agrees.
class KeyTable {
 public:
  // `shared`: several threads use it.
  KeyTable(std::size_t key_words, bool shared);

  // From any thread.
  std::uint32_t find(const Word* key, std::uint32_t hash) const;
  std::optional<PrefixPrice> read_price(std::uint32_t e) const;  // nothing while it changes
  void prefetch(std::uint32_t hash) const;
  void prefetch_entry(std::uint32_t hash) const;

  // From one thread at a time.
  std::uint32_t insert(const Word* key, std::uint32_t hash, PrefixPrice price);
  const Word* key(std::uint32_t e) const { return record(e) + kEntryWords; }
  PrefixPrice price(std::uint32_t e) const;
  void set_price(std::uint32_t e, PrefixPrice price);
  PrefixId prefix(std::uint32_t e) const;  // whose price that is, once it is in the tree
  void set_prefix(std::uint32_t e, PrefixId prefix);
  std::size_t size() const { return size_; }
  std::size_t nbytes() const;
  // The most that nbytes() can grow by when `n` keys are inserted.
  std::size_t growth(std::size_t n) const;

 private:
  // A record: what is known of the key, then the key itself.
  static constexpr std::size_t kLoss = 0;
  static constexpr std::size_t kLength = 1;  // and, in the upper half, the version of the price
  static constexpr std::size_t kPrefix = 2;
  static constexpr std::size_t kEntryWords = 3;
  static constexpr std::size_t kChunk = 256;  // records that get their memory together

  using Slot = std::atomic<Word>;  // the hash above, below it the record's number plus one; 0: free
  static Word slot(std::uint32_t hash, std::uint32_t e) { return Word{hash} << 32 | (e + 1); }
  static std::uint32_t hash_of(Word slot) { return static_cast<std::uint32_t>(slot >> 32); }
  static std::uint32_t entry_of(Word slot) { return static_cast<std::uint32_t>(slot) - 1; }
  static void put(Slot* slots, std::size_t mask, Word slot);

  Word* record(std::uint32_t e) const {
    return chunks_.now().values[e / kChunk] + e % kChunk * record_words_;
  }
  bool is_full(std::size_t n) const { return 3 * n > 2 * slots_.now().size; }
  std::uint32_t append();
  void add_chunk();
  void grow();

  std::size_t key_words_;
  std::size_t record_words_;
  bool shared_;
  ReplacedArray<Word*> chunks_;
  ReplacedArray<Slot> slots_;  // a power of two of them
  // Readers need none of what follows: what changes with every key has its own line of the cache.
  alignas(64) std::size_t size_ = 0;
  std::vector<std::unique_ptr<Word[]>> memory_;
};

}  // namespace surelist
