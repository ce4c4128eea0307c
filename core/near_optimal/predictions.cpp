// The numbers come from a fixed generator: the same problem has the same hashes in every run.
#include "near_optimal/predictions.hpp"

#include <algorithm>

#include "base/bits.hpp"

namespace surelist {
namespace {

// Steele, Lea and Flood's mixing of a counter.
std::uint64_t mixed(std::uint64_t& counter) {
  std::uint64_t z = (counter += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

}  // namespace

PredictionHashes::PredictionHashes(const Problem& problem)
    : problem_(problem), numbers_(problem.n_groups() * problem.n_classes()) {
  std::uint64_t counter = 0;
  for (PredictionHash& number : numbers_) {
    number.low = mixed(counter);
    number.high = mixed(counter);
  }
}

PredictionHash PredictionHashes::sum(const Word* set, const Word* inside, Label label) const {
  const PredictionHash* numbers = numbers_.data() + label * problem_.n_groups();
  PredictionHash sum;
  for (std::size_t w = 0; w < problem_.group_words(); ++w) {
    const Word chosen = inside == nullptr ? set[w] : set[w] & inside[w];
    bits::for_each_in_word(chosen, w * bits::kWord, [&](std::size_t g) { sum += numbers[g]; });
  }
  return sum;
}

PredictionComparer::PredictionComparer(const Problem& problem)
    : problem_(problem),
      left_(problem.group_words()),
      one_(problem.group_words() * problem.n_classes()),
      other_(one_.size()) {}

bool PredictionComparer::same(std::span<const LabelledRule> one, Label one_default,
                              std::span<const LabelledRule> other, Label other_default) {
  predict(one, one_default, one_);
  predict(other, other_default, other_);
  return one_ == other_;
}

void PredictionComparer::predict(std::span<const LabelledRule> rules, Label default_label,
                                 std::vector<Word>& sets) {
  const std::size_t n_words = problem_.group_words();
  std::fill(sets.begin(), sets.end(), Word{0});
  bits::fill(left_.data(), problem_.n_groups());
  for (const LabelledRule& rule : rules) {
    const Word* captured = problem_.captured(rule.antecedent);
    Word* set = sets.data() + rule.label * n_words;
    for (std::size_t w = 0; w < n_words; ++w) set[w] |= left_[w] & captured[w];
    bits::and_not(left_.data(), captured, n_words);
  }
  Word* rest = sets.data() + default_label * n_words;
  for (std::size_t w = 0; w < n_words; ++w) rest[w] |= left_[w];
}

}  // namespace surelist
