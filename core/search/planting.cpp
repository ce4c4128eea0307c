// Planting: prefixes from elsewhere are inserted into the tree, that is from a snapshot, from
// another machine, or from a dive that was stopped. Their ancestors that are not in the tree are
// inserted as expanded prefixes.
#include "search/planting.hpp"

#include <algorithm>

#include "base/bits.hpp"
#include "search/worker.hpp"

namespace surelist {

Search::Planter::Planter(Search& search, PrefixId top)
    : tree_(search.tree_),
      queue_(search.context_.options.policy == Policy::kRandom ? nullptr : &search.queue_),
      map_(search.map_),
      counters_(search.counters_),
      first_(search.tree_[top].length),
      path_{top} {}

void Search::Planter::add(const OpenPrefix& open, std::uint32_t map_entry, double key) {
  const Prefix& antecedents = open.antecedents;
  std::size_t shared = 0;  // antecedents after the top
  while (shared + 1 < path_.size() && first_ + shared + 1 < antecedents.size() &&
         tree_[path_[shared + 1]].antecedent == antecedents[first_ + shared]) {
    ++shared;
  }
  path_.resize(shared + 1);
  for (std::size_t i = first_ + shared; i + 1 < antecedents.size(); ++i) {
    PrefixRecord inner;
    inner.parent = path_.back();
    inner.antecedent = antecedents[i];
    inner.label = open.labels[i];
    inner.length = static_cast<Length>(i + 1);
    path_.push_back(tree_.insert(inner));
    tree_.take(path_.back());
    tree_.close(path_.back(), nullptr);
  }
  PrefixRecord record = open.record();
  record.parent = path_.back();
  record.map_entry = map_entry;
  const PrefixId id = tree_.insert(record);
  if (map_entry != kNoEntry) map_.name(map_entry, id);
  counters_.max_queue = std::max<std::uint64_t>(counters_.max_queue, tree_.n_open());
  if (queue_ != nullptr) queue_->push(key, id);
}

// Replaces the whole tree; the prefixes come before all others in the queue, or in the order of the
// policy.
void Search::replant_locked(std::string_view prefixes, PlantOrder order) {
  const Problem& problem = *context_.problem;
  const bool queued = context_.options.policy != Policy::kRandom;
  tree_ = PrefixTree(problem.n_antecedents(), queued);
  queue_ = Queue();
  last_expanded_ = kNoPrefix;
  OpenPrefixReader reader(prefixes, problem.n_antecedents(), problem.n_classes());
  OpenPrefix open;
  if (!reader.next(open)) return;
  const PrefixId root = tree_.insert(open.antecedents.empty() ? open.record() : PrefixRecord{});
  if (open.antecedents.empty()) {
    if (queued) queue_.push(0, root);
    return;
  }
  tree_.take(root);
  tree_.close(root, nullptr);
  Planter planter(*this, root);
  do {
    planter.add(open, kNoEntry, order == PlantOrder::kFirst ? 0 : planted_key(open));
  } while (reader.next(open));
}

void Search::plant_below_locked(PrefixId id, const std::vector<Task>& tasks) {
  if (tasks.empty()) return;
  Planter planter(*this, id);
  for (const Task& task : tasks) {
    const PrefixRecord& record = task.record;
    if (prunable(record, incumbent_)) continue;
    const OpenPrefix open{task.antecedents, task.labels, record.prefix_loss, record.bound_loss};
    planter.add(open, kNoEntry, planted_key(open));
    ++counters_.queue_insertions;
  }
}

// Like queue_key, for a prefix without its parent's counts.
double Search::planted_key(const OpenPrefix& open) const {
  const Problem& problem = *context_.problem;
  const ObjectiveScale& scale = context_.scale;
  QueueKey key;
  key.length = static_cast<Length>(open.antecedents.size());
  key.longest = context_.max_length;
  key.lower_bound = scale.real(scale.of(open.bound_loss, key.length));
  key.prefix_bound = scale.real(scale.of(open.prefix_loss, key.length));
  const Policy policy = context_.options.policy;
  if (policy == Policy::kObjective || policy == Policy::kCuriosity) {
    std::vector<Word> set(problem.group_words());
    bits::fill(set.data(), problem.n_groups());
    for (const Antecedent s : open.antecedents) {
      bits::and_not(set.data(), problem.captured(s), set.size());
    }
    std::vector<Weight> costs(problem.n_classes(), 0);
    Weight left = 0;
    bits::for_each(set.data(), set.size(), [&](std::size_t g) {
      for (Label q = 0; q < costs.size(); ++q) costs[q] += problem.cost(g, q);
      left += problem.weight(g);
    });
    const Weight rest = *std::min_element(costs.begin(), costs.end());
    key.objective = scale.real(scale.of(open.prefix_loss + rest, key.length));
    key.support = 1.0 - static_cast<double>(left) / static_cast<double>(problem.total_weight());
  }
  return key.of(policy);
}

}  // namespace surelist
