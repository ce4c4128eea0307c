#include "queue.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace surelist {

double QueueKey::of(Policy policy) const {
  switch (policy) {
    case Policy::kBreadthFirst:
      return length;
    case Policy::kDepthFirst:
      return lower_bound -
             4.0 * length;  // deepest first, then the better bound: bounds are below 4
    case Policy::kLowerBound:
      return lower_bound;
    case Policy::kObjective:
      return objective;
    case Policy::kCuriosity:  // a prefix that captures nothing has said nothing yet
      return support > 0 ? prefix_bound / support : std::numeric_limits<double>::infinity();
    case Policy::kRandom:
      return 0;
  }
  return 0;
}

// Four children each: half as many levels as with two, and the children of one parent lie together.
void Queue::push(double key, PrefixId prefix) {
  heap_.push_back({key, pushed_++, prefix});
  std::size_t child = heap_.size() - 1;
  while (child > 0) {
    const std::size_t parent = (child - 1) / kArity;
    if (!(heap_[child] < heap_[parent])) break;
    std::swap(heap_[child], heap_[parent]);
    child = parent;
  }
}

PrefixId Queue::pop() {
  const PrefixId top = heap_[0].prefix;
  const Item last = heap_.back();
  heap_.pop_back();
  const std::size_t size = heap_.size();
  if (size == 0) return top;
  std::size_t hole = 0;
  while (kArity * hole + 1 < size) {
    const std::size_t first = kArity * hole + 1;
    std::size_t least = first;
    for (std::size_t c = first + 1; c < std::min(first + kArity, size); ++c) {
      if (heap_[c] < heap_[least]) least = c;
    }
    if (!(heap_[least] < last)) break;
    heap_[hole] = heap_[least];
    hole = least;
  }
  heap_[hole] = last;
  return top;
}

}  // namespace surelist
