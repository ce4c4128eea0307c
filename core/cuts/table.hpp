// The rows of a search over all cuts. The antecedents of one column are nested: `x < 3` captures
// all that `x < 2` does. Such a chain needs one number for each row, its key, instead of one bit
// for each antecedent: cut p of the chain captures the rows whose key is below p. `x >= 3`, seen
// from the largest value on, is a chain as well; a category, or "is missing", is one of one cut.
#pragma once

#include <span>
#include <vector>

#include "base/types.hpp"

namespace surelist::cuts {

using Key = std::int32_t;

// One antecedent: cut 1 to n_cuts of a chain.
struct Cut {
  std::uint32_t chain = 0;
  Key cut = 0;

  bool operator==(const Cut&) const = default;
};

struct Chain {
  std::vector<Key> keys;  // of each row, 0 to n_cuts; n_cuts: no cut captures it
  Key n_cuts = 0;
  // Its last cuts leave what those of an earlier chain capture: as a last rule, that one does.
  bool mirrored = false;
};

struct Table {
  std::size_t n_classes = 0;
  std::vector<Label> labels;    // of each row
  std::vector<Weight> weights;  // of each row, at least 1
  // Of each row, in ascending order: rows that no cut tells apart.
  std::vector<std::uint32_t> groups;
  std::vector<Chain> chains;
  Weight base = 0;           // loss of every list, beside that on these rows
  Weight total = 0;          // of all rows before they were collapsed
  std::size_t n_groups = 0;  // different rows, labels aside

  std::size_t n_rows() const { return labels.size(); }
};

// Collapses rows. Rows with equal keys and labels become one. Of rows with equal keys that have all
// labels, the least weight of a label is taken off every label: any list loses it on all but one.
// Marks chains that mirror an earlier one. Throws InputError for numbers out of range.
Table make_table(std::size_t n_classes, std::span<const Label> labels,
                 std::span<const Weight> weights, std::vector<std::vector<Key>> keys,
                 std::vector<Key> n_cuts);

}  // namespace surelist::cuts
