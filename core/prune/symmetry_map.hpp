// The symmetry-aware map: the cheapest known prefix for each key. Under `captured` the key is the
// set of groups not captured (Theorem "Equivalent support bound"), under `permutation` the set of
// antecedents (Corollary "Permutation bound").
//
// Keys are exact, so a hash collision only costs time. A set S of groups not captured determines
// the antecedents that capture nothing of it (its closure), and these determine S; the key is the
// closure if that takes clearly fewer bits.
#pragma once

#include <atomic>
#include <memory>
#include <string_view>

#include "base/aligned.hpp"
#include "base/spin_lock.hpp"
#include "context/context.hpp"
#include "problem/problem.hpp"
#include "store/key_table.hpp"

namespace surelist {

// Makes keys, a few at a time, outside of any lock.
class SymmetryKeys {
 public:
  explicit SymmetryKeys(const SearchContext& context);

  // Begins with the children of a prefix that leaves these groups. The antecedents in `captures`
  // are known to capture some of them.
  void start(const Prefix& prefix, const Word* not_captured, const Word* captures);
  // The key of the child that ends with s. If needs_candidates(): only antecedents in `candidates`
  // can capture nothing of what the child leaves.
  void add(Antecedent s, const Word* candidates);
  bool needs_candidates() const { return by_antecedents_ && kind_ == Symmetry::kCaptured; }
  const Word* operator[](std::size_t i) const { return words_.data() + i * n_words_; }
  std::uint32_t hash(std::size_t i) const { return hashes_[i]; }
  std::size_t n_words() const { return n_words_; }  // of one key

 private:
  void note_required(Antecedent s, Word* used) const;
  bool captures_nothing(Antecedent t) const;
  bool captures_nothing_after(Antecedent s, Antecedent t);

  const Problem& problem_;
  Symmetry kind_;
  bool by_antecedents_;  // captured sets are stored as the antecedents that capture nothing more
  // A prefix does not dominate one with the same captures that has more of the required
  // antecedents: under `captured`, these are a second part of the key.
  const std::vector<Antecedent>* required_ = nullptr;
  std::size_t set_words_;
  std::size_t n_words_;
  const Word* set_ = nullptr;  // groups the parent has not captured
  Aligned<Word> base_;         // the key of the parent, part of every child's
  Aligned<Word> used_;         // the required antecedents that the parent has
  Aligned<Word> words_;
  Aligned<std::uint32_t> hashes_;
  Aligned<std::uint32_t> witness_;  // by antecedent: a word where it last captured something
};

// The map itself, in shards with a lock each, so that threads that write seldom wait for one
// another. All threads read it, so it has cache lines of its own.
class alignas(kApart) SymmetryMap {
 public:
  SymmetryMap(const SearchContext& context, std::size_t n_shards);

  using Price = PrefixPrice;
  struct Place {
    std::uint32_t entry = kNoEntry;  // the key's
    PrefixId replaced = kNoPrefix;   // the costlier prefix that it named before
  };

  // Takes a place for a prefix with this key and returns true, unless a prefix with the key
  // dominates it. `place` is written where the caller keeps it: a returned value would be read at
  // once, and the read would stall on the store buffer.
  bool claim(const Word* key, std::uint32_t hash, Price price, Place& place);
  // Prefetches the slot of a key; and, once that has arrived, the entry that it names.
  void prefetch(std::uint32_t hash) const {
    if (!shards_.empty()) shard_of(hash).unlocked().prefetch(hash);
  }
  void prefetch_entry(std::uint32_t hash) const {
    if (!shards_.empty()) shard_of(hash).unlocked().prefetch_entry(hash);
  }
  // Whether a prefix with this key would be dominated. Lock-free; false if the entry is being
  // written: a later `claim` will tell.
  bool is_dominated(const Word* key, std::uint32_t hash, Price price) const;
  // The price of the cheapest prefix that has claimed the entry.
  Price price(std::uint32_t entry) const;
  // The prefix that claimed the entry has entered the tree.
  void name(std::uint32_t entry, PrefixId prefix);
  bool dominates(Price kept, Price other) const;

  void append_key(std::uint32_t entry, std::string& bytes) const;
  std::size_t key_bytes() const { return n_words_ * sizeof(Word); }
  // Appends keys and prices as raw words, except for the entries in `without`. `learn` claims them
  // for prefixes that are not in this tree; it throws InputError if the bytes are not from a map of
  // the same kind.
  void save(const std::vector<bool>& without, std::string& bytes) const;
  void learn(std::string_view bytes);

  // Arrays that have been retired since the last call; `free_retired` frees them, once no thread
  // can still read them (reclamation.hpp).
  std::vector<Retired> take_retired();
  void free_retired(std::vector<Retired>& retired);

  std::size_t nbytes() const { return nbytes_.load(std::memory_order_relaxed); }
  // About the most that `n` more entries can add to nbytes().
  std::size_t growth(std::size_t n) const;

 private:
  // Reading needs no lock, except what only the writer may ask: see KeyTable.
  class Shard {
   public:
    explicit Shard(std::size_t key_words) : table_(key_words) {}
    const KeyTable& unlocked() const { return table_; }
    KeyTable& locked() SURELIST_REQUIRES(lock) { return table_; }
    SpinLock lock;

   private:
    KeyTable table_;
  };
  std::uint32_t insert(KeyTable& table, const Word* key, std::uint32_t hash, Price price);
  std::uint32_t name_of(std::uint32_t e, std::uint32_t hash) const;  // among all shards' entries
  bool cheaper(Price a, Price b) const;
  // By the upper bits of the hash: the lower ones say where in the shard.
  std::size_t shard_index(std::uint32_t hash) const {
    return static_cast<std::size_t>(Word{hash} * shards_.size() >> 32);
  }
  Shard& shard_of(std::uint32_t hash) const { return *shards_[shard_index(hash)]; }

  const SearchContext& context_;
  std::size_t n_words_;  // of a key
  std::vector<std::unique_ptr<Shard>> shards_;
  std::atomic<std::size_t> nbytes_{0};
  std::atomic<bool> has_retired_{false};
};

}  // namespace surelist
