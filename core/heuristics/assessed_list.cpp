// Only the rules from the first one that changes are evaluated again.
#include "heuristics/assessed_list.hpp"

#include <algorithm>

#include "base/bits.hpp"

namespace surelist {

AssessedList::AssessedList(const SearchContext& context, const SparseCosts& costs)
    : context_(context),
      problem_(*context.problem),
      costs_(costs),
      n_words_(problem_.group_words()),
      losses_{0},
      left_(n_words_),
      scratch_(n_words_),
      savings_(problem_.n_classes()) {
  bits::fill(left_.data(), problem_.n_groups());
  replace(0, {});
}

AssessedList::Prediction AssessedList::predict(const Word* left, const Word* inside) {
  std::fill(savings_.begin(), savings_.end(), 0);
  Weight usual = 0;
  std::uint64_t n = 0;
  for (std::size_t w = 0; w < n_words_; ++w) {
    const Word chosen = inside == nullptr ? left[w] : left[w] & inside[w];
    bits::for_each_in_word(chosen, w * bits::kWord, [&](std::size_t g) {
      usual += costs_.usual(g);
      for (const SparseCosts::Saving& saving : costs_.savings(g)) {
        savings_[saving.label] += saving.weight;
      }
      ++n;
    });
  }
  assessed_ += n + n_words_;
  const std::optional<Label>& only = context_.constraints().rule_label;
  const auto most = std::max_element(savings_.begin(), savings_.end());  // the first of them
  const Label label =
      inside != nullptr && only ? *only : static_cast<Label>(most - savings_.begin());
  return {.label = label, .loss = usual - savings_[label]};
}

void AssessedList::replace(std::size_t place, std::span<const Antecedent> tail) {
  prefix_.resize(place);
  prefix_.insert(prefix_.end(), tail.begin(), tail.end());
  const std::size_t length = prefix_.size();
  labels_.resize(length + 1);
  losses_.resize(length + 1);
  left_.resize((length + 1) * n_words_);
  for (std::size_t p = place; p < length; ++p) {
    const Word* inside = problem_.captured(prefix_[p]);
    const Word* before = left(p);
    const Prediction rule = predict(before, inside);
    labels_[p] = rule.label;
    losses_[p + 1] = losses_[p] + rule.loss + context_.constraints().surcharge(prefix_[p]);
    Word* after = left_.data() + (p + 1) * n_words_;
    for (std::size_t w = 0; w < n_words_; ++w) after[w] = before[w] & ~inside[w];
  }
  const Prediction rest = predict(left(length), nullptr);
  labels_[length] = rest.label;
  objective_ = context_.scale.of(losses_[length] + rest.loss, static_cast<Length>(length));
}

Objective AssessedList::objective_with(std::size_t place, std::span<const Antecedent> tail) {
  Weight loss = losses_[place];
  std::copy_n(left(place), n_words_, scratch_.begin());
  for (const Antecedent s : tail) {
    loss += predict(scratch_.data(), problem_.captured(s)).loss;
    loss += context_.constraints().surcharge(s);
    bits::and_not(scratch_.data(), problem_.captured(s), n_words_);
  }
  loss += predict(scratch_.data(), nullptr).loss;
  return context_.scale.of(loss, static_cast<Length>(place + tail.size()));
}

std::size_t AssessedList::nbytes() const {
  return prefix_.capacity() * sizeof(Antecedent) + labels_.capacity() * sizeof(Label) +
         (losses_.capacity() + savings_.capacity()) * sizeof(Weight) +
         (left_.capacity() + scratch_.capacity()) * sizeof(Word);
}

}  // namespace surelist
