// Records are reused through a free list, and linked to parent, first child and siblings.
#include "store/prefix_tree.hpp"

#include <algorithm>

#include "base/bits.hpp"

namespace surelist {

using State = PrefixRecord::State;

PrefixTree::PrefixTree(std::size_t n_antecedents, bool queued)
    : queued_(queued), viable_(bits::words(n_antecedents)) {}

PrefixId PrefixTree::insert(const PrefixRecord& record) {
  PrefixId id = free_;
  if (id != kNoPrefix) {
    free_ = records_[id].next_sibling;
    records_[id] = record;
  } else {
    if (records_.size() >= kNoPrefix) throw std::length_error("more than 4 billion prefixes");
    id = static_cast<PrefixId>(records_.size());
    records_.push_back(record);
  }
  PrefixRecord& inserted = records_[id];
  inserted.state = State::kOpen;
  if (record.parent == kNoPrefix) {
    root_ = id;
  } else {
    PrefixRecord& parent = records_[record.parent];
    inserted.next_sibling = parent.first_child;
    if (parent.first_child != kNoPrefix) records_[parent.first_child].previous_sibling = id;
    parent.first_child = id;
  }
  if (inserted.length >= logical_.size()) {
    logical_.resize(inserted.length + 1, 0);
    physical_.resize(inserted.length + 1, 0);
  }
  ++logical_[inserted.length];
  ++physical_[inserted.length];
  ++n_open_;
  return id;
}

void PrefixTree::path(PrefixId id, Prefix& antecedents, std::vector<Label>& labels) const {
  antecedents.resize(records_[id].length);
  labels.resize(records_[id].length);
  while (id != kNoPrefix) id = step_up(id, antecedents, labels);
}

PrefixId PrefixTree::step_up(PrefixId id, Prefix& antecedents, std::vector<Label>& labels) const {
  const PrefixRecord& record = records_[id];
  if (record.parent == kNoPrefix) return kNoPrefix;
  antecedents[record.length - 1] = record.antecedent;
  labels[record.length - 1] = record.label;
  prefetch(record.parent);
  return record.parent;
}

void PrefixTree::take(PrefixId id) {
  records_[id].state = State::kExpanding;
  --physical_[records_[id].length];
}

void PrefixTree::give_back(PrefixId id) {
  records_[id].state = State::kOpen;
  ++physical_[records_[id].length];
}

void PrefixTree::close(PrefixId id, const Word* viable) {
  PrefixRecord& record = records_[id];
  record.state = State::kClosed;
  --logical_[record.length];
  --n_open_;
  if (viable == nullptr) return;
  if (free_viable_.empty()) {
    record.viable = static_cast<std::uint32_t>(viable_.append());
  } else {
    record.viable = free_viable_.back();
    free_viable_.pop_back();
  }
  std::copy_n(viable, viable_.record_size(), viable_[record.viable]);
}

const Word* PrefixTree::viable(PrefixId id) const {
  if (id == kNoPrefix || records_[id].viable == kNoEntry) return nullptr;
  return viable_[records_[id].viable];
}

void PrefixTree::prune_upwards(PrefixId id) {
  while (id != kNoPrefix && records_[id].first_child == kNoPrefix) {
    const PrefixId parent = records_[id].parent;
    unlink(id);
    discard(id);
    id = parent;
    // An ancestor that is still being expanded may get other children.
    if (id != kNoPrefix && records_[id].state != State::kClosed) return;
  }
}

std::size_t PrefixTree::remove_subtree(PrefixId top) {
  const PrefixId parent = records_[top].parent;
  unlink(top);
  std::size_t removed = 0;
  std::vector<PrefixId> pending{top};
  while (!pending.empty()) {
    const PrefixId id = pending.back();
    pending.pop_back();
    for (PrefixId c = records_[id].first_child; c != kNoPrefix; c = records_[c].next_sibling) {
      pending.push_back(c);
    }
    discard(id);
    ++removed;
  }
  if (parent != kNoPrefix && records_[parent].state == State::kClosed) prune_upwards(parent);
  return removed;
}

void PrefixTree::release(PrefixId id) { free(id); }

PrefixId PrefixTree::random_leaf(PrefixId start, std::mt19937_64& random) const {
  if (root_ == kNoPrefix) return kNoPrefix;
  PrefixId id = start == kNoPrefix || records_[start].state == State::kFree ? root_ : start;
  while (records_[id].state == State::kClosed) {
    PrefixId chosen = kNoPrefix;
    std::uint64_t seen = 0;
    for (PrefixId c = records_[id].first_child; c != kNoPrefix; c = records_[c].next_sibling) {
      if (random() % ++seen == 0) chosen = c;
    }
    id = chosen;
  }
  return id;
}

std::size_t PrefixTree::nbytes() const {
  return records_.nbytes() + viable_.nbytes() + free_viable_.capacity() * sizeof(std::uint32_t);
}

void PrefixTree::unlink(PrefixId id) {
  PrefixRecord& record = records_[id];
  if (id == root_) root_ = kNoPrefix;
  if (record.previous_sibling != kNoPrefix) {
    records_[record.previous_sibling].next_sibling = record.next_sibling;
  } else if (record.parent != kNoPrefix) {
    records_[record.parent].first_child = record.next_sibling;
  }
  if (record.next_sibling != kNoPrefix) {
    records_[record.next_sibling].previous_sibling = record.previous_sibling;
  }
}

void PrefixTree::discard(PrefixId id) {
  PrefixRecord& record = records_[id];
  if (record.state == State::kClosed) return free(id);
  --logical_[record.length];
  --n_open_;
  if (queued_ || record.state == State::kExpanding) {
    record.state = State::kDeleted;
  } else {
    --physical_[record.length];
    free(id);
  }
}

void PrefixTree::free(PrefixId id) {
  PrefixRecord& record = records_[id];
  if (record.viable != kNoEntry) free_viable_.push_back(record.viable);
  record = PrefixRecord{};
  record.next_sibling = free_;
  free_ = id;
}

}  // namespace surelist
