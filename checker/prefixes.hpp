#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace surelist_checker {

// All closed prefixes as one tree: a prefix is a node, and its parent is the prefix without the
// last antecedent. That is how a block writes them, too: what a prefix shares with the one before,
// and what it adds. So a node costs eight bytes, and there are no more of them than bytes in the
// file's blocks.
class PrefixTree {
 public:
  static constexpr std::uint32_t root = 0;  // the empty prefix

  std::uint32_t add(std::uint32_t parent, std::uint32_t antecedent);
  std::uint32_t parent(std::uint32_t node) const { return nodes_[node].parent; }
  std::uint32_t antecedent(std::uint32_t node) const { return nodes_[node].antecedent; }
  std::vector<std::uint32_t> path(std::uint32_t node) const;

 private:
  struct Node {
    std::uint32_t parent;
    std::uint32_t antecedent;
  };
  std::vector<Node> nodes_{{0, 0}};
};

// Reads an unpacked block: for each prefix, how many antecedents it shares with the one before, how
// many it adds, and these, all unsigned LEB128 of at most five bytes.
//
//   BlockReader reader(bytes, size, n_antecedents, longest);
//   while (reader.next()) ... reader.shared(), reader.added() ...
//
// Raises std::invalid_argument where the block is damaged, with the reason.
class BlockReader {
 public:
  BlockReader(const std::uint8_t* bytes, std::size_t size, std::size_t n_antecedents,
              std::size_t longest)
      : at_(bytes), end_(bytes + size), n_antecedents_(n_antecedents), longest_(longest) {}

  bool next();
  std::size_t shared() const { return shared_; }
  const std::vector<std::uint32_t>& added() const { return added_; }

 private:
  std::uint64_t number();

  const std::uint8_t* at_;
  const std::uint8_t* end_;
  std::size_t n_antecedents_;
  std::size_t longest_;
  std::size_t shared_ = 0;
  std::size_t length_ = 0;  // of the prefix before
  std::vector<std::uint32_t> added_;
};

}  // namespace surelist_checker
