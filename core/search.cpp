#include "search.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "bits.hpp"
#include "bounds.hpp"
#include "remaining.hpp"

namespace surelist {
namespace {

constexpr std::uint64_t kWorkPerLook = 1u << 20;  // values added between looks at the clock
constexpr double kPollInterval = 0.05;

Length longest_allowed(const Problem& problem, const SearchOptions& options) {
  const Length most = bounds::trivial_length(problem.n_antecedents());
  return std::min(options.max_length.value_or(most), most);
}

}  // namespace

Search::Search(std::shared_ptr<const Problem> problem, SearchOptions options)
    : problem_(std::move(problem)),
      options_(std::move(options)),
      scale_(options_.regularization, problem_->total_weight(), problem_->n_antecedents()),
      infinite_{scale_.of(problem_->total_weight(), longest_allowed(*problem_, options_) + 4)},
      max_length_(longest_allowed(*problem_, options_)),
      tree_(problem_->n_antecedents(), options_.policy != Policy::kRandom),
      map_(*problem_, options_.symmetry),
      beam_(*problem_, scale_, options_.beam_width, max_length_),
      trace_(options_.trace_interval),
      random_(options_.random_state),
      best_(infinite_),
      work_per_count_(problem_->n_groups() * (problem_->n_antecedents() + 64)),
      counter_(*problem_, kernels(options_.kernels)),
      counts_(*problem_),
      child_counts_(*problem_),
      potential_(*problem_),
      last_rule_(*problem_, counter_, kernels(options_.kernels)),
      set_(problem_->group_words()),
      set_cut_(counter_.slices()),
      child_cut_(counter_.slices()),
      viable_(bits::words(problem_->n_antecedents())),
      accepted_(viable_.size()),
      default_costs_(problem_->n_classes()),
      child_set_(problem_->group_words()) {
  offer(objective_of({}), {});
  if (options_.initial_rule_list) {
    const Prefix& initial = *options_.initial_rule_list;
    for (const Antecedent s : initial) {
      if (s >= problem_->n_antecedents()) {
        throw InputError("initial_rule_list names an antecedent that does not exist");
      }
    }
    if (initial.size() <= max_length_) {
      const Objective objective = objective_of(initial);
      if (objective < best_) offer(objective, initial);
    }
  }
  if (max_length_ == 0) return;  // the default rule alone: nothing to search
  PrefixRecord root;
  if (options_.bounds[Bound::kEquivalentPoints]) root.bound_loss = problem_->minority_weight();
  const PrefixId id = tree_.insert(root);
  if (options_.policy != Policy::kRandom) queue_.push(0, id);
  counters_.queue_insertions = 1;
  improved_ = false;
}

Status Search::run(const std::function<void()>& poll) {
  if (status_ == Status::kOptimal) return status_;
  status_ = stop_ = Status::kRunning;
  interrupted_.store(false, std::memory_order_relaxed);
  poll_ = &poll;
  time_before_ = counters_.time;
  started_ = Clock::now();
  next_poll_ = time_before_;
  work_ = kWorkPerLook;  // look at the clock before anything else
  while (status_ == Status::kRunning) {
    if (must_stop()) {
      finish(stop_);
    } else if (!beam_done_) {
      beam_done_ = !beam_.step(
          counter_, counts_, best_,
          [this](Objective objective, Prefix prefix) { offer(objective, std::move(prefix)); });
    } else if (const PrefixId id = next_prefix(); id != kNoPrefix) {
      expand(id);
    } else {
      finish(Status::kOptimal);
    }
  }
  if (poll_error_) std::rethrow_exception(std::exchange(poll_error_, nullptr));
  return status_;
}

// Limits on work and memory are looked at before every expansion: they are exact, not approximate.
bool Search::must_stop() {
  if (out_of_time(1)) return true;
  if (tree_.empty() && beam_done_) return false;  // nothing is left that a limit could prevent
  if (options_.memory_limit && memory() > *options_.memory_limit) {
    stop_ = Status::kMemoryLimit;
  } else if (options_.max_prefixes && beam_done_ &&
             counters_.queue_insertions >= *options_.max_prefixes) {
    stop_ = Status::kPrefixLimit;
  }
  return stop_ != Status::kRunning;
}

// Counts work rather than looking at the clock each time. Long expansions ask, too: one may take
// seconds on a large problem.
bool Search::out_of_time(std::size_t n_counts) {
  work_ += n_counts * work_per_count_;
  if (work_ < kWorkPerLook || stop_ != Status::kRunning) return stop_ != Status::kRunning;
  work_ = 0;
  counters_.time = elapsed();
  counters_.memory = memory();
  counters_.max_memory = std::max(counters_.max_memory, counters_.memory);
  if (trace_.due(counters_.time)) sample(false);
  if (counters_.time >= next_poll_) {
    call_poll();
    next_poll_ = counters_.time + kPollInterval;
  }
  if (stop_ != Status::kRunning || interrupted_.load(std::memory_order_relaxed)) {
    stop_ = Status::kInterrupted;
  } else if (options_.time_limit && counters_.time - time_before_ >= *options_.time_limit) {
    stop_ = Status::kTimeLimit;
  }
  return stop_ != Status::kRunning;
}

// An exception of the caller's must not leave a prefix half expanded: stop in order, then throw it.
void Search::call_poll() {
  try {
    (*poll_)();
  } catch (...) {
    poll_error_ = std::current_exception();
    stop_ = Status::kInterrupted;
  }
}

void Search::finish(Status status) {
  status_ = status;
  counters_.time = elapsed();
  counters_.memory = memory();
  counters_.max_memory = std::max(counters_.max_memory, counters_.memory);
  // What a limit cut off may still be proven: nothing open can beat the incumbent.
  if (lower_bound() == best_) {
    status_ = Status::kOptimal;
  } else if (status == Status::kOptimal) {
    throw std::logic_error("the search ended with prefixes still open");
  }
  if (objective_of(best_prefix_) != best_) {
    throw std::logic_error("the best rule list does not have the objective recorded for it");
  }
  if (trace_.on()) sample(false);
}

PrefixId Search::next_prefix() {
  if (options_.policy == Policy::kRandom) {
    const PrefixId id = tree_.random_leaf(last_expanded_, random_);
    if (id != kNoPrefix) tree_.left_queue(id);
    return id;
  }
  while (!queue_.empty()) {
    const PrefixId id = queue_.pop();
    tree_.left_queue(id);
    if (tree_.is_open(id)) return id;
    tree_.release(id);
  }
  return kNoPrefix;
}

void Search::offer(Objective objective, Prefix prefix) {
  best_ = objective;
  best_prefix_ = std::move(prefix);
  budget_.reset(scale_, best_, max_length_);
  longest_by_objective_ = bounds::length_from_objective(scale_, best_, problem_->n_antecedents());
  improved_ = true;
  ++counters_.improvements;
  if (started_ == Clock::time_point{}) return;  // still constructing
  counters_.time = elapsed();
  counters_.time_to_optimum = counters_.time;
  if (trace_.on()) sample(true);
}

// Whether the bounds in use exclude every extension of an open prefix.
bool Search::prunable(const PrefixRecord& record) const {
  const BoundSet& on = options_.bounds;
  const Weight loss = record.bound_loss;
  return (on[Bound::kHierarchical] &&
          bounds::hierarchical_prunes(loss, budget_.at(record.length))) ||
         (on[Bound::kLookahead] && bounds::lookahead_prunes(loss, budget_.at(record.length + 1)));
}

void Search::collect_garbage() {
  improved_ = false;
  counters_.garbage_collected +=
      tree_.collect_garbage([this](const PrefixRecord& record) { return prunable(record); });
}

Objective Search::lower_bound() const {
  // Everything that starts with an open prefix pays for one more rule: the prefix itself has been
  // evaluated. Everything else has been evaluated or excluded.
  Objective least = best_;
  tree_.for_each_open([&](const PrefixRecord& record) {
    const Objective bound = scale_.of(record.bound_loss, record.length + 1);
    if (bound < least) least = bound;
  });
  return least;
}

Weight Search::loss_of(const Prefix& prefix, RuleListResult* described) const {
  const std::size_t n_classes = problem_->n_classes();
  std::vector<Word> left(problem_->group_words());
  bits::fill(left.data(), problem_->n_groups());
  std::vector<Weight> costs(n_classes);
  Weight loss = 0;
  const auto cheapest = [&](const Word* inside) {
    std::fill(costs.begin(), costs.end(), 0);
    for (std::size_t w = 0; w < left.size(); ++w) {
      const Word chosen = inside == nullptr ? left[w] : left[w] & inside[w];
      bits::for_each(chosen, w * bits::kWord, [&](std::size_t g) {
        for (Label q = 0; q < n_classes; ++q) costs[q] += problem_->cost(g, q);
      });
    }
    const auto least = std::min_element(costs.begin(), costs.end());
    loss += *least;
    return static_cast<Label>(least - costs.begin());
  };
  for (const Antecedent s : prefix) {
    const Label label = cheapest(problem_->captured(s));
    if (described != nullptr) described->labels.push_back(label);
    bits::and_not(left.data(), problem_->captured(s), left.size());
  }
  const Label default_label = cheapest(nullptr);
  if (described != nullptr) described->default_label = default_label;
  return loss;
}

Objective Search::objective_of(const Prefix& prefix) const {
  return scale_.of(loss_of(prefix, nullptr), static_cast<Length>(prefix.size()));
}

RuleListResult Search::best() const {
  RuleListResult result;
  result.prefix = best_prefix_;
  result.loss = loss_of(best_prefix_, &result);
  return result;
}

double Search::elapsed() const {
  return time_before_ + std::chrono::duration<double>(Clock::now() - started_).count();
}

std::size_t Search::memory() const {
  return problem_->nbytes() + counter_.nbytes() + last_rule_.nbytes() + tree_.nbytes() +
         map_.nbytes() + queue_.nbytes();
}

void Search::sample(bool improved) {
  Sample sample;
  sample.counters = counters_;
  sample.objective = scale_.real(best_);
  sample.lower_bound = scale_.real(lower_bound());
  sample.length = static_cast<Length>(best_prefix_.size());
  sample.improved = improved;
  const Remaining remaining = remaining_evaluations(tree_, scale_, best_, problem_->n_antecedents(),
                                                    options_.bounds[Bound::kEquivalentPoints]);
  sample.remaining_fine = remaining.fine;
  sample.remaining_coarse = remaining.coarse;
  sample.queue_logical = tree_.logical();
  sample.queue_physical = tree_.physical();
  trace_.record(std::move(sample));
}

}  // namespace surelist
