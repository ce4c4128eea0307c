#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "prefixes.hpp"
#include "problem.hpp"

namespace surelist_checker {

// A prefix as it is looked up: the groups that it leaves, their hash, and the rest of its state.
struct Candidate {
  const Word* left;
  Word hash;
  Number cost;
  Word used;
  std::uint32_t length;  // 0 where no greatest length is given
};

// The closed states, for rule (D) by a closed state with the same groups.
//
// A record has a hash of the groups and a node of the tree of prefixes. Where hashes agree, the
// groups are found again from the prefix and compared: so a collision costs time, and never makes
// two states the same. Of states that agree in groups, used and length the cheapest is kept; what
// holds for its completions holds for those of the others.
class ClosedStates {
 public:
  struct Record {
    Word hash;
    Number cost;
    std::uint32_t node;
    std::uint32_t length;
  };

  ClosedStates(const Problem& problem, const PrefixTree& tree);

  Word hash(const Word* left) const;
  void add(const Candidate& state, std::uint32_t node);
  // Ahead of `add` and `dominates`, so that memory is read meanwhile: first the one, a little later
  // the other.
  void prefetch(Word hash) const { __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]); }
  void prefetch_record(Word hash) const;
  bool dominates(const Candidate& state, std::vector<Word>& scratch) const;
  const std::vector<Record>& records() const { return records_; }

 private:
  static constexpr std::uint32_t empty = ~std::uint32_t{0};

  bool has_groups(const Record& record, const Word* left, std::vector<Word>& scratch,
                  Word& used) const;
  void grow();
  void place(std::uint32_t index);

  const Problem& problem_;
  const PrefixTree& tree_;
  std::vector<Word> keys_;  // of the hash
  std::vector<Record> records_;
  // A slot has the upper half of a hash and the number of its record; the lower half of the hash
  // says where it is, or before the next free slot. So a look at another state's slot ends there.
  struct Slot {
    std::uint32_t tag;
    std::uint32_t record;
  };
  std::vector<Slot> slots_;
  std::vector<Word> scratch_;
};

}  // namespace surelist_checker
