// The priority queue of open prefixes. It is a bucket queue: prefixes are in buckets by the
// policy's key, and the newest prefix of the lowest bucket is popped first. With 2^14 buckets this
// follows the policy closely enough and takes constant time; what was pushed last is still in the
// cache.
//
// Prefixes are not removed from the middle: one that is deleted from the tree stays until it is
// popped. (This is the paper's physical queue; the logical queue is the open prefixes of the tree.)
#pragma once

#include <array>
#include <bit>
#include <string_view>

#include "base/chunked.hpp"
#include "base/types.hpp"
#include "store/prefix_tree.hpp"

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

// What policies order prefixes by, as shares of one.
struct QueueKey {
  Length length = 0;
  Length longest = 1;  // that any prefix can have
  double lower_bound = 0;
  double prefix_bound = 0;  // the paper's b(d_p) alone, without equivalent points
  double objective = 0;
  double support = 0;  // share of the weight that the prefix captures

  double of(Policy policy) const;  // from 0 (next) to 1 (last)
};

class Queue {
 public:
  Queue();
  void push(double key, PrefixId prefix);
  PrefixId pop();  // the queue must not be empty
  bool empty() const { return size_ == 0; }
  // The prefixes that are popped next, if nothing is pushed: a few of them, `most` at most.
  template <class Visit>
  void peek(std::size_t most, Visit&& visit) const;
  std::size_t nbytes() const { return stacks_.nbytes() + tops_.size() * sizeof(std::uint32_t); }
  std::size_t growth(std::size_t n) const { return stacks_.growth(n); }

 private:
  static constexpr std::uint32_t kNone = kNoPrefix;

  // A bucket is a stack, in pieces of one cache line. All but the top one are full.
  struct Piece {
    static constexpr std::uint32_t kMost = 14;

    std::array<PrefixId, kMost> prefixes{};
    std::uint32_t n = 0;
    std::uint32_t below = kNone;
  };

  std::uint32_t new_piece(std::uint32_t below);

  std::size_t size_ = 0;
  std::vector<std::uint32_t> tops_;  // the top piece of each bucket
  std::vector<Word> occupied_;       // buckets that are not empty
  std::size_t lowest_ = 0;           // no word of occupied_ before this one has a bit
  ChunkedVector<Piece> stacks_;
  std::uint32_t free_ = kNone;  // pieces not in use, chained by `below`
};

template <class Visit>
void Queue::peek(std::size_t most, Visit&& visit) const {
  if (empty()) return;
  std::size_t w = lowest_;
  while (occupied_[w] == 0) ++w;
  const auto bit = static_cast<std::size_t>(std::countr_zero(occupied_[w]));
  const Piece& piece = stacks_[tops_[w * (8 * sizeof(Word)) + bit]];
  for (std::size_t i = piece.n; i > 0 && most > 0; --i, --most) visit(piece.prefixes[i - 1]);
}

}  // namespace surelist
