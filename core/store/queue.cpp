// Buckets are stacks in pieces of one cache line; a bit for each bucket says whether it is empty.
#include "store/queue.hpp"

#include <algorithm>
#include <bit>

#include "base/bits.hpp"

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
    case Policy::kCuriosity:  // undefined for a prefix that captures nothing: last
      return support > 0 ? prefix_bound / (prefix_bound + support) : 1;
    case Policy::kRandom:
      return 0;
  }
  return 0;
}

Queue::Queue() : tops_(kBuckets, kNone), occupied_(bits::words(kBuckets), 0) {}

std::uint32_t Queue::new_piece(std::uint32_t below) {
  std::uint32_t piece = free_;
  if (piece == kNone) {
    piece = static_cast<std::uint32_t>(stacks_.size());
    stacks_.push_back({});
  } else {
    free_ = stacks_[piece].below;
  }
  stacks_[piece].n = 0;
  stacks_[piece].below = below;
  return piece;
}

void Queue::push(double key, PrefixId prefix) {
  const double clamped = std::clamp(key, 0.0, 1.0);
  const auto at =
      std::min(static_cast<std::size_t>(clamped * static_cast<double>(kBuckets)), kBuckets - 1);
  std::uint32_t& top = tops_[at];
  if (top == kNone || stacks_[top].n == Piece::kMost) top = new_piece(top);
  Piece& piece = stacks_[top];
  piece.prefixes[piece.n++] = prefix;
  bits::set(occupied_.data(), at);
  lowest_ = std::min(lowest_, at / bits::kWord);
  ++size_;
}

PrefixId Queue::pop() {
  while (occupied_[lowest_] == 0) ++lowest_;
  const auto bit = static_cast<std::size_t>(std::countr_zero(occupied_[lowest_]));
  std::uint32_t& top = tops_[lowest_ * bits::kWord + bit];
  Piece& piece = stacks_[top];
  const PrefixId prefix = piece.prefixes[--piece.n];
  if (piece.n == 0) {
    const std::uint32_t emptied = top;
    top = piece.below;
    piece.below = free_;
    free_ = emptied;
  }
  if (top == kNone) occupied_[lowest_] &= occupied_[lowest_] - 1;
  --size_;
  return prefix;
}

}  // namespace surelist
