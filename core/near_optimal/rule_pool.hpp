// The rules of all lists found, one list after the other, in blocks: it grows without moving what
// it holds, so that memory is never taken twice.
#pragma once

#include <memory>
#include <span>

#include "near_optimal/predictions.hpp"

namespace surelist {

class RulePool {
 public:
  // Where a list of `length` rules goes if it comes next; no list lies in two blocks.
  std::uint64_t place(std::size_t length) const {
    const std::uint64_t within = end_ % kBlock;
    return within + length > kBlock ? end_ - within + kBlock : end_;
  }
  // Writes a list there. `order` may be in the pool itself, at that place or behind it.
  std::uint64_t append(std::span<const LabelledRule> order) {
    if (order.empty()) return end_;  // there may be no block yet
    if (order.size() > kBlock) throw InputError("a rule list is too long to be stored");
    const std::uint64_t at = place(order.size());
    while (blocks_.size() * kBlock < at + order.size()) {
      blocks_.push_back(std::make_unique<LabelledRule[]>(kBlock));
    }
    std::copy(order.begin(), order.end(), data(at));
    end_ = at + order.size();
    return at;
  }
  // From here on, lists are written from the beginning again; what is there can still be read.
  void rewind() { end_ = 0; }
  void release_unused() { blocks_.resize((end_ + kBlock - 1) / kBlock); }

  LabelledRule* data(std::uint64_t at) { return blocks_[at / kBlock].get() + at % kBlock; }
  const LabelledRule* data(std::uint64_t at) const {
    return blocks_[at / kBlock].get() + at % kBlock;
  }
  std::size_t nbytes() const { return blocks_.size() * kBlock * sizeof(LabelledRule); }

 private:
  static constexpr std::uint64_t kBlock = 1 << 12;
  std::uint64_t end_ = 0;
  std::vector<std::unique_ptr<LabelledRule[]>> blocks_;
};

}  // namespace surelist
