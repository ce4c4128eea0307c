// The queue: which open prefix is expanded next. A heap ordered by the policy's key, smallest
// first. Entries cannot be taken out of its middle, so prefixes deleted from the tree stay until
// they are popped (the paper's physical queue; the logical one is the open prefixes of the tree).
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "chunked.hpp"
#include "prefix_tree.hpp"
#include "types.hpp"

namespace surelist {

enum class Policy : std::uint8_t {
  kBreadthFirst,
  kDepthFirst,
  kLowerBound,
  kObjective,
  kCuriosity,
  kRandom,  // random paths through the tree; needs no queue
};

inline constexpr std::array<std::string_view, 6> kPolicyNames{
    "breadth_first", "depth_first", "lower_bound", "objective", "curiosity", "random"};

// What a policy may look at, as shares.
struct QueueKey {
  Length length = 0;
  double lower_bound = 0;
  double prefix_bound = 0;  // the paper's b(d_p) alone, without equivalent points
  double objective = 0;
  double support = 0;  // share of the weight that the prefix captures

  double of(Policy policy) const;
};

class Queue {
 public:
  void push(double key, PrefixId prefix);
  PrefixId pop();  // the queue must not be empty
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  std::size_t nbytes() const { return heap_.nbytes(); }
  std::size_t growth(std::size_t n) const { return heap_.growth(n); }

 private:
  static constexpr std::size_t kArity = 4;
  struct Item {
    double key = 0;
    std::uint32_t order = 0;  // first in, first out among equal keys: runs are repeatable
    PrefixId prefix = kNoPrefix;

    bool operator<(const Item& other) const {
      return key < other.key || (key == other.key && order < other.order);
    }
  };

  ChunkedVector<Item> heap_;
  std::uint32_t pushed_ = 0;
};

}  // namespace surelist
