#include "proof.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace surelist_checker {
namespace {

constexpr std::size_t chunk = 64;  // states that a thread takes at a time

template <class Counter>
class ProofBy : public Proof {
 public:
  explicit ProofBy(Problem problem)
      : problem_(std::move(problem)),
        counter_(problem_),
        closed_(problem_, tree_),
        table_(problem_, counter_) {
    steps_.push_back({PrefixTree::root, 0, 0, problem_.everything});
  }

  void read(const std::uint8_t* bytes, std::size_t size) override {
    const auto longest = static_cast<std::size_t>(
        std::min(problem_.longest, static_cast<Number>(problem_.n_antecedents)));
    BlockReader reader(bytes, size, problem_.format, problem_.n_antecedents, longest);
    while (reader.next()) {
      std::size_t depth = reader.shared();
      for (const auto antecedent : reader.added()) {
        if (steps_.size() < depth + 2) steps_.emplace_back();
        take_step(steps_[depth], antecedent, tree_.add(steps_[depth].node, antecedent),
                  steps_[depth + 1]);
        ++depth;
      }
      add(steps_[depth], depth, reader.settled());
      ++n_closed_;
    }
    add_waiting();
  }

  Outcome check(std::size_t n_threads, const Watch& watch) override;

  std::size_t n_closed() const override { return n_closed_; }
  std::size_t n_states() const override {
    return problem_.format == 1 ? closed_.records().size() : tree_.n_settled();
  }
  std::vector<std::uint32_t> path(std::uint32_t node) const override { return tree_.path(node); }

 private:
  // A prefix on the way to the one that is read.
  struct Step {
    std::uint32_t node = PrefixTree::root;
    Number cost = 0;
    Word used = 0;
    std::vector<Word> left;
  };

  // States wait a little before they are entered, while memory is read for them.
  struct Waiting {
    Candidate state;
    std::uint32_t node;
  };
  static constexpr std::size_t most_waiting = 32;

  // In format 2 a listed prefix is the beginning of allowed lists. One that only a sibling
  // dominates stands for no other state.
  void add(const Step& step, std::size_t depth, const Settled& settled) {
    if (problem_.format > 1) {
      const auto path = tree_.path(step.node);
      const auto& first = problem_.first;
      if (path.size() < first.size() || !std::equal(first.begin(), first.end(), path.begin()))
        throw std::invalid_argument("a closed prefix does not begin as all lists have to");
      for (const auto antecedent : path)
        if (problem_.forbidden[antecedent])
          throw std::invalid_argument("a closed prefix has a forbidden antecedent");
      tree_.settle(step.node, settled);
      if (settled.reason == Reason::sibling) return;
    }
    const std::size_t i = waiting_.size();
    waiting_left_.resize(most_waiting * problem_.n_words);
    Word* left = waiting_left_.data() + i * problem_.n_words;
    std::copy(step.left.begin(), step.left.end(), left);
    waiting_.push_back({candidate(step, depth), step.node});
    waiting_.back().state.left = left;
    closed_.prefetch(waiting_.back().state.hash);
    if (waiting_.size() == most_waiting) add_waiting();
  }

  void add_waiting() {
    for (const Waiting& each : waiting_) closed_.prefetch_record(each.state.hash);
    for (const Waiting& each : waiting_) closed_.add(each.state, each.node);
    waiting_.clear();
  }

  // The child of a state: (S \ a, g + price_a + rulecost(S & a), used and a).
  void take_step(const Step& parent, std::uint32_t antecedent, std::uint32_t node, Step& child) {
    const Word* captures = problem_.captured_by(antecedent);
    child.left.resize(problem_.n_words);
    captured_.resize(problem_.n_words);
    by_class_.resize(problem_.n_classes);
    for (std::size_t w = 0; w < problem_.n_words; ++w) {
      captured_[w] = parent.left[w] & captures[w];
      child.left[w] = parent.left[w] & ~captures[w];
    }
    counter_.costs(captured_.data(), by_class_.data(), scratch_);
    Number loss = problem_.most_cost;
    for (std::size_t r = 0; r < problem_.n_classes; ++r)
      if (problem_.is_label[r]) loss = std::min(loss, by_class_[r]);
    child.node = node;
    child.cost = parent.cost + problem_.price[antecedent] + loss * problem_.factor;
    child.used = parent.used | problem_.required[antecedent];
  }

  Candidate candidate(const Step& step, std::size_t length) const {
    return {step.left.data(), closed_.hash(step.left.data()), step.cost, step.used,
            static_cast<std::uint32_t>(problem_.limited ? length : 0)};
  }

  bool beginning_is_justified();
  void work(std::atomic<std::size_t>& next, std::atomic<std::size_t>& end);

  Problem problem_;
  Counter counter_;
  PrefixTree tree_;
  ClosedStates closed_;
  PairTable<Counter> table_;
  std::size_t n_closed_ = 0;
  std::vector<std::uint32_t> settled_;  // these, in the order in which they are checked
  std::vector<Step> steps_;
  std::vector<Waiting> waiting_;
  std::vector<Word> waiting_left_;  // of each
  std::vector<Word> captured_, union_;
  std::vector<Number> by_class_;
  typename Counter::Scratch scratch_;

  std::mutex mutex_;
  std::condition_variable finished_;
  std::size_t n_working_ = 0;
  std::atomic<std::size_t> done_ = 0;
  std::optional<Failure> failure_;
  std::exception_ptr error_;
};

// (S): the state of `first` is dominated by a closed state, or bounded.
template <class Counter>
bool ProofBy<Counter>::beginning_is_justified() {
  Step step{PrefixTree::root, 0, 0, problem_.everything}, next;
  for (const auto antecedent : problem_.first) {
    take_step(step, antecedent, PrefixTree::root, next);
    std::swap(step, next);
  }
  const Candidate start = candidate(step, problem_.first.size());
  if (closed_.dominates(start, union_)) return true;
  const State state{step.cost, step.used, problem_.longest - Number{start.length}};
  Justifier<Counter> justifier(problem_, counter_, tree_, closed_);
  return justifier.is_bounded(step.left.data(), state);
}

// Check chunks of states until there are none, or none before the first failure: so the failure
// that is reported does not depend on the number of threads.
template <class Counter>
void ProofBy<Counter>::work(std::atomic<std::size_t>& next, std::atomic<std::size_t>& end) {
  try {
    Settler<Counter> settler(problem_, counter_, tree_, closed_, table_);
    Justifier<Counter>& justifier = settler;
    const bool listed = problem_.format > 1;
    for (std::size_t begin; (begin = next.fetch_add(chunk)) < end;) {
      for (std::size_t i = begin; i < std::min(begin + chunk, end.load()); ++i) {
        if (const auto failure =
                listed ? settler.check(settled_[i]) : justifier.check(closed_.records()[i])) {
          const std::lock_guard lock(mutex_);
          if (i < end) {
            failure_ = failure;
            end = i;
          }
        }
      }
      done_ += chunk;
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    error_ = std::current_exception();
    end = 0;
  }
  const std::lock_guard lock(mutex_);
  if (--n_working_ == 0) finished_.notify_all();
}

template <class Counter>
Proof::Outcome ProofBy<Counter>::check(std::size_t n_threads, const Watch& watch) {
  if (!beginning_is_justified()) return {Failure{Failure::Kind::open_beginning}, false};
  if (!watch(0)) return {std::nullopt, true};
  if (problem_.format > 1 && settled_.empty()) settled_ = tree_.in_order();
  const std::size_t n_states = this->n_states();
  std::atomic<std::size_t> next = 0, end = n_states;
  n_threads = std::max<std::size_t>(1, std::min(n_threads, n_states / chunk + 1));
  failure_.reset();
  error_ = nullptr;
  done_ = 0;
  n_working_ = n_threads;
  std::vector<std::thread> threads;
  threads.reserve(n_threads);
  try {
    while (threads.size() < n_threads) threads.emplace_back([&] { work(next, end); });
  } catch (const std::system_error&) {  // no more threads: those that there are do the work
    const std::lock_guard lock(mutex_);
    n_working_ -= n_threads - threads.size();
    if (threads.empty()) throw;
  }
  bool stopped = false;
  for (std::unique_lock lock(mutex_); n_working_ > 0;) {
    if (finished_.wait_for(lock, std::chrono::milliseconds(100), [&] { return n_working_ == 0; }))
      break;
    lock.unlock();  // `watch` is code of the caller's
    if (!stopped && !watch(std::min(done_.load(), n_states))) {
      stopped = true;
      end = 0;
    }
    lock.lock();
  }
  for (auto& thread : threads) thread.join();
  if (error_) std::rethrow_exception(error_);
  return {failure_, stopped};
}

template <class Counter>
std::unique_ptr<Proof> proof_by(Problem problem) {
  problem.set_stride<typename Counter::Lane>();
  return std::make_unique<ProofBy<Counter>>(std::move(problem));
}

// Operations on vectors for all sums of a set: by rows a few for each group, of which a seventh is
// captured or left, say; by digits one for each antecedent and eight words.
bool digits_take_less(const Problem& problem) {
  const BitCounter digits(problem);
  const std::size_t each = problem.most_cost < 1 << 15 ? 2 : 4;
  const std::size_t rows = problem.n_groups / 7 * digits.n_parts() * problem.stride * each / 64;
  return (problem.n_antecedents + 1) * digits.n_words() / 8 < rows;
}

}  // namespace

std::unique_ptr<Proof> make_proof(Problem problem, const char* counting) {
  constexpr Number most_int16 = 1 << 15, most_int32 = Number{1} << 31;
  const bool chosen = *counting != '\0';
  if (problem.most_cost < most_int32 && (!chosen || std::strcmp(counting, "digits") == 0) &&
      (chosen || digits_take_less(problem)))
    return proof_by<BitCounter>(std::move(problem));
  if (problem.most_cost < most_int16 && problem.n_antecedents < most_int16)
    return proof_by<RowCounter<std::int16_t>>(std::move(problem));
  if (problem.most_cost < most_int32) return proof_by<RowCounter<std::int32_t>>(std::move(problem));
  return proof_by<RowCounter<std::int64_t>>(std::move(problem));
}

}  // namespace surelist_checker
