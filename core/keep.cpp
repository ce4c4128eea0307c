// Which children stay: dominance among siblings, then the symmetry map, then tree and queue (the
// paper's Algorithm "CheckMapAndInsert").
#include <algorithm>

#include "bits.hpp"
#include "bounds.hpp"
#include "search.hpp"

namespace surelist {

void Search::keep_children(PrefixId parent) {
  const BoundSet& on = options_.bounds;
  if (children_.size() > 1 && (on[Bound::kSimilarSupport] || on[Bound::kOneSidedSupport])) {
    drop_similar_siblings();
  }
  for (const Child& child : children_) insert(parent, child);
}

// Similar support among siblings. Only children that stay may dominate others, and the best come
// first, so nothing is dropped on the word of something that was dropped itself.
void Search::drop_similar_siblings() {
  const auto spread = [this](const Child& child) {
    return counts_.ceiling()[child.antecedent] - counts_.floor()[child.antecedent];
  };
  std::sort(children_.begin(), children_.end(), [&](const Child& a, const Child& b) {
    const Weight x = a.prefix_loss + a.minority;
    const Weight y = b.prefix_loss + b.minority;
    if (x != y) return x < y;
    return spread(a) != spread(b) ? spread(a) > spread(b) : a.antecedent < b.antecedent;
  });
  std::size_t n_kept = 0;
  for (const Child& child : children_) {
    const bool dominated =
        std::any_of(children_.begin(), children_.begin() + static_cast<std::ptrdiff_t>(n_kept),
                    [&](const Child& kept) { return dominated_by_sibling(child, kept); });
    if (!dominated) children_[n_kept++] = child;
  }
  children_.resize(n_kept);
}

bool Search::dominated_by_sibling(const Child& child, const Child& kept) {
  const BoundSet& on = options_.bounds;
  const Antecedent a = child.antecedent;
  const Antecedent b = kept.antecedent;
  const auto drop = [this](Bound bound) {
    counters_.prune(bound);
    return true;
  };
  if (on[Bound::kSimilarSupport]) {
    const Weight lead = child.prefix_loss - kept.prefix_loss;
    if (lead >= std::abs(child.captured - kept.captured)) {  // else ω + Ω is more than the lead
      const Weight only_child = sum_outside(a, b, false, lead);
      const Weight exclusive = 2 * only_child + kept.captured - child.captured;
      if (bounds::similar_support_dominates(kept.prefix_loss, child.prefix_loss, exclusive)) {
        return drop(Bound::kSimilarSupport);
      }
    }
  }
  if (on[Bound::kOneSidedSupport]) {
    const Weight lead = child.prefix_loss + child.minority - kept.prefix_loss - kept.minority;
    const Weight child_spread = counts_.ceiling()[a] - counts_.floor()[a];
    const Weight kept_spread = counts_.ceiling()[b] - counts_.floor()[b];
    if (lead < 0 || lead < child_spread - kept_spread) return false;
    if (bounds::one_sided_support_dominates(kept.prefix_loss + kept.minority,
                                            child.prefix_loss + child.minority,
                                            sum_outside(a, b, true, lead))) {
      return drop(Bound::kOneSidedSupport);
    }
  }
  return false;
}

// Weight (or spread of cost) of the groups in the set that `inside` captures and `outside` does
// not. Gives up, with some number above `most`, as soon as it is passed.
Weight Search::sum_outside(Antecedent inside, Antecedent outside, bool spread, Weight most) const {
  const Word* a = problem_->captured(inside);
  const Word* b = problem_->captured(outside);
  Weight sum = 0;
  for (std::size_t w = 0; w < set_.size() && sum <= most; ++w) {
    bits::for_each(set_[w] & a[w] & ~b[w], w * bits::kWord, [&](std::size_t g) {
      sum += spread ? problem_->ceiling(g) - problem_->floor(g) : problem_->weight(g);
    });
  }
  return sum;
}

void Search::insert(PrefixId parent, const Child& child) {
  PrefixRecord record;
  record.parent = parent;
  record.antecedent = child.antecedent;
  record.label = child.label;
  record.length = parent_.length + 1;
  record.prefix_loss = child.prefix_loss;
  record.bound_loss = child.bound_loss;
  if (prunable(record)) return;  // the incumbent has improved since the child was looked at
  PrefixId superseded = kNoPrefix;
  if (map_.kind() != Symmetry::kNone) {
    if (symmetric_to_better(child, record.map_entry, superseded)) {
      ++counters_.pruned_by_symmetry;
      return;
    }
  }
  const PrefixId id = tree_.insert(record);
  if (map_.kind() != Symmetry::kNone && map_[record.map_entry].prefix == kNoPrefix) {
    map_[record.map_entry].prefix = id;
  }
  if (superseded != kNoPrefix) counters_.garbage_collected += tree_.remove_subtree(superseded);
  ++counters_.queue_insertions;
  counters_.max_queue = std::max<std::uint64_t>(counters_.max_queue, tree_.n_open());
  if (options_.policy == Policy::kRandom) return;
  const double total = static_cast<double>(problem_->total_weight());
  const Weight left = counts_.weight()[counts_.total()] - child.captured;
  QueueKey key;
  key.length = record.length;
  key.lower_bound = scale_.real(scale_.of(record.bound_loss, record.length));
  key.prefix_bound = scale_.real(scale_.of(record.prefix_loss, record.length));
  key.objective = scale_.real(scale_.of(child.prefix_loss + child.default_loss, record.length));
  key.support = 1.0 - static_cast<double>(left) / total;
  queue_.push(key.of(options_.policy), id);
}

// Looks the child up in the symmetry map. True: a prefix with the same key serves for it. Otherwise
// the map has an entry for the child, and `superseded` names the prefix that the child replaces.
bool Search::symmetric_to_better(const Child& child, std::uint32_t& entry, PrefixId& superseded) {
  const Length length = parent_.length + 1;
  child_set_ = set_;
  bits::and_not(child_set_.data(), problem_->captured(child.antecedent), child_set_.size());
  child_antecedents_ = parent_antecedents_;
  child_antecedents_.push_back(child.antecedent);
  bool inserted = false;
  entry = map_.find_or_insert(child_antecedents_, child_set_.data(), inserted);
  SymmetryMap::Entry& known = map_[entry];
  const Objective bound = scale_.of(child.prefix_loss, length);
  const bool limited = options_.max_length.has_value();
  if (!inserted) {
    const Objective known_bound = scale_.of(known.prefix_loss, known.length);
    if (bounds::equivalent_support_dominates(known_bound, known.length, bound, length, limited)) {
      return true;
    }
    if (known_bound <= bound) return false;  // kept beside a cheaper but longer one
    // The record may have been reused since: then it no longer points to this entry.
    if (known.prefix != kNoPrefix && tree_[known.prefix].map_entry == entry) {
      const PrefixRecord& old = tree_[known.prefix];
      const bool listed =
          old.state == PrefixRecord::State::kOpen || old.state == PrefixRecord::State::kClosed;
      if (listed &&
          bounds::equivalent_support_dominates(
              bound, length, scale_.of(old.prefix_loss, old.length), old.length, limited)) {
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
