#include "collapse.hpp"

#include <algorithm>
#include <limits>

#include "bits.hpp"

namespace surelist {
namespace {

constexpr Weight kMostWeight = Weight{1} << 60;
constexpr std::size_t kBlock = 4096;  // rows packed at a time: stays in cache whatever the strides

// Packs `count` rows from `first` into words. Walks along the faster stride so that row-major and
// column-major input are both read in order.
void pack_block(const ByteMatrix& matrix, std::size_t first, std::size_t count, std::size_t n_words,
                std::vector<Word>& block, std::uint8_t& seen) {
  std::fill(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(count * n_words), 0);
  const auto at = [&](std::size_t i, std::size_t j) {
    return matrix.data[static_cast<std::ptrdiff_t>(first + i) * matrix.row_stride +
                       static_cast<std::ptrdiff_t>(j) * matrix.column_stride];
  };
  const auto put = [&](std::size_t i, std::size_t j) {
    const std::uint8_t byte = at(i, j);
    seen |= byte;
    block[i * n_words + j / bits::kWord] |= static_cast<Word>(byte & 1) << (j % bits::kWord);
  };
  if (std::abs(matrix.column_stride) <= std::abs(matrix.row_stride)) {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < matrix.n_columns; ++j) put(i, j);
    }
  } else {
    for (std::size_t j = 0; j < matrix.n_columns; ++j) {
      for (std::size_t i = 0; i < count; ++i) put(i, j);
    }
  }
}

}  // namespace

Collapser::Collapser(std::size_t n_bits, std::size_t n_classes) {
  patterns_.n_bits = n_bits;
  patterns_.n_words = bits::words(n_bits);
  patterns_.n_classes = n_classes;
  slots_.assign(64, 0);
}

void Collapser::add(const Word* row, Label label, Weight weight) {
  ++patterns_.n_rows;
  if (weight == 0) return;
  total_ += weight;
  if (total_ > kMostWeight)
    throw InputError("the sum of all weights is too large; scale them down");
  patterns_.class_weights[find_or_insert(row) * patterns_.n_classes + label] += weight;
}

void Collapser::add(const Word* row, const Weight* class_weights) {
  const std::size_t pattern = find_or_insert(row);
  Weight* sums = patterns_.class_weights.data() + pattern * patterns_.n_classes;
  for (std::size_t c = 0; c < patterns_.n_classes; ++c) sums[c] += class_weights[c];
}

std::size_t Collapser::find_or_insert(const Word* row) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = bits::hash(row, patterns_.n_words) & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const std::size_t candidate = slots_[slot] - 1;
    if (bits::equal(patterns_.row(candidate), row, patterns_.n_words)) return candidate;
  }
  const std::size_t index = patterns_.size();
  if (index + 1 >= std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("more than 4 billion distinct rows");
  }
  slots_[slot] = static_cast<std::uint32_t>(index + 1);
  patterns_.bits.insert(patterns_.bits.end(), row, row + patterns_.n_words);
  patterns_.class_weights.resize(patterns_.class_weights.size() + patterns_.n_classes, 0);
  if ((index + 1) * 2 > slots_.size()) grow();
  return index;
}

void Collapser::grow() {
  std::vector<std::uint32_t> slots(slots_.size() * 2, 0);
  const std::size_t mask = slots.size() - 1;
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    std::size_t slot = bits::hash(patterns_.row(i), patterns_.n_words) & mask;
    while (slots[slot] != 0) slot = (slot + 1) & mask;
    slots[slot] = static_cast<std::uint32_t>(i + 1);
  }
  slots_ = std::move(slots);
}

Patterns Collapser::finish() && {
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
    std::uint8_t seen = 0;
    pack_block(matrix, first, count, n_words, block, seen);
    if (seen > 1) {
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
      collapser.add(block.data() + i * n_words, static_cast<Label>(label), weight);
    }
  }
  return std::move(collapser).finish();
}

}  // namespace surelist
