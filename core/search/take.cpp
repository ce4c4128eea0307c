// Which open prefixes a worker takes next, and what it needs to expand them.
#include <algorithm>

#include "base/bits.hpp"
#include "search/worker.hpp"

namespace surelist {
namespace {

constexpr std::size_t kBatch = 64;  // prefixes that a worker takes at a time, at most
constexpr std::size_t kBatchAlone = 8;
constexpr std::size_t kMuchMemory = std::size_t{1} << 26;  // a few prefixes more do not matter

}  // namespace

std::size_t Search::batch() const {
  if (workers_.size() > 1) return kBatch;
  const SearchOptions& options = context_.options;
  // One by one if prefixes are counted, memory is short, or the policy's order matters.
  const bool counted = options.max_prefixes || pause_.prefixes ||
                       options.memory_limit.value_or(kMuchMemory) < kMuchMemory;
  return counted || options.policy != Policy::kLowerBound ? 1 : kBatchAlone;
}

// Several prefixes at a time if many are open: the lock is taken less often, and the latency of
// memory is hidden.
bool Search::take_locked(Worker& worker) {
  const std::size_t fair = tree_.n_open() / (4 * workers_.size());
  const std::size_t most = std::clamp<std::size_t>(fair, 1, batch());
  worker.jobs.resize(std::max(worker.jobs.size(), most));
  worker.n_jobs = 0;
  queue_.peek(most, [this](PrefixId id) {
    assert_locked();
    tree_.prefetch(id);
  });
  while (worker.n_jobs < most) {
    const PrefixId id = take_next_locked();
    if (id == kNoPrefix) break;
    Task& task = worker.jobs[worker.n_jobs++].task;
    task.id = id;
    task.record = tree_[id];
  }
  find_paths_locked(worker);
  return worker.n_jobs > 0;
}

// Walks up the paths of all jobs in turns, to hide the latency of memory.
void Search::find_paths_locked(Worker& worker) {
  worker.above.clear();
  for (std::size_t i = 0; i < worker.n_jobs; ++i) {
    Task& task = worker.jobs[i].task;
    task.antecedents.resize(task.record.length);
    task.labels.resize(task.record.length);
    worker.above.push_back(task.id);
  }
  for (bool any = true; any;) {
    any = false;
    for (std::size_t i = 0; i < worker.n_jobs; ++i) {
      PrefixId& id = worker.above[i];
      Task& task = worker.jobs[i].task;
      if (id != kNoPrefix) id = tree_.step_up(id, task.antecedents, task.labels);
      any = any || id != kNoPrefix;
    }
  }
  for (std::size_t i = 0; i < worker.n_jobs; ++i) {
    Task& task = worker.jobs[i].task;
    const Word* viable = tree_.viable(task.record.parent);
    task.viable.clear();
    if (viable == nullptr) continue;
    task.viable.assign(viable, viable + bits::words(context_.problem->n_antecedents()));
  }
}

PrefixId Search::take_next_locked() {
  for (PrefixId id = next_locked(); id != kNoPrefix; id = next_locked()) {
    tree_.take(id);
    ++n_taken_;
    ++n_taken_of_tree_;
    if (!prunable(tree_[id], incumbent_) && !is_dominated(tree_[id])) return id;
    tree_.close(id, nullptr);
    tree_.prune_upwards(id);
  }
  return kNoPrefix;
}

PrefixId Search::next_locked() {
  if (context_.options.policy == Policy::kRandom) {
    constexpr int kTries = 16;  // a path may end at a prefix that another worker expands
    for (int i = 0; i < kTries; ++i) {
      const PrefixId id = tree_.random_leaf(last_expanded_, random_);
      if (id == kNoPrefix || tree_.is_open(id)) return id;
      last_expanded_ = kNoPrefix;
    }
    return kNoPrefix;
  }
  while (!queue_.empty()) {
    const PrefixId id = queue_.pop();
    if (tree_.is_open(id)) return id;
    tree_.left_queue(id);
    tree_.release(id);
  }
  return kNoPrefix;
}

// The expansion was stopped before anything was inserted, so the prefix is open again.
void Search::give_back_locked(PrefixId id) {
  if (!tree_.is_expanding(id)) return tree_.release(id);
  tree_.give_back(id);
  if (context_.options.policy != Policy::kRandom) {
    queue_.push(0, id);
  }
}

}  // namespace surelist
