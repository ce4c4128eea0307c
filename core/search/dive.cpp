// Diving: depth-first search without memory. Below a prefix, everything is searched with a stack,
// and nothing enters the tree, the map or the queue. It takes almost no memory, but more time: of
// symmetric prefixes, only those that the map has already are recognised.
#include <utility>

#include "search/worker.hpp"

namespace surelist {

bool Search::must_dive_locked() const {
  const std::optional<std::size_t>& limit = context_.options.memory_limit;
  if (!limit) return false;
  // Children that may be added before this is tested again.
  const std::size_t most = context_.problem->n_antecedents() * batch();
  const std::size_t growth = tree_.growth(most) + map_.growth(most) + queue_.growth(most);
  // Other workers may insert as many at the same time.
  return memory_locked() + growth * workers_.size() > *limit;
}

// False on a stop. Then the stack has what is left to do, so that nothing is done twice.
bool Search::dive(Worker& worker, const Task& top, std::vector<Task>& stack) {
  push_children(worker, top, stack);
  while (!stack.empty()) {
    if (worker.must_stop()) return false;
    const Task task = std::move(stack.back());
    stack.pop_back();
    Objective best;
    {
      const Lock locked(mutex_);
      best = incumbent_.objective;
      if (prunable(task.record, incumbent_)) continue;
    }
    ++worker.expander.counters().dived;
    if (!worker.expander.expand(task, best)) {
      stack.push_back(task);
      return false;
    }
    push_children(worker, task, stack);
  }
  return true;
}

void Search::push_children(Worker& worker, const Task& parent, std::vector<Task>& stack) {
  find_new(worker, parent);
  for (std::size_t i = worker.fresh.size(); i-- > 0;) {  // so that the best is on top
    make_task(parent, worker.expander.children()[worker.fresh[i]], worker.expander.accepted(),
              stack.emplace_back());
  }
}

}  // namespace surelist
