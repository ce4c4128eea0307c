// Numbers of a set's members cut into their bits, for sums by popcount: slice p holds the members
// whose number has bit p set, so that a set sums to Σ_p 2^p · popcount(set & slice_p). Words of a
// slice without any bit are left out, so each says which word of a set it belongs to.
#pragma once

#include <span>

#include "base/aligned.hpp"
#include "base/types.hpp"
#include "count/kernel_arguments.hpp"

namespace surelist {

struct Slices {
  Aligned<std::uint32_t> word_of;  // which word of the set stands here
  Aligned<Word> words;             // members with the bit set
  Aligned<Word> shifts;            // which bit

  std::size_t size() const { return words.size(); }
  // Cut one number for each member; returns where its slices stand.
  SliceLane add(std::span<const Weight> numbers);

 private:
  void add_word(std::size_t word, Word members, unsigned bit);
};

}  // namespace surelist
