// Which children enter the tree and the queue: the paper's Algorithm "CheckMapAndInsert".
#include <algorithm>

#include "bounds.hpp"
#include "worker.hpp"

namespace surelist {

void Search::close_locked(Worker& worker, bool with_children) {
  const PrefixId id = worker.task.id;
  // A better prefix with the same captures has taken its place meanwhile; its children do the rest.
  if (!tree_.is_expanding(id)) return tree_.release(id);
  const std::vector<Child>& children = worker.expander.children();
  for (std::size_t i = 0; with_children && i < children.size(); ++i) {
    insert_locked(worker, children[i], i);
  }
  const bool has_children = tree_[id].first_child != kNoPrefix;
  const bool propagate = has_children && context_.on(Bound::kRejection);
  tree_.close(id, propagate ? worker.expander.accepted().data() : nullptr);
  last_expanded_ = has_children ? id : kNoPrefix;
  if (!has_children) tree_.prune_upwards(id);
}

void Search::insert_locked(Worker& worker, const Child& child, std::size_t index) {
  PrefixRecord record;
  record.parent = worker.task.id;
  record.antecedent = child.antecedent;
  record.label = child.label;
  record.length = worker.task.record.length + 1;
  record.prefix_loss = child.prefix_loss;
  record.bound_loss = child.bound_loss;
  if (prunable(record, incumbent_)) return;  // the incumbent has improved meanwhile
  PrefixId superseded = kNoPrefix;
  const bool mapped = map_.kind() != Symmetry::kNone;
  if (mapped && symmetric_to_better(worker, child, index, record.map_entry, superseded)) {
    ++counters_.pruned_by_symmetry;
    return;
  }
  const PrefixId id = tree_.insert(record);
  if (mapped && map_[record.map_entry].prefix == kNoPrefix) map_[record.map_entry].prefix = id;
  if (superseded != kNoPrefix) counters_.garbage_collected += tree_.remove_subtree(superseded);
  ++counters_.queue_insertions;
  counters_.max_queue = std::max<std::uint64_t>(counters_.max_queue, tree_.n_open());
  if (context_.options.policy != Policy::kRandom) {
    queue_.push(queue_key(worker, child, record), id);
  }
}

double Search::queue_key(const Worker& worker, const Child& child,
                         const PrefixRecord& record) const {
  const ObjectiveScale& scale = context_.scale;
  const double total = static_cast<double>(context_.problem->total_weight());
  const Weight left = worker.expander.set_weight() - child.captured;
  QueueKey key;
  key.length = record.length;
  key.lower_bound = scale.real(scale.of(record.bound_loss, record.length));
  key.prefix_bound = scale.real(scale.of(record.prefix_loss, record.length));
  key.objective = scale.real(scale.of(child.prefix_loss + child.default_loss, record.length));
  key.support = 1.0 - static_cast<double>(left) / total;
  return key.of(context_.options.policy);
}

// Looks the child up in the symmetry map. True: a prefix with the same key serves for it. Otherwise
// the map has an entry for the child, and `superseded` names the prefix that the child replaces.
bool Search::symmetric_to_better(Worker& worker, const Child& child, std::size_t index,
                                 std::uint32_t& entry, PrefixId& superseded) {
  bool inserted = false;
  entry = map_.find_or_insert(worker.keys[index], worker.keys.hash(index), inserted);
  SymmetryMap::Entry& known = map_[entry];
  const ObjectiveScale& scale = context_.scale;
  const Length length = worker.task.record.length + 1;
  const Objective bound = scale.of(child.prefix_loss, length);
  const bool limited = context_.options.max_length.has_value();
  if (!inserted) {
    const Objective known_bound = scale.of(known.prefix_loss, known.length);
    if (bounds::equivalent_support_dominates(known_bound, known.length, bound, length, limited)) {
      return true;
    }
    if (known_bound <= bound) return false;  // kept beside a cheaper but longer one
    // The record may have been reused since: then it no longer points to this entry.
    if (known.prefix != kNoPrefix && tree_[known.prefix].map_entry == entry) {
      const PrefixRecord& old = tree_[known.prefix];
      const bool listed =
          old.state != PrefixRecord::State::kFree && old.state != PrefixRecord::State::kDeleted;
      if (listed &&
          bounds::equivalent_support_dominates(bound, length, scale.of(old.prefix_loss, old.length),
                                               old.length, limited)) {
        superseded = known.prefix;
      }
    }
  }
  known.prefix_loss = child.prefix_loss;
  known.length = length;
  known.prefix = kNoPrefix;  // until it is in the tree
  return false;
}

}  // namespace surelist
