// Collapses rows. Rows with the same bits are equivalent points: they become one pattern, with a
// weight for each class. From here on no running time depends on the number of rows.
#pragma once

#include <utility>

#include "base/types.hpp"

namespace surelist {

// Distinct rows of bits (row-major, `n_words` words each), with the weight of each class.
struct Patterns {
  std::size_t n_bits = 0;
  std::size_t n_words = 0;
  std::size_t n_classes = 0;
  std::size_t n_rows = 0;  // rows that went in
  std::vector<Word> bits;
  std::vector<Weight> class_weights;

  std::size_t size() const { return n_classes == 0 ? 0 : class_weights.size() / n_classes; }
  const Word* row(std::size_t i) const { return bits.data() + i * n_words; }
  const Weight* weights(std::size_t i) const { return class_weights.data() + i * n_classes; }
};

// Numbers distinct rows of words in the order in which they are first seen.
class RowNumbers {
 public:
  explicit RowNumbers(std::size_t n_words);

  // A row that is new gets the number size().
  std::size_t number(const Word* row);
  std::size_t size() const { return hashes_.size(); }
  const Word* row(std::size_t i) const { return rows_.data() + i * n_words_; }
  std::vector<Word> take() && { return std::move(rows_); }

 private:
  void grow();

  std::size_t n_words_;
  std::vector<Word> rows_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> slots_;  // open addressing; a number plus one, 0 is empty
};

// Collects rows one by one; memory grows with the number of distinct rows alone.
class Collapser {
 public:
  Collapser(std::size_t n_bits, std::size_t n_classes);

  void add_row(const Word* row, Label label, Weight weight);
  void add_pattern(const Word* row, const Weight* class_weights);  // rows collapsed already
  Patterns finish() &&;

 private:
  Weight* weights_of(const Word* row);

  Patterns patterns_;
  RowNumbers rows_;
  Weight total_ = 0;
};

// A matrix of bytes 0 and 1 where the caller has it; strides are in bytes and may be negative.
struct ByteMatrix {
  const std::uint8_t* data = nullptr;
  std::size_t n_rows = 0;
  std::size_t n_columns = 0;
  std::ptrdiff_t row_stride = 0;
  std::ptrdiff_t column_stride = 0;
};

// Collapses the matrix. `weights` may be null (one each). Rows of weight zero are left out. Throws
// InputError on a byte other than 0 or 1, a label out of range or a negative weight.
Patterns collapse(const ByteMatrix& matrix, const std::int32_t* labels, const Weight* weights,
                  std::size_t n_classes);

}  // namespace surelist
