// Which children enter the tree and the queue: the paper's Algorithm "CheckMapAndInsert". Keys are
// looked up and claimed without the search's lock; only inserting takes it.
#include <algorithm>
#include <stdexcept>

#include "search/worker.hpp"

namespace surelist {
namespace {

// With a memory limit, parts of it (one in …): open prefixes may fill so much before the search
// goes depth first; the map may fill so much before it takes no more prefixes that were expanded in
// place, or that a bound excluded. Those save time only, the others memory, too.
constexpr std::size_t kOpenPart = 4;
constexpr std::size_t kAtOncePart = 2;
constexpr std::size_t kSettledPart = 4;

}  // namespace

// Expands the worker's prefixes, without the lock. A job that is not done, because of a stop or an
// exception, leaves its prefix open.
void Search::expand(Worker& worker, Objective best) {
  for (std::size_t i = 0; i < worker.n_jobs; ++i) worker.jobs[i].done = false;
  try {
    for (std::size_t i = 0; i < worker.n_jobs; ++i) {
      Job& job = worker.jobs[i];
      job.children.clear();
      job.left.clear();
      if (worker.must_stop() || !worker.expander.expand(job.task, best)) return;
      job.accepted = worker.expander.accepted();
      job.set_weight = worker.expander.set_weight();
      if (worker.is_diving) {
        job.done = true;
        if (!dive(worker, job.task, job.left)) return;
        continue;
      }
      find_new(worker, job.task);
      claim_places(worker, job);
      job.done = true;
      best = std::min(best, worker.expander.best());
      if (!expand_at_once(worker, job, best)) return;
    }
  } catch (...) {
    fail(std::current_exception());
  }
}

// Claims entries in the map for children that need a place in the tree; others are expanded in
// place.
void Search::claim_places(Worker& worker, Job& job) {
  worker.at_once.clear();
  for (const std::size_t c : worker.fresh) {
    const Child& child = worker.expander.children()[c];
    if (worker.expander.at_most_two_more(child)) {
      worker.at_once.push_back({child, c});
      continue;
    }
    const SymmetryMap::Price price{child.prefix_loss, job.task.record.length + 1};
    job.children.push_back({child, {}});
    SymmetryMap::Place& place = job.children.back().place;
    if (map_.claim(worker.keys[c], worker.keys.hash(c), price, place)) continue;
    ++worker.expander.counters().pruned_by_symmetry;
    job.children.pop_back();
  }
}

// Most prefixes can have at most two more rules. All their children are evaluated in place, so
// these prefixes are expanded at once and need only an entry in the map. False on a stop: those
// that are left then enter the tree.
bool Search::expand_at_once(Worker& worker, Job& job, Objective best) {
  Task& task = worker.task_at_once;
  for (std::size_t i = 0; i < worker.at_once.size(); ++i) {
    const auto& [child, c] = worker.at_once[i];
    make_task(job.task, child, job.accepted, task);
    if (worker.must_stop() || !worker.expander.expand(task, best)) {
      for (; i < worker.at_once.size(); ++i) {
        make_task(job.task, worker.at_once[i].child, job.accepted, job.left.emplace_back());
      }
      return false;
    }
    if (!worker.expander.children().empty()) throw std::logic_error("a prefix had rules to go");
    if (!worker.expander.pruned_by_gain() && !worker.expander.pruned_by_last_pair()) {
      ++worker.expander.counters().at_once;
    }
    log_settled(worker, task.antecedents, {});
    best = std::min(best, worker.expander.best());
    remember(worker, c, {child.prefix_loss, task.record.length}, kAtOncePart);
  }
  return true;
}

// Enters a prefix that is not in the tree into the map, so that no other with its key is expanded.
void Search::remember(Worker& worker, std::size_t c, SymmetryMap::Price price, std::size_t part) {
  const std::optional<std::size_t>& limit = context_.options.memory_limit;
  if (worker.is_diving || (limit && map_.nbytes() > *limit / part)) return;
  SymmetryMap::Place place;
  map_.claim(worker.keys[c], worker.keys.hash(c), price, place);
}

// The task of expanding a child that is not in the tree.
void Search::make_task(const Task& parent, const Child& child, const Aligned<Word>& accepted,
                       Task& task) const {
  task.record = child.record(parent.record.length + 1);
  task.antecedents = parent.antecedents;
  task.antecedents.push_back(child.antecedent);
  task.labels = parent.labels;
  task.labels.push_back(child.label);
  if (context_.on(Bound::kRejection)) task.viable = accepted;
}

// The expander's children that no prefix in the map dominates, no edit improves and no slower bound
// excludes. Logs the prefix, and what is excluded for a reason that a checker could not find.
void Search::find_new(Worker& worker, const Task& parent) {
  Expander& expander = worker.expander;
  const std::vector<Child>& children = expander.children();
  worker.fresh.clear();
  worker.make_keys(parent.antecedents);
  for (const Siblings::Dropped& dropped : expander.dropped()) {
    log_child(worker, parent, dropped.antecedent, {Reason::kSibling, dropped.by});
  }
  for (std::size_t c = 0; c < children.size(); ++c) map_.prefetch(worker.keys.hash(c));
  for (std::size_t c = 0; c < children.size(); ++c) map_.prefetch_entry(worker.keys.hash(c));
  for (std::size_t c = 0; c < children.size(); ++c) {
    if (is_new(worker, parent, c)) worker.fresh.push_back(c);
  }
  Settled settled;
  if (!worker.fresh.empty()) {
    if (const std::optional<Antecedent> inserted = expander.to_insert()) {
      settled = {Reason::kInsertion, *inserted};
      worker.fresh.clear();
    }
  }
  log_settled(worker, parent.antecedents, settled);
  std::erase_if(worker.fresh, [&](std::size_t c) {
    // With tens of thousands of antecedents, these tests may take seconds for one prefix.
    if (worker.must_stop()) return false;
    const bool replaced =
        !expander.at_most_two_more(children[c]) && expander.replacement_prunes(children[c]);
    if (!replaced) {
      if (!expander.relaxation_prunes(children[c])) return false;
      log_child(worker, parent, children[c].antecedent, {Reason::kRelaxation});
    }
    remember(worker, c, {children[c].prefix_loss, parent.record.length + 1}, kSettledPart);
    return true;
  });
}

// Whether a child is neither dominated by a prefix in the map nor improved by a deletion, and two
// rules may gain enough.
bool Search::is_new(Worker& worker, const Task& parent, std::size_t c) {
  Expander& expander = worker.expander;
  const Child& child = expander.children()[c];
  const SymmetryMap::Price price{child.prefix_loss, parent.record.length + 1};
  if (map_.is_dominated(worker.keys[c], worker.keys.hash(c), price)) {
    ++expander.counters().pruned_by_symmetry;
    return false;
  }
  if (const std::optional<std::size_t> place = expander.to_delete(child)) {
    log_child(worker, parent, child.antecedent,
              {Reason::kDeletion, static_cast<std::uint32_t>(*place)});
    return false;
  }
  if (!expander.last_pair_prunes_child(child)) return true;
  log_child(worker, parent, child.antecedent, {});
  remember(worker, c, price, kSettledPart);
  return false;
}

// Prefixes that are logged below a prefix that stays open, because of a stop, do no harm: their
// bounds are at least that prefix's, and so at least the lower bound that is proven then.
void Search::log_child(Worker& worker, const Task& parent, Antecedent last, Settled settled) {
  if (!closed_log_) return;
  worker.closed.add(parent.antecedents, last, settled);
  if (ClosedLog::is_full(worker.closed)) closed_log_->write(worker.closed);
}

// The expanded prefix itself. What its gain excludes a checker sees from its counts.
void Search::log_settled(Worker& worker, const Prefix& prefix, Settled settled) {
  if (!closed_log_ || worker.expander.pruned_by_gain()) return;
  worker.closed.add(prefix, settled);
  if (ClosedLog::is_full(worker.closed)) closed_log_->write(worker.closed);
}

void Search::close_locked(Worker& worker) {
  for (std::size_t i = 0; i < worker.n_jobs; ++i) {
    const Job& job = worker.jobs[i];
    const PrefixId id = job.task.id;
    if (!job.done) {
      give_back_locked(id);
      continue;
    }
    // Meanwhile a prefix with the same captures has come to dominate it, and has removed it.
    if (!tree_.is_expanding(id)) {
      tree_.release(id);
      continue;
    }
    for (const Job::Candidate& candidate : job.children) {
      insert_locked(job.task, candidate.child, candidate.place, job.set_weight);
    }
    plant_below_locked(id, job.left);
    const bool has_children = tree_[id].first_child != kNoPrefix;
    const bool propagate = has_children && context_.on(Bound::kRejection);
    tree_.close(id, propagate ? job.accepted.data() : nullptr);
    last_expanded_ = has_children ? id : kNoPrefix;
    if (!has_children) tree_.prune_upwards(id);
  }
}

void Search::insert_locked(const Task& task, const Child& child, const SymmetryMap::Place& place,
                           Weight set_weight) {
  PrefixRecord record = child.record(task.record.length + 1);
  record.parent = task.id;
  record.map_entry = place.entry;
  if (prunable(record, incumbent_)) return;  // the incumbent has improved meanwhile
  const PrefixId id = tree_.insert(record);
  if (place.entry != kNoEntry) map_.name(place.entry, id);
  if (supersedes_locked(record, place.replaced)) {
    counters_.garbage_collected += tree_.remove_subtree(place.replaced);
  }
  ++counters_.queue_insertions;
  counters_.max_queue = std::max<std::uint64_t>(counters_.max_queue, tree_.n_open());
  if (context_.options.policy != Policy::kRandom) {
    queue_.push(is_crowded_locked() ? 0 : queue_key(child, record, set_weight), id);
  }
}

// Whether the prefix that the map named before is still in the tree and is dominated. Its record
// may have been reused since: then it has another map entry, or is not dominated.
bool Search::supersedes_locked(const PrefixRecord& record, PrefixId old_id) const {
  if (old_id == kNoPrefix || context_.certifies()) return false;
  const PrefixRecord& old = tree_[old_id];
  const bool listed =
      old.state != PrefixRecord::State::kFree && old.state != PrefixRecord::State::kDeleted;
  const SymmetryMap::Price price{record.prefix_loss, record.length};
  const SymmetryMap::Price old_price{old.prefix_loss, old.length};
  return listed && old.map_entry == record.map_entry && map_.dominates(price, old_price) &&
         !map_.dominates(old_price, price);
}

// Whether a cheaper prefix with the same key dominates an open one. Only with a log of closed
// prefixes: otherwise it would have been removed from the tree.
bool Search::is_dominated(const PrefixRecord& record) const {
  if (!context_.certifies() || record.map_entry == kNoEntry) return false;
  const SymmetryMap::Price kept = map_.price(record.map_entry);
  const SymmetryMap::Price price{record.prefix_loss, record.length};
  return map_.dominates(kept, price) && !map_.dominates(price, kept);
}

// Whether open prefixes take so much memory that the search goes depth first, whatever the policy.
// Depth first, few prefixes are open; unlike in a dive, the map still recognises symmetric ones.
bool Search::is_crowded_locked() const {
  const std::optional<std::size_t>& limit = context_.options.memory_limit;
  return limit && tree_.n_open() > *limit / kOpenPart / sizeof(PrefixRecord);
}

double Search::queue_key(const Child& child, const PrefixRecord& record, Weight set_weight) const {
  const ObjectiveScale& scale = context_.scale;
  const double total = static_cast<double>(context_.problem->total_weight());
  const Weight left = set_weight - child.captured;
  QueueKey key;
  key.length = record.length;
  key.longest = context_.max_length;
  key.lower_bound = scale.real(scale.of(record.bound_loss, record.length));
  key.prefix_bound = scale.real(scale.of(record.prefix_loss, record.length));
  key.objective = scale.real(scale.of(child.prefix_loss + child.default_loss, record.length));
  key.support = 1.0 - static_cast<double>(left) / total;
  return key.of(context_.options.policy);
}

}  // namespace surelist
