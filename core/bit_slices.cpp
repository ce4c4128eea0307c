#include "bit_slices.hpp"

#include <algorithm>

#include "bits.hpp"

namespace surelist {

BitSlices::BitSlices(const Problem& problem, const Kernels& kernels)
    : kernels_(kernels), lane_begin_{0} {
  std::vector<Weight> values(problem.n_groups());
  const auto add = [&](auto&& value) {
    for (std::size_t g = 0; g < values.size(); ++g) values[g] = value(g);
    add_lane(problem, values);
  };
  for (Label q = 0; q < problem.n_classes(); ++q) {
    add([&](std::size_t g) { return problem.cost(g, q) - problem.floor(g); });
  }
  add([&](std::size_t g) { return problem.floor(g); });
  if (problem.n_classes() > 2) {
    add([&](std::size_t g) { return problem.ceiling(g); });
    add([&](std::size_t g) { return problem.weight(g); });
  }
  captured_.assign((problem.n_antecedents() + 1) * size(), ~Word{0});
  for (Antecedent s = 0; s < problem.n_antecedents(); ++s) {
    for (std::size_t i = 0; i < size(); ++i) {
      captured_[s * size() + i] = problem.captured(s)[word_of_[i]];
    }
  }
}

void BitSlices::add_lane(const Problem& problem, const std::vector<Weight>& values) {
  const Weight largest = *std::max_element(values.begin(), values.end());
  for (unsigned bit = 0; largest >> bit != 0; ++bit) {
    std::vector<Word> slice(problem.group_words(), 0);
    for (std::size_t g = 0; g < values.size(); ++g) {
      if ((values[g] >> bit) & 1) bits::set(slice.data(), g);
    }
    for (std::size_t w = 0; w < slice.size(); ++w) {
      if (slice[w] == 0) continue;
      word_of_.push_back(static_cast<std::uint32_t>(w));
      slices_.push_back(slice[w]);
      shifts_.push_back(bit);
    }
  }
  while (word_of_.size() % 8 != 0) {  // whole vectors: an empty slice adds nothing
    word_of_.push_back(0);
    slices_.push_back(0);
    shifts_.push_back(0);
  }
  lane_begin_.push_back(word_of_.size());
}

void BitSlices::cut(const Word* groups, Set& set) const {
  for (std::size_t i = 0; i < size(); ++i) set.words_[i] = groups[word_of_[i]] & slices_[i];
}

void BitSlices::add(Set& set, const Set& other) const {
  for (std::size_t i = 0; i < set.words_.size(); ++i) set.words_[i] |= other.words_[i];
}

void BitSlices::cut_within(const Set& set, Antecedent kept, Set& result) const {
  kernels_.intersect(set.words_.data(), captured_.data() + kept * size(), result.words_.size(),
                     result.words_.data());
}

void BitSlices::cut_without(const Set& set, Antecedent removed, Set& result) const {
  kernels_.subtract(set.words_.data(), captured_.data() + removed * size(), result.words_.size(),
                    result.words_.data());
}

std::size_t BitSlices::nbytes() const {
  return captured_.capacity() * sizeof(Word) + size() * (2 * sizeof(Word) + sizeof(std::uint32_t));
}

}  // namespace surelist
