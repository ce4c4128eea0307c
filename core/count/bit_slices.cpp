// Cutting costs and weights of groups into slices, once for each problem, and sums over them.
#include "count/bit_slices.hpp"

namespace surelist {

BitSlices::BitSlices(const Problem& problem, const Kernels& kernels)
    : kernels_(kernels), n_classes_(problem.n_classes()) {
  Aligned<Weight> values(problem.n_groups());
  const auto add = [&](auto&& value) {
    for (std::size_t g = 0; g < values.size(); ++g) values[g] = value(g);
    lanes_.push_back(slices_.add(values));
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
      captured_[s * size() + i] = problem.captured(s)[slices_.word_of[i]];
    }
  }
}

void BitSlices::cut(const Word* groups, Set& set) const {
  kernels_.cut(slices_.words.data(), groups, slices_.word_of.data(), set.words_.size(),
               set.words_.data());
}

void BitSlices::cut_lanes(const Word* zero, const Word* one, Set& set) const {
  const Word* groups[] = {zero, one};
  for (std::size_t lane = 0; lane < 2; ++lane) {
    const std::size_t at = lanes_[lane].begin;
    kernels_.cut(slices_.words.data() + at, groups[lane], slices_.word_of.data() + at,
                 lanes_[lane].end - at, set.words_.data() + at);
  }
}

void BitSlices::list_words(const Set& set, std::size_t n_lanes, Aligned<SliceWord>& words,
                           Aligned<SliceLane>& lanes) const {
  words.resize(lanes_[n_lanes - 1].end);
  lanes.resize(n_lanes);
  std::size_t n = 0;
  const auto list = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      words[n] = {set.words_[i], slices_.word_of[i], static_cast<std::uint32_t>(slices_.shifts[i])};
      n += set.words_[i] != 0;
    }
    return n;
  };
  for (std::size_t lane = 0; lane < n_lanes; ++lane) {
    lanes[lane].begin = n;
    lanes[lane].shifted = list(lanes_[lane].begin, lanes_[lane].shifted);
    lanes[lane].end = list(lanes_[lane].shifted, lanes_[lane].end);
  }
}

void BitSlices::cut_without(const Set& set, Antecedent removed, Set& result) const {
  kernels_.subtract(set.words_.data(), captured_.data() + removed * size(), result.words_.size(),
                    result.words_.data());
}

BitSlices::Walked::Walked(const BitSlices& slices)
    : once(slices, slices.n_saving_lanes()), ones(slices, slices.n_saving_lanes()) {}

int BitSlices::saving_sign(std::size_t lane, Label label) const {
  if (n_classes_ == 2) return lane == 1 - label ? 1 : 0;
  if (lane == n_classes_ + 1) return 1;
  return lane == n_classes_ || lane == label ? -1 : 0;
}

void BitSlices::walk(const Prefix& prefix, const std::vector<Label>& labels, Walked& walked) const {
  walked.worth.assign(prefix.size(), 0);
  walked.signs.resize(prefix.size());
  walked.captured.clear();
  for (const Antecedent s : prefix) walked.captured.push_back(captured_.data() + s * size());
  for (std::size_t lane = 0; lane < n_saving_lanes(); ++lane) {
    for (std::size_t j = 0; j < prefix.size(); ++j) {
      walked.signs[j] = static_cast<std::int8_t>(saving_sign(lane, labels[j]));
    }
    kernels_.walk({.captured = walked.captured.data(),
                   .slices = slices_.words.data(),
                   .shifts = slices_.shifts.data(),
                   .labels = labels.data(),
                   .signs = walked.signs.data(),
                   .has_minus = n_classes_ != 2,
                   .n_rules = prefix.size(),
                   .lane = lanes_[lane],
                   .once = walked.once.words_.data(),
                   .ones = walked.ones.words_.data(),
                   .worth = walked.worth.data()});
  }
}

Weight BitSlices::saved(const Set& set, Antecedent a, Antecedent b, Label label) const {
  Weight saved = 0;
  for (std::size_t lane = 0; lane < n_saving_lanes(); ++lane) {
    const int sign = saving_sign(lane, label);
    if (sign == 0) continue;
    saved += sign * shared(set, a, b, lane);
  }
  return saved;
}

std::size_t BitSlices::nbytes() const {
  return captured_.capacity() * sizeof(Word) + size() * (2 * sizeof(Word) + sizeof(std::uint32_t));
}

}  // namespace surelist
