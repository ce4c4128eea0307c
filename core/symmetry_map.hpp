// The symmetry-aware map: the cheapest known prefix for each key. Under `captured` the key is the
// set of groups not captured (Theorem "Equivalent support bound"), under `permutation` the set of
// antecedents (Corollary "Permutation bound").
//
// Keys are exact, so a hash collision can only cost time. A set S of groups not captured is
// determined by the antecedents that capture nothing of it, and the other way round; the map stores
// whichever of the two takes clearly fewer bits.
#pragma once

#include "chunked.hpp"
#include "prefix_tree.hpp"
#include "problem.hpp"

namespace surelist {

enum class Symmetry : std::uint8_t { kNone, kPermutation, kCaptured };

// Makes keys, a few at a time, outside of any lock.
class SymmetryKeys {
 public:
  SymmetryKeys(const Problem& problem, Symmetry kind);

  // Keys of children of a prefix that leaves these groups not captured.
  void start(const Prefix& prefix, const Word* not_captured);
  // For the child that ends with s and leaves these.
  void add(Antecedent s, const Word* not_captured);
  const Word* operator[](std::size_t i) const { return words_.data() + i * n_words_; }
  std::uint32_t hash(std::size_t i) const { return hashes_[i]; }
  std::size_t n_words() const { return n_words_; }  // of one key

 private:
  void add_closure(Word* key, const Word* not_captured);
  bool captures_nothing(Antecedent s, const Word* not_captured);

  const Problem& problem_;
  Symmetry kind_;
  bool by_antecedents_;  // captured sets are stored as the antecedents that capture nothing more
  std::size_t n_words_;
  std::vector<Word> base_;  // the key of the parent, part of every child's
  std::vector<Word> words_;
  std::vector<std::uint32_t> hashes_;
  std::vector<std::uint32_t> witness_;  // by antecedent: a word where it last was seen to capture
};

class SymmetryMap {
 public:
  struct Entry {
    Weight prefix_loss = 0;  // of the cheapest prefix seen with this key
    PrefixId prefix = kNoPrefix;
    Length length = 0;
    std::uint32_t hash = 0;
    std::uint32_t next = kNoEntry;
  };

  SymmetryMap(const Problem& problem, Symmetry kind);

  Symmetry kind() const { return kind_; }
  // The entry with this key; a new one, with `inserted` set, where there was none.
  std::uint32_t find_or_insert(const Word* key, std::uint32_t hash, bool& inserted);
  const Entry* find(const Word* key, std::uint32_t hash) const;
  Entry& operator[](std::uint32_t entry) { return entries_[entry]; }
  // The most that the next `n` insertions can add to nbytes(), while they happen.
  std::size_t growth(std::size_t n) const;
  std::size_t nbytes() const;

 private:
  std::uint32_t position(const Word* key, std::uint32_t hash) const;
  void grow();

  Symmetry kind_;
  std::size_t n_words_;  // of a key
  ChunkedVector<Entry> entries_;
  ChunkedRecords<Word> keys_;
  std::vector<std::uint32_t> heads_;  // chains by hash; a power of two of them
};

}  // namespace surelist
