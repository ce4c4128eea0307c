#include "prefixes.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace surelist_checker {

std::uint32_t PrefixTree::add(std::uint32_t parent, std::uint32_t antecedent) {
  if (nodes_.size() >= std::numeric_limits<std::uint32_t>::max())
    throw std::overflow_error("more than 2**32 closed prefixes");
  nodes_.push_back({parent, antecedent});
  return static_cast<std::uint32_t>(nodes_.size() - 1);
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

bool BlockReader::next() {
  if (at_ == end_) return false;
  const char* const incomplete = "a block of closed prefixes is damaged: a prefix is not complete";
  const std::uint64_t shared = number();
  if (at_ == end_) throw std::invalid_argument(incomplete);
  const std::uint64_t n_added = number();
  if (shared + n_added > longest_)
    throw std::invalid_argument("a closed prefix has more than " + std::to_string(longest_) +
                                " antecedents");
  if (shared > length_) throw std::invalid_argument(incomplete);
  added_.clear();
  for (std::uint64_t i = 0; i < n_added; ++i) {
    if (at_ == end_) throw std::invalid_argument(incomplete);
    const std::uint64_t antecedent = number();
    if (antecedent >= n_antecedents_)
      throw std::invalid_argument("a closed prefix names antecedent " + std::to_string(antecedent) +
                                  "; of " + std::to_string(n_antecedents_));
    added_.push_back(static_cast<std::uint32_t>(antecedent));
  }
  shared_ = shared;
  length_ = shared + n_added;
  return true;
}

}  // namespace surelist_checker
