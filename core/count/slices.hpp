// Bit slices: numbers, one for each member of a set, cut into their bits for sums by popcount.
// Slice p holds the members whose number has bit p set, so that the sum over a set is Σ_p 2^p ·
// popcount(set & slice_p). Words without any bit are left out; `word_of` says which word of the set
// each of the others belongs to.
#pragma once

#include <span>

#include "base/aligned.hpp"
#include "base/types.hpp"
#include "count/kernel_arguments.hpp"

namespace surelist {

struct Slices {
  Aligned<std::uint32_t> word_of;  // the word of the set
  Aligned<Word> words;             // its members whose number has the bit
  Aligned<Word> shifts;            // the number of the bit

  std::size_t size() const { return words.size(); }
  // Adds the slices of one number for each member; returns where they are.
  SliceLane add(std::span<const Weight> numbers);

 private:
  void add_word(std::size_t word, Word members, unsigned bit);
};

}  // namespace surelist
