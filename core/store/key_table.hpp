// A hash table of exact keys, with the price of the cheapest known prefix for each. One thread at a
// time writes; any number of threads read meanwhile, without a lock. They may read a price that has
// just been replaced, but never half of one price and half of another.
//
// How: a key never changes once a slot names it. A price is protected by a sequence lock: the
// version beside it is odd while the price changes. An array that grows is copied and replaced
// (read-copy-update); the old one is retired, and freed by epoch reclamation (reclamation.hpp).
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <utility>

#include "base/aligned.hpp"
#include "base/types.hpp"
#include "store/prefix_tree.hpp"

namespace surelist {

// Arrays that have been replaced, but that other threads may still read.
struct Retired {
  std::vector<std::shared_ptr<const void>> blocks;
  std::size_t nbytes = 0;
};

// An array that other threads may read while it is replaced by a larger one (read-copy-update).
template <class T>
class RcuArray {
 public:
  struct alignas(kApart) Block {
    explicit Block(std::size_t n) : size(n), values(std::make_unique<T[]>(n)) {}
    std::size_t size;
    std::unique_ptr<T[]> values;
  };

  explicit RcuArray(std::size_t size) : block_(std::make_shared<Block>(size)), now_(block_.get()) {}

  const Block& now() const { return *now_.load(std::memory_order_acquire); }

  void replace(std::shared_ptr<Block> block, Retired& retired) {
    retired.blocks.push_back(block_);
    retired.nbytes += nbytes();
    block_ = std::move(block);
    now_.store(block_.get(), std::memory_order_release);
  }

  std::size_t nbytes() const { return block_->size * sizeof(T); }

 private:
  std::shared_ptr<Block> block_;
  std::atomic<const Block*> now_;
};

// The price of a prefix: what the equivalent support bound compares.
struct PrefixPrice {
  Weight prefix_loss = 0;
  Length length = 0;
};

// Open addressing on a table of hashes; keys are compared only where the whole hash agrees.
class alignas(kApart) KeyTable {
 public:
  explicit KeyTable(std::size_t key_words);

  // From any thread.
  std::uint32_t find(const Word* key, std::uint32_t hash) const;
  std::optional<PrefixPrice> read_price(std::uint32_t e) const;  // nothing while it is written
  void prefetch(std::uint32_t hash) const;
  void prefetch_entry(std::uint32_t hash) const;

  // From one thread at a time.
  std::uint32_t insert(const Word* key, std::uint32_t hash, PrefixPrice price);
  const Word* key(std::uint32_t e) const { return record(e) + kEntryWords; }
  PrefixPrice price(std::uint32_t e) const;
  void set_price(std::uint32_t e, PrefixPrice price);
  PrefixId prefix(std::uint32_t e) const;  // that has this price, once it is in the tree
  void set_prefix(std::uint32_t e, PrefixId prefix);
  std::size_t size() const { return size_; }
  std::size_t nbytes() const;  // retired arrays included
  bool has_retired() const { return !retired_.blocks.empty(); }
  Retired take_retired() { return std::exchange(retired_, {}); }
  // What nbytes() grows by when `n` keys are inserted.
  std::size_t growth(std::size_t n) const;

 private:
  // A record: price and prefix, then the key itself.
  static constexpr std::size_t kLoss = 0;
  static constexpr std::size_t kLength = 1;  // and, in the upper half, the version of the price
  static constexpr std::size_t kPrefix = 2;
  static constexpr std::size_t kEntryWords = 3;
  static constexpr std::size_t kChunk = 64;  // records that get their memory together

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
  RcuArray<Word*> chunks_;
  RcuArray<Slot> slots_;  // a power of two of them
  // Readers use none of what follows. It changes with every key, so it has a cache line of its own.
  alignas(kApart) std::size_t size_ = 0;
  std::vector<std::unique_ptr<Word[]>> memory_;
  Retired retired_;
};

}  // namespace surelist
