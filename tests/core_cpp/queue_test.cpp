// The queue against a plain model of it: the lowest bucket first, within a bucket the newest first;
// and the keys of the policies.
#include "store/queue.hpp"

#include <algorithm>
#include <map>
#include <random>

#include "check.hpp"

using surelist::Policy;
using surelist::PrefixId;
using surelist::Queue;
using surelist::QueueKey;

namespace {

constexpr double kBuckets = 1 << 14;

std::size_t bucket_of(double key) {
  return std::min(static_cast<std::size_t>(std::clamp(key, 0.0, 1.0) * kBuckets),
                  static_cast<std::size_t>(kBuckets) - 1);
}

class Model {
 public:
  void push(double key, PrefixId prefix) { buckets_[bucket_of(key)].push_back(prefix); }
  PrefixId pop() {
    const auto lowest = buckets_.begin();
    const PrefixId prefix = lowest->second.back();
    lowest->second.pop_back();
    if (lowest->second.empty()) buckets_.erase(lowest);
    return prefix;
  }
  const std::vector<PrefixId>& lowest() const { return buckets_.begin()->second; }
  bool empty() const { return buckets_.empty(); }

 private:
  std::map<std::size_t, std::vector<PrefixId>> buckets_;
};

// What is peeked at is what is popped next, at most as many as asked for, and at least one.
void check_peek(const Queue& queue, const Model& model) {
  std::vector<PrefixId> seen;
  queue.peek(5, [&](PrefixId prefix) { seen.push_back(prefix); });
  const std::vector<PrefixId>& lowest = model.lowest();
  CHECK(!seen.empty());
  CHECK(seen.size() <= std::min<std::size_t>(5, lowest.size()));
  CHECK(std::equal(seen.begin(), seen.end(), lowest.rbegin()));
}

void agrees_with_model(std::uint64_t seed, double spread) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> key(-0.1, spread);
  Queue queue;
  Model model;
  for (PrefixId prefix = 0; prefix < 20'000; ++prefix) {
    const double chosen = key(random);
    queue.push(chosen, prefix);
    model.push(chosen, prefix);
    for (std::uint64_t n = random() % 3; n > 0 && !model.empty(); --n) {
      check_peek(queue, model);
      CHECK(queue.pop() == model.pop());
    }
    CHECK(queue.empty() == model.empty());
  }
  for (; !model.empty(); CHECK(queue.pop() == model.pop())) {
  }
  CHECK(queue.empty());
  queue.peek(3, [](PrefixId) { CHECK(false); });
}

void memory_is_announced_and_used_again() {
  Queue queue;
  std::size_t before = queue.nbytes();
  const std::size_t announced = queue.growth(5000);
  for (PrefixId prefix = 0; prefix < 5000; ++prefix) queue.push(prefix / 5000.0, prefix);
  CHECK(queue.nbytes() <= before + announced);
  before = queue.nbytes();
  for (int i = 0; i < 5000; ++i) queue.pop();
  for (PrefixId prefix = 0; prefix < 5000; ++prefix) queue.push(prefix / 5000.0, prefix);
  CHECK(queue.nbytes() == before);
}

}  // namespace

void test_queue() {
  agrees_with_model(1, 1.1);
  agrees_with_model(2, 1e-3);  // few buckets, deep stacks
  memory_is_announced_and_used_again();
}

void test_queue_keys() {
  QueueKey key;
  key.length = 2;
  key.longest = 9;
  key.lower_bound = 0.25;
  key.prefix_bound = 0.2;
  key.objective = 0.5;
  key.support = 0.6;
  CHECK(key.of(Policy::kLowerBound) == 0.25);
  CHECK(key.of(Policy::kObjective) == 0.5);
  CHECK(key.of(Policy::kRandom) == 0);
  CHECK(key.of(Policy::kCuriosity) == 0.2 / (0.2 + 0.6));
  QueueKey longer = key;
  ++longer.length;
  CHECK(key.of(Policy::kBreadthFirst) < longer.of(Policy::kBreadthFirst));
  CHECK(key.of(Policy::kDepthFirst) > longer.of(Policy::kDepthFirst));
  QueueKey worse = key;
  worse.lower_bound = 1.5;  // costs may make bounds of more than one: still before shorter prefixes
  CHECK(key.of(Policy::kDepthFirst) < worse.of(Policy::kDepthFirst));
  CHECK(longer.of(Policy::kDepthFirst) < key.of(Policy::kDepthFirst));
  QueueKey empty = key;
  empty.support = 0;
  CHECK(empty.of(Policy::kCuriosity) == 1);
  for (std::size_t p = 0; p < surelist::kPolicyNames.size(); ++p) {
    CHECK(key.of(static_cast<Policy>(p)) >= 0);
    CHECK(key.of(static_cast<Policy>(p)) <= 1);
  }
}
