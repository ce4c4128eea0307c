#include "queue.hpp"

#include <algorithm>
#include <bit>

#include "bits.hpp"

namespace surelist {
namespace {

constexpr std::size_t kBuckets = std::size_t{1} << 14;

}  // namespace

double QueueKey::of(Policy policy) const {
  const double step = 1.0 / (longest + 1.0);
  switch (policy) {
    case Policy::kBreadthFirst:
      return length * step;
    case Policy::kDepthFirst:  // deepest first, then the better bound
      return (longest - length + std::min(lower_bound, 0.99)) * step;
    case Policy::kLowerBound:
      return lower_bound;
    case Policy::kObjective:
      return objective;
    case Policy::kCuriosity:  // a prefix that captures nothing has said nothing yet
      return support > 0 ? prefix_bound / (prefix_bound + support) : 1;
    case Policy::kRandom:
      return 0;
  }
  return 0;
}

Queue::Queue() : heads_(kBuckets, kNoPrefix), occupied_(bits::words(kBuckets), 0) {}

void Queue::push(double key, PrefixId prefix) {
  const double clamped = std::clamp(key, 0.0, 1.0);
  const auto bucket =
      std::min(static_cast<std::size_t>(clamped * static_cast<double>(kBuckets)), kBuckets - 1);
  while (next_.size() <= prefix) next_.push_back(kNoPrefix);
  next_[prefix] = heads_[bucket];
  heads_[bucket] = prefix;
  bits::set(occupied_.data(), bucket);
  lowest_ = std::min(lowest_, bucket / bits::kWord);
  ++size_;
}

PrefixId Queue::pop() {
  while (occupied_[lowest_] == 0) ++lowest_;
  const auto bit = static_cast<std::size_t>(std::countr_zero(occupied_[lowest_]));
  PrefixId& head = heads_[lowest_ * bits::kWord + bit];
  const PrefixId prefix = head;
  head = next_[prefix];
  if (head == kNoPrefix) occupied_[lowest_] &= occupied_[lowest_] - 1;
  --size_;
  return prefix;
}

}  // namespace surelist
