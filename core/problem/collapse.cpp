// Rows are packed into words a block at a time, and numbered by a hash table: collapsing is the
// only step that takes time in the number of rows.
#include "problem/collapse.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "base/bits.hpp"

namespace surelist {
namespace {

constexpr std::size_t kBlock = 4096;  // rows packed at a time: stays in cache whatever the strides

// Packs eight bytes of 0 or 1 into eight bits: the factor moves byte i to bit 56 + i, and no two of
// its products meet.
Word pack_eight(const std::uint8_t* bytes, Word& seen) {
  Word eight = 0;
  std::memcpy(&eight, bytes, sizeof eight);
  seen |= eight;
  return (eight * 0x0102040810204080u) >> 56;
}

void pack_contiguous_row(const std::uint8_t* bytes, std::size_t n, Word* words, Word& seen) {
  std::size_t j = 0;
  if constexpr (std::endian::native == std::endian::little) {
    for (; j + 8 <= n; j += 8)
      words[j / bits::kWord] |= pack_eight(bytes + j, seen) << (j % bits::kWord);
  }
  for (; j < n; ++j) {
    seen |= bytes[j];
    words[j / bits::kWord] |= static_cast<Word>(bytes[j] & 1) << (j % bits::kWord);
  }
}

// Packs `count` rows from `first` into words. Walks along the smaller stride, so that row-major and
// column-major input are both read in order. False where a byte is neither 0 nor 1.
bool pack_block(const ByteMatrix& matrix, std::size_t first, std::size_t count, std::size_t n_words,
                std::vector<Word>& block) {
  std::fill(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(count * n_words), 0);
  const std::uint8_t* rows = matrix.data + static_cast<std::ptrdiff_t>(first) * matrix.row_stride;
  const auto row = [&](std::size_t i) {
    return rows + static_cast<std::ptrdiff_t>(i) * matrix.row_stride;
  };
  Word seen = 0;
  if (matrix.column_stride == 1) {
    for (std::size_t i = 0; i < count; ++i) {
      pack_contiguous_row(row(i), matrix.n_columns, block.data() + i * n_words, seen);
    }
  } else {
    for (std::size_t j = 0; j < matrix.n_columns; ++j) {
      const std::ptrdiff_t column = static_cast<std::ptrdiff_t>(j) * matrix.column_stride;
      Word* words = block.data() + j / bits::kWord;
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint8_t byte = row(i)[column];
        seen |= byte;
        words[i * n_words] |= static_cast<Word>(byte & 1) << (j % bits::kWord);
      }
    }
  }
  return (seen & 0xFEFEFEFEFEFEFEFEu) == 0;
}

}  // namespace

RowNumbers::RowNumbers(std::size_t n_words) : n_words_(n_words), slots_(64, 0) {}

std::size_t RowNumbers::number(const Word* row) {
  const std::size_t mask = slots_.size() - 1;
  const std::uint64_t hash = bits::hash(row, n_words_);
  std::size_t slot = hash & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const std::size_t known = slots_[slot] - 1;
    if (hashes_[known] == hash && bits::equal(this->row(known), row, n_words_)) return known;
  }
  const std::size_t number = size();
  if (number + 1 >= std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("more than 4 billion distinct rows");
  }
  slots_[slot] = static_cast<std::uint32_t>(number + 1);
  rows_.insert(rows_.end(), row, row + n_words_);
  hashes_.push_back(hash);
  if (2 * size() > slots_.size()) grow();
  return number;
}

void RowNumbers::grow() {
  std::vector<std::uint32_t> slots(slots_.size() * 2, 0);
  const std::size_t mask = slots.size() - 1;
  for (std::size_t i = 0; i < size(); ++i) {
    std::size_t slot = hashes_[i] & mask;
    while (slots[slot] != 0) slot = (slot + 1) & mask;
    slots[slot] = static_cast<std::uint32_t>(i + 1);
  }
  slots_ = std::move(slots);
}

Collapser::Collapser(std::size_t n_bits, std::size_t n_classes) : rows_(bits::words(n_bits)) {
  patterns_.n_bits = n_bits;
  patterns_.n_words = bits::words(n_bits);
  patterns_.n_classes = n_classes;
}

void Collapser::add_row(const Word* row, Label label, Weight weight) {
  ++patterns_.n_rows;
  if (weight == 0) return;
  total_ += weight;
  if (total_ > kMostWeight)
    throw InputError("the sum of all weights is too large; scale them down");
  weights_of(row)[label] += weight;
}

void Collapser::add_pattern(const Word* row, const Weight* class_weights) {
  Weight* sums = weights_of(row);
  for (std::size_t c = 0; c < patterns_.n_classes; ++c) sums[c] += class_weights[c];
}

Weight* Collapser::weights_of(const Word* row) {
  const std::size_t pattern = rows_.number(row);
  if (pattern == patterns_.size()) {
    patterns_.class_weights.resize(patterns_.class_weights.size() + patterns_.n_classes, 0);
  }
  return patterns_.class_weights.data() + pattern * patterns_.n_classes;
}

Patterns Collapser::finish() && {
  patterns_.bits = std::move(rows_).take();
  patterns_.bits.shrink_to_fit();
  patterns_.class_weights.shrink_to_fit();
  return std::move(patterns_);
}

Patterns collapse(const ByteMatrix& matrix, const std::int32_t* labels, const Weight* weights,
                  std::size_t n_classes) {
  Collapser collapser(matrix.n_columns, n_classes);
  const std::size_t n_words = bits::words(matrix.n_columns);
  std::vector<Word> block(kBlock * n_words);
  for (std::size_t first = 0; first < matrix.n_rows; first += kBlock) {
    const std::size_t count = std::min(kBlock, matrix.n_rows - first);
    if (!pack_block(matrix, first, count, n_words, block)) {
      throw InputError("rows " + std::to_string(first) + " to " +
                       std::to_string(first + count - 1) + " hold a value other than 0 and 1");
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::int32_t label = labels[first + i];
      const Weight weight = weights == nullptr ? 1 : weights[first + i];
      if (label < 0 || static_cast<std::size_t>(label) >= n_classes) {
        throw InputError("row " + std::to_string(first + i) + " has a label out of range");
      }
      if (weight < 0) {
        throw InputError("row " + std::to_string(first + i) + " has a negative weight");
      }
      if (weight > kMostWeight) {
        throw InputError("row " + std::to_string(first + i) + " has a weight that is too large");
      }
      collapser.add_row(block.data() + i * n_words, static_cast<Label>(label), weight);
    }
  }
  return std::move(collapser).finish();
}

}  // namespace surelist
