#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace surelist_checker {

// Why a prefix is listed, the better reason first: of several ones for one prefix the first counts.
// In format 1 all are closed.
enum class Reason : std::uint32_t { closed, deletion, insertion, relaxation, sibling, none };

struct Settled {
  Reason reason = Reason::none;  // none: the prefix is only the beginning of others
  std::uint32_t witness = 0;
};

// All listed prefixes as one tree: a prefix is a node, and its parent is the prefix without the
// last antecedent. That is how a block writes them, too: what a prefix shares with the one before,
// and what it adds. A node takes some thirty bytes, and there are no more of them than bytes in the
// file's blocks.
class PrefixTree {
 public:
  static constexpr std::uint32_t root = 0;           // the empty prefix
  static constexpr std::uint32_t none = 0xffffffff;  // no node has this number

  PrefixTree();
  std::uint32_t add(std::uint32_t parent, std::uint32_t antecedent);  // or the node it is already
  // Of several reasons for one prefix the best counts, and of those the first.
  void settle(std::uint32_t node, const Settled& settled);
  const Settled& settled(std::uint32_t node) const { return nodes_[node].settled; }
  std::size_t n_settled() const { return n_settled_; }  // nodes with a reason
  bool is_listed(std::uint32_t node) const {            // as something that others may rest on
    const Reason reason = nodes_[node].settled.reason;
    return reason != Reason::none && reason != Reason::sibling;
  }
  // And by itself, so that its children are accounted for one by one, or all are hopeless.
  bool is_settled_by_itself(std::uint32_t node) const {
    return nodes_[node].settled.reason < Reason::relaxation;
  }
  std::uint32_t parent(std::uint32_t node) const { return nodes_[node].parent; }
  std::uint32_t antecedent(std::uint32_t node) const { return nodes_[node].antecedent; }
  std::vector<std::uint32_t> path(std::uint32_t node) const;
  // Children: first_child, then next_sibling until that is the root.
  std::uint32_t first_child(std::uint32_t node) const { return nodes_[node].first_child; }
  std::uint32_t next_sibling(std::uint32_t node) const { return nodes_[node].next_sibling; }
  // All listed prefixes, each before those that begin with it, neighbours together: first the
  // children that no other one begins with, so that what was counted for a parent serves for them.
  std::vector<std::uint32_t> in_order() const;

 private:
  struct Node {
    std::uint32_t parent = root;
    std::uint32_t antecedent = 0;
    std::uint32_t first_child = root;
    std::uint32_t next_sibling = root;
    Settled settled = {};
  };
  std::size_t slot_of(std::uint32_t parent, std::uint32_t antecedent) const;
  void grow();

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> slots_;  // nodes by parent and antecedent; the root: empty
  std::uint64_t key_;                 // of the hash, drawn anew each time
  std::size_t n_settled_ = 0;
};

// Reads an unpacked block: for each prefix, how many antecedents it shares with the one before, how
// many it adds, and these, all unsigned LEB128 of at most five bytes; in format 2 then the reason
// and its witness.
//
//   BlockReader reader(bytes, size, format, n_antecedents, longest);
//   while (reader.next()) ... reader.shared(), reader.added() ...
//
// Raises std::invalid_argument where the block is damaged, with the reason.
class BlockReader {
 public:
  BlockReader(const std::uint8_t* bytes, std::size_t size, int format, std::size_t n_antecedents,
              std::size_t longest)
      : at_(bytes),
        end_(bytes + size),
        format_(format),
        n_antecedents_(n_antecedents),
        longest_(longest) {}

  bool next();
  std::size_t shared() const { return shared_; }
  const std::vector<std::uint32_t>& added() const { return added_; }
  const Settled& settled() const { return settled_; }

 private:
  std::uint64_t number();
  std::uint64_t next_number();  // of a prefix that has begun
  void read_reason();

  const std::uint8_t* at_;
  const std::uint8_t* end_;
  int format_;
  std::size_t n_antecedents_;
  std::size_t longest_;
  std::size_t shared_ = 0;
  std::size_t length_ = 0;  // of the prefix before
  std::vector<std::uint32_t> added_;
  Settled settled_{Reason::closed, 0};
};

}  // namespace surelist_checker
