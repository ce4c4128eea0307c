#include "prefixes.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>

namespace surelist_checker {

PrefixTree::PrefixTree() : nodes_(1), slots_(1024, root) {
  std::random_device device;
  key_ = (std::uint64_t{device()} << 32 | device()) | 1;
}

std::size_t PrefixTree::slot_of(std::uint32_t parent, std::uint32_t antecedent) const {
  std::uint64_t hash = (std::uint64_t{parent} << 32 | antecedent) * key_;
  hash = (hash ^ hash >> 29) * 0x9e3779b97f4a7c15u;
  std::size_t at = (hash >> 32) & (slots_.size() - 1);
  for (; slots_[at] != root; at = (at + 1) & (slots_.size() - 1)) {
    const Node& node = nodes_[slots_[at]];
    if (node.parent == parent && node.antecedent == antecedent) break;
  }
  return at;
}

std::uint32_t PrefixTree::add(std::uint32_t parent, std::uint32_t antecedent) {
  const std::size_t at = slot_of(parent, antecedent);
  if (slots_[at] != root) return slots_[at];
  if (nodes_.size() >= std::numeric_limits<std::uint32_t>::max())
    throw std::overflow_error("more than 2**32 closed prefixes");
  const auto node = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({parent, antecedent, root, nodes_[parent].first_child, {}});
  nodes_[parent].first_child = slots_[at] = node;
  if (2 * nodes_.size() > slots_.size()) grow();
  return node;
}

void PrefixTree::grow() {
  slots_.assign(2 * slots_.size(), root);
  for (std::uint32_t node = 1; node < nodes_.size(); ++node)
    slots_[slot_of(nodes_[node].parent, nodes_[node].antecedent)] = node;
}

void PrefixTree::settle(std::uint32_t node, const Settled& settled) {
  Settled& known = nodes_[node].settled;
  n_settled_ += known.reason == Reason::none;
  if (settled.reason < known.reason) known = settled;
}

std::vector<std::uint32_t> PrefixTree::in_order() const {
  std::vector<std::uint32_t> order;
  const auto add = [&](std::uint32_t node) {
    if (nodes_[node].settled.reason != Reason::none) order.push_back(node);
  };
  const auto with_children = [&](std::uint32_t node) {  // from this sibling on
    while (node != root && nodes_[node].first_child == root) node = nodes_[node].next_sibling;
    return node;
  };
  for (std::uint32_t node = root;;) {
    add(node);
    const std::uint32_t first = nodes_[node].first_child;
    for (auto child = first; child != root; child = nodes_[child].next_sibling)
      if (nodes_[child].first_child == root) add(child);
    std::uint32_t next = with_children(first);
    for (; next == root; node = nodes_[node].parent) {
      if (node == root) return order;
      next = with_children(nodes_[node].next_sibling);
    }
    node = next;
  }
}

std::vector<std::uint32_t> PrefixTree::path(std::uint32_t node) const {
  std::vector<std::uint32_t> path;
  for (; node != root; node = parent(node)) path.push_back(antecedent(node));
  std::reverse(path.begin(), path.end());
  return path;
}

std::uint64_t BlockReader::number() {
  std::uint64_t number = 0;
  for (unsigned shift = 0; shift < 35 && at_ != end_; shift += 7) {
    const std::uint8_t byte = *at_++;
    number |= std::uint64_t{byte & 127u} << shift;
    if (byte < 128) return number;
  }
  throw std::invalid_argument("a block of closed prefixes is damaged: a number does not end");
}

namespace {

constexpr const char* incomplete =
    "a block of closed prefixes is damaged: a prefix is not complete";

}  // namespace

std::uint64_t BlockReader::next_number() {
  if (at_ == end_) throw std::invalid_argument(incomplete);
  return number();
}

bool BlockReader::next() {
  if (at_ == end_) return false;
  const std::uint64_t shared = number();
  const std::uint64_t n_added = next_number();
  if (shared + n_added > longest_)
    throw std::invalid_argument("a closed prefix has more than " + std::to_string(longest_) +
                                " antecedents");
  if (shared > length_) throw std::invalid_argument(incomplete);
  added_.clear();
  for (std::uint64_t i = 0; i < n_added; ++i) {
    const std::uint64_t antecedent = next_number();
    if (antecedent >= n_antecedents_)
      throw std::invalid_argument("a closed prefix names antecedent " + std::to_string(antecedent) +
                                  "; of " + std::to_string(n_antecedents_));
    added_.push_back(static_cast<std::uint32_t>(antecedent));
  }
  shared_ = shared;
  length_ = shared + n_added;
  if (format_ > 1) read_reason();
  return true;
}

// A witness is an antecedent, or for a deletion a place in the prefix.
void BlockReader::read_reason() {
  constexpr Reason by_number[] = {Reason::closed, Reason::deletion, Reason::insertion,
                                  Reason::sibling, Reason::relaxation};
  const std::uint64_t reason = next_number();
  if (reason >= std::size(by_number))
    throw std::invalid_argument("a closed prefix has the reason " + std::to_string(reason) +
                                ", which does not exist");
  settled_ = {by_number[reason], 0};
  if (settled_.reason == Reason::closed || settled_.reason == Reason::relaxation) return;
  const std::uint64_t witness = next_number();
  const std::size_t end = settled_.reason == Reason::deletion ? length_ : n_antecedents_;
  if (witness >= end)
    throw std::invalid_argument("a closed prefix has the witness " + std::to_string(witness) +
                                ", not below " + std::to_string(end));
  settled_.witness = static_cast<std::uint32_t>(witness);
}

}  // namespace surelist_checker
