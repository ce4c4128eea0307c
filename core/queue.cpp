#include "queue.hpp"

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

void Queue::push(double key, PrefixId prefix) {
  heap_.push_back({key, pushed_++, prefix});
  std::size_t child = heap_.size() - 1;
  while (child > 0) {
    const std::size_t parent = (child - 1) / 2;
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
  while (2 * hole + 1 < size) {
    std::size_t child = 2 * hole + 1;
    if (child + 1 < size && heap_[child + 1] < heap_[child]) ++child;
    if (!(heap_[child] < last)) break;
    heap_[hole] = heap_[child];
    hole = child;
  }
  heap_[hole] = last;
  return top;
}

}  // namespace surelist
