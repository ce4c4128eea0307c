// The prefix tree (the paper's trie): the prefixes under consideration, each with what is needed to
// compute its children incrementally. A leaf is open: it waits to be expanded. An inner prefix has
// been expanded, and is removed when it has no descendants left (pruning upwards).
#pragma once

#include <limits>
#include <random>

#include "base/chunked.hpp"
#include "base/types.hpp"

namespace surelist {

using PrefixId = std::uint32_t;
inline constexpr PrefixId kNoPrefix = std::numeric_limits<PrefixId>::max();
inline constexpr std::uint32_t kNoEntry = std::numeric_limits<std::uint32_t>::max();

struct PrefixRecord {
  enum class State : std::uint8_t {
    kFree,       // not a prefix
    kOpen,       // a leaf, waits to be expanded
    kExpanding,  // a leaf that a worker has taken
    kClosed,     // expanded, has descendants
    kDeleted,    // removed from the tree, but the queue or a worker still holds it
  };

  // What walking up a path reads is together in one cache line.
  PrefixId parent = kNoPrefix;
  Antecedent antecedent = kNoAntecedent;  // the last one, p_K
  Length length = 0;
  Label label = 0;  // what its last rule predicts, q_K

  Weight prefix_loss = 0;  // weight misclassified by the prefix: the paper's ℓ_p
  Weight bound_loss = 0;   // every extension loses at least this, at length + 1 or more
  PrefixId first_child = kNoPrefix;
  PrefixId next_sibling = kNoPrefix;
  PrefixId previous_sibling = kNoPrefix;
  std::uint32_t map_entry = kNoEntry;  // this prefix's entry in the symmetry map
  std::uint32_t viable = kNoEntry;     // antecedents its extensions may still use
  State state = State::kFree;
};

class PrefixTree {
 public:
  // `queued`: a queue holds the leaves, so a deleted leaf keeps its record until it is popped.
  PrefixTree(std::size_t n_antecedents, bool queued);

  PrefixId insert(const PrefixRecord& record);  // as a child of record.parent
  const PrefixRecord& operator[](PrefixId id) const { return records_[id]; }
  bool is_open(PrefixId id) const { return records_[id].state == PrefixRecord::State::kOpen; }
  bool empty() const { return root_ == kNoPrefix; }
  PrefixId root() const { return root_; }
  void path(PrefixId id, Prefix& antecedents, std::vector<Label>& labels) const;
  // One step up a path: writes the prefix's last antecedent and label, and returns its parent, or
  // kNoPrefix for the root. Walking several paths in turns hides the latency of memory.
  PrefixId step_up(PrefixId id, Prefix& antecedents, std::vector<Label>& labels) const;
  void prefetch(PrefixId id) const { __builtin_prefetch(&records_[id]); }

  // A worker takes the leaf to expand it, or gives it back as it was.
  void take(PrefixId id);
  void give_back(PrefixId id);
  bool is_expanding(PrefixId id) const {
    return records_[id].state == PrefixRecord::State::kExpanding;
  }
  // Leaf → inner prefix, with the antecedents its children may use (null: all but its own).
  void close(PrefixId id, const Word* viable);
  const Word* viable(PrefixId id) const;
  // Removes the prefix and, going up, every ancestor left without children.
  void prune_upwards(PrefixId id);
  // Removes the prefix and all that starts with it, then prunes upwards. Returns how many.
  std::size_t remove_subtree(PrefixId id);
  // Removes every open prefix for which `dead` holds; returns how many.
  template <class Dead>
  std::size_t collect_garbage(Dead&& dead);
  // Frees a deleted prefix, once neither the queue nor a worker holds it.
  void release(PrefixId id);

  // The end of a random path from `start` (or the root): a leaf, which a worker may be expanding.
  PrefixId random_leaf(PrefixId start, std::mt19937_64& random) const;

  template <class Visit>
  void for_each_open(Visit&& visit) const;
  // The same with antecedents and labels, in depth-first order.
  template <class Visit>
  void for_each_open_path(Visit&& visit) const;
  // How many prefixes of each length are open (logical), and wait in the queue (physical).
  const std::vector<std::uint64_t>& logical() const { return logical_; }
  const std::vector<std::uint64_t>& physical() const { return physical_; }
  void left_queue(PrefixId id) { --physical_[records_[id].length]; }
  std::size_t n_open() const { return n_open_; }
  std::size_t nbytes() const;
  // The most that nbytes() can grow by when a prefix gets `n` children.
  std::size_t growth(std::size_t n) const { return records_.growth(n) + viable_.growth(1); }

 private:
  void unlink(PrefixId id);
  void discard(PrefixId id);  // an unlinked record: mark it deleted or free it
  void free(PrefixId id);

  bool queued_;
  std::size_t n_open_ = 0;
  PrefixId root_ = kNoPrefix;
  PrefixId free_ = kNoPrefix;  // chained by next_sibling
  ChunkedVector<PrefixRecord> records_;
  ChunkedRecords<Word> viable_;
  std::vector<std::uint32_t> free_viable_;
  std::vector<std::uint64_t> logical_;
  std::vector<std::uint64_t> physical_;
};

template <class Visit>
void PrefixTree::for_each_open(Visit&& visit) const {
  for (std::size_t id = 0; id < records_.size(); ++id) {
    const PrefixRecord::State state = records_[id].state;
    if (state == PrefixRecord::State::kOpen || state == PrefixRecord::State::kExpanding) {
      visit(records_[id]);
    }
  }
}

template <class Visit>
void PrefixTree::for_each_open_path(Visit&& visit) const {
  Prefix antecedents;
  std::vector<Label> labels;
  for (PrefixId id = root_; id != kNoPrefix;) {
    const PrefixRecord& record = records_[id];
    antecedents.resize(record.length);
    labels.resize(record.length);
    if (record.length > 0) {
      antecedents.back() = record.antecedent;
      labels.back() = record.label;
    }
    if (record.state != PrefixRecord::State::kClosed) visit(record, antecedents, labels);
    PrefixId next = record.first_child;
    for (PrefixId up = id; next == kNoPrefix && up != kNoPrefix; up = records_[up].parent) {
      next = records_[up].next_sibling;
    }
    id = next;
  }
}

template <class Dead>
std::size_t PrefixTree::collect_garbage(Dead&& dead) {
  // Lower bounds only rise along a path, so a dead inner prefix has dead leaves alone: removing the
  // dead leaves and pruning upwards removes the same subtrees as a walk from the root.
  std::size_t removed = 0;
  for (std::size_t id = 0; id < records_.size(); ++id) {
    if (records_[id].state != PrefixRecord::State::kOpen || !dead(records_[id])) continue;
    prune_upwards(static_cast<PrefixId>(id));
    ++removed;
  }
  return removed;
}

}  // namespace surelist
