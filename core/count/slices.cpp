// Cutting numbers into bits: a problem does this once, so it need not be fast.
#include "count/slices.hpp"

#include <algorithm>

#include "base/bits.hpp"

namespace surelist {

SliceLane Slices::add(std::span<const Weight> numbers) {
  const Weight largest = numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end());
  SliceLane lane{.begin = size(), .shifted = size()};
  for (unsigned bit = 0; largest >> bit != 0; ++bit) {
    std::vector<Word> slice(bits::words(numbers.size()), 0);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if ((numbers[i] >> bit) & 1) bits::set(slice.data(), i);
    }
    for (std::size_t w = 0; w < slice.size(); ++w) {
      if (slice[w] != 0) add_word(w, slice[w], bit);
    }
    if (bit == 0) lane.shifted = size();
  }
  while (size() % 8 != 0) add_word(0, 0, 0);  // whole vectors: an empty slice adds nothing
  lane.end = size();
  return lane;
}

void Slices::add_word(std::size_t word, Word members, unsigned bit) {
  word_of.push_back(static_cast<std::uint32_t>(word));
  words.push_back(members);
  shifts.push_back(bit);
}

}  // namespace surelist
