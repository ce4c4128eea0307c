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
  // The entry for the prefix with these antecedents and this set of groups not captured; a new one,
  // with `inserted` set, where there was none.
  std::uint32_t find_or_insert(const Prefix& antecedents, const Word* not_captured, bool& inserted);
  Entry& operator[](std::uint32_t entry) { return entries_[entry]; }
  std::size_t size() const { return entries_.size(); }
  std::size_t nbytes() const;

 private:
  void make_key(const Prefix& antecedents, const Word* not_captured);
  void grow();

  const Problem& problem_;
  Symmetry kind_;
  bool by_antecedents_;  // captured sets are stored as the antecedents that capture nothing more
  std::vector<Word> key_;
  ChunkedVector<Entry> entries_;
  ChunkedRecords<Word> keys_;
  std::vector<std::uint32_t> heads_;  // chains by hash; a power of two of them
};

}  // namespace surelist
