// Transposes matrices of bits, 64 × 64 at a time. Testing single bits took longer than mining
// itself.
#pragma once

#include <algorithm>

#include "base/bits.hpp"

namespace surelist::bits {

// In place: bit j of word i changes places with bit i of word j. Halves of halves are exchanged, as
// in Hacker's Delight (Warren), section 7-3.
inline void transpose(Word* block) {
  Word mask = 0x00000000FFFFFFFFu;
  for (std::size_t half = 32; half != 0; half /= 2, mask ^= mask << half) {
    for (std::size_t i = 0; i < kWord; i = ((i | half) + 1) & ~half) {
      const Word exchanged = ((block[i] >> half) ^ block[i | half]) & mask;
      block[i] ^= exchanged << half;
      block[i | half] ^= exchanged;
    }
  }
}

// The 64 columns that stand in one word of each row, as sets of rows: words(n_rows) words for each
// column, in `band`. `row` gives the words of a row.
template <class Row>
void transpose_band(std::size_t n_rows, std::size_t word, Row&& row, Word* band) {
  const std::size_t n_words = words(n_rows);
  Word block[kWord];
  for (std::size_t w = 0; w < n_words; ++w) {
    const std::size_t count = std::min(kWord, n_rows - w * kWord);
    for (std::size_t i = 0; i < count; ++i) block[i] = row(w * kWord + i)[word];
    std::fill(block + count, block + kWord, 0);
    transpose(block);
    for (std::size_t j = 0; j < kWord; ++j) band[j * n_words + w] = block[j];
  }
}

}  // namespace surelist::bits
