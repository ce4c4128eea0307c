// Sums are kept in lanes of 16 or 32 bits, one for each antecedent, so that kernels add a group's
// value to 64 antecedents at a time.
#include "heuristics/insert_prices.hpp"

#include <algorithm>
#include <limits>

#include "base/bits.hpp"
#include "base/transpose.hpp"

namespace surelist {
namespace {

auto add_masked(const Kernels& kernels, std::int16_t) { return kernels.add_masked_16; }
auto add_masked(const Kernels& kernels, std::int32_t) { return kernels.add_masked_32; }
auto relabel(const Kernels& kernels, std::int16_t) { return kernels.relabel_16; }
auto relabel(const Kernels& kernels, std::int32_t) { return kernels.relabel_32; }
auto raise(const Kernels& kernels, std::int16_t) { return kernels.raise_16; }
auto raise(const Kernels& kernels, std::int32_t) { return kernels.raise_32; }

// The antecedents that capture each group, group-major.
Aligned<Word> antecedents_of_groups(const Problem& problem) {
  const std::size_t n_words = bits::words(problem.n_antecedents());
  Aligned<Word> rows(problem.n_groups() * n_words);
  std::vector<Word> band(bits::kWord * n_words);
  for (std::size_t w = 0; w < problem.group_words(); ++w) {
    const auto captured = [&](std::size_t s) {
      return problem.captured(static_cast<Antecedent>(s));
    };
    bits::transpose_band(problem.n_antecedents(), w, captured, band.data());
    const std::size_t n = std::min(bits::kWord, problem.n_groups() - w * bits::kWord);
    std::copy_n(band.begin(), n * n_words,
                rows.begin() + static_cast<std::ptrdiff_t>(w * bits::kWord * n_words));
  }
  return rows;
}

template <class Lane>
class LanePrices final : public InsertPrices {
 public:
  LanePrices(const SearchContext& context, const SparseCosts& costs)
      : context_(context),
        problem_(*context.problem),
        costs_(costs),
        n_words_(bits::words(problem_.n_antecedents())),
        n_lanes_(n_words_ * bits::kWord),
        bits_(antecedents_of_groups(problem_)),
        rows_(problem_.n_classes() + 1),
        wholes_(problem_.n_classes() + 1),
        sums_(problem_.n_classes() * n_lanes_),
        part_(n_lanes_),
        base_(n_lanes_),
        rest_(n_lanes_),
        any_(n_lanes_),
        most_(n_lanes_),
        places_(n_lanes_) {
    while (problem_.largest_loss() >> shift_ > std::numeric_limits<Lane>::max()) ++shift_;
  }

  std::uint64_t price(const AssessedList& list, std::size_t first) override;
  void best(std::size_t n, std::size_t from, const Word* excluded,
            std::vector<PricedInsert>& inserts) const override;
  std::size_t nbytes() const override;

 private:
  using Row = MaskedRow<Lane>;

  void find_rows(const AssessedList& list, std::size_t place);
  void find_rows_of_two(std::size_t group, Label now);
  void find_rows_of_many(std::size_t group, Label now);
  std::uint64_t add_rule(bool relabels);
  void fold_rule();
  void raise_prices(std::size_t place);
  Lane* sums(Label label) { return sums_.data() + label * n_lanes_; }
  // The number of the rows whose value counts for every label.
  Label any() const { return static_cast<Label>(problem_.n_classes()); }
  void add(Label label, std::size_t group, Weight value) {
    const auto narrow = static_cast<Lane>(value / (Weight{1} << shift_));
    if (narrow == 0) return;
    rows_[label].push_back({static_cast<std::uint32_t>(group), narrow});
    wholes_[label] = static_cast<Lane>(wholes_[label] + narrow);
  }

  const SearchContext& context_;
  const Problem& problem_;
  const SparseCosts& costs_;
  std::size_t n_words_;
  std::size_t n_lanes_;
  unsigned shift_ = 0;  // weights too large for a lane are divided by 2^shift
  Aligned<Word> bits_;
  std::vector<std::vector<Row>> rows_;  // of one rule, by label
  std::vector<Lane> wholes_;            // their sums, by label
  Aligned<Lane> sums_;                  // of the rules so far, by label
  Aligned<Lane> part_;                  // of one rule, one label
  Aligned<Lane> base_;                  // of one rule, any label
  Aligned<Lane> rest_;                  // what another label gains for the rest of one rule
  Aligned<Lane> any_;                   // of the rules so far: base and rest
  Aligned<Lane> most_;
  Aligned<Lane> places_;
};

template <class Lane>
std::uint64_t LanePrices<Lane>::price(const AssessedList& list, std::size_t first) {
  std::fill(sums_.begin(), sums_.end(), Lane{0});
  std::fill(any_.begin(), any_.end(), Lane{0});
  std::fill(most_.begin(), most_.end(), std::numeric_limits<Lane>::min());
  std::uint64_t work = 0;
  for (std::size_t place = list.length() + 1; place-- > first;) {
    find_rows(list, place);
    work += add_rule(place == list.length() || !context_.constraints().rule_label);
    raise_prices(place);
  }
  return work * sizeof(Lane) / sizeof(std::int16_t);
}

// The values of the groups that the rule at this place captures, by label.
template <class Lane>
void LanePrices<Lane>::find_rows(const AssessedList& list, std::size_t place) {
  for (std::vector<Row>& rows : rows_) rows.clear();
  std::fill(wholes_.begin(), wholes_.end(), Lane{0});
  const Label now = list.label(place);
  const Word* left = list.left(place);
  const Word* after = place < list.length() ? list.left(place + 1) : nullptr;
  const bool two = problem_.n_classes() == 2;
  for (std::size_t w = 0; w < problem_.group_words(); ++w) {
    const Word captured = after == nullptr ? left[w] : left[w] & ~after[w];
    bits::for_each_in_word(captured, w * bits::kWord, [&](std::size_t g) {
      two ? find_rows_of_two(g, now) : find_rows_of_many(g, now);
    });
  }
}

// Only the other label matters: a rule with the same label changes nothing here.
template <class Lane>
void LanePrices<Lane>::find_rows_of_two(std::size_t group, Label now) {
  add(1 - now, group, problem_.cost(group, now) - problem_.cost(group, 1 - now));
}

template <class Lane>
void LanePrices<Lane>::find_rows_of_many(std::size_t group, Label now) {
  add(any(), group, problem_.cost(group, now) - costs_.usual(group));
  for (const SparseCosts::Saving& saving : costs_.savings(group)) {
    add(saving.label, group, saving.weight);
  }
}

// Adds the rows of a rule. `relabels`: what is left to that rule may get another label.
template <class Lane>
std::uint64_t LanePrices<Lane>::add_rule(bool relabels) {
  const auto add_rows = add_masked(context_.kernels, Lane{});
  add_rows(base_.data(), bits_.data(), n_words_, rows_[any()].data(), rows_[any()].size());
  std::size_t n = rows_[any()].size() + 1;
  for (Label q = 0; q < any(); ++q) {
    if (rows_[q].empty()) continue;
    add_rows(part_.data(), bits_.data(), n_words_, rows_[q].data(), rows_[q].size());
    const auto whole = static_cast<Lane>(wholes_[q] + wholes_[any()]);
    relabel(context_.kernels, Lane{})(part_.data(), base_.data(), whole, n_lanes_, rest_.data(),
                                      sums(q));
    n += rows_[q].size() + 1;
  }
  if (!relabels) std::fill(rest_.begin(), rest_.end(), Lane{0});
  fold_rule();
  return n * n_words_;
}

template <class Lane>
void LanePrices<Lane>::fold_rule() {
  for (std::size_t s = 0; s < n_lanes_; ++s) {
    any_[s] = static_cast<Lane>(any_[s] + base_[s] + rest_[s]);
    base_[s] = rest_[s] = 0;
  }
}

template <class Lane>
void LanePrices<Lane>::raise_prices(std::size_t place) {
  if (place > static_cast<std::size_t>(std::numeric_limits<Lane>::max())) return;
  const std::optional<Label>& only = context_.constraints().rule_label;
  for (Label q = 0; q < any(); ++q) {
    if (only && q != *only) continue;
    raise(context_.kernels, Lane{})(sums(q), any_.data(), static_cast<Lane>(place), n_lanes_,
                                    most_.data(), places_.data());
  }
}

template <class Lane>
void LanePrices<Lane>::best(std::size_t n, std::size_t from, const Word* excluded,
                            std::vector<PricedInsert>& inserts) const {
  inserts.clear();
  const std::size_t end = problem_.n_antecedents();
  for (std::size_t i = 0; i < end; ++i) {
    const std::size_t s = i + from < end ? i + from : i + from - end;
    const auto antecedent = static_cast<Antecedent>(s);
    const Weight gain = (Weight{most_[s]} << shift_) - context_.constraints().surcharge(antecedent);
    if (inserts.size() == n && gain <= inserts.back().gain) continue;
    if (bits::test(excluded, s)) continue;
    if (inserts.size() == n) inserts.pop_back();
    const auto better = [&](const PricedInsert& other) { return other.gain < gain; };
    const auto at = std::find_if(inserts.begin(), inserts.end(), better);
    inserts.insert(at, {gain, antecedent, static_cast<std::size_t>(places_[s])});
  }
}

template <class Lane>
std::size_t LanePrices<Lane>::nbytes() const {
  std::size_t rows = 0;
  for (const std::vector<Row>& of_label : rows_) rows += of_label.capacity() * sizeof(Row);
  return bits_.size() * sizeof(Word) + rows + (sums_.size() + 6 * n_lanes_) * sizeof(Lane);
}

}  // namespace

std::unique_ptr<InsertPrices> InsertPrices::make(const SearchContext& context,
                                                 const SparseCosts& costs) {
  if (context.problem->largest_loss() <= std::numeric_limits<std::int16_t>::max()) {
    return std::make_unique<LanePrices<std::int16_t>>(context, costs);
  }
  return std::make_unique<LanePrices<std::int32_t>>(context, costs);
}

}  // namespace surelist
