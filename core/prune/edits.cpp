// Both tests first compare sums that are known already, which excludes most rules, and count
// exactly only for the others.
#include "prune/edits.hpp"

#include <algorithm>

#include "base/bits.hpp"
#include "problem/bounds.hpp"

namespace surelist {

PrefixEdits::PrefixEdits(const SearchContext& context)
    : context_(context),
      slices_(context.counter.slices()),
      walked_(slices_),
      used_(context.problem->n_antecedents()) {
  if (context.problem->n_classes() != 2) return;
  for (Label q = 0; q < 2; ++q) {
    whole_[q].resize(used_.size() + 1);
    for (std::size_t t = 0; t <= used_.size(); ++t) whole_[q][t] = slices_.sum_of_all_groups(t, q);
  }
}

void PrefixEdits::reset(const Prefix& prefix, const std::vector<Label>& labels) {
  prefix_ = &prefix;
  labels_ = &labels;
  is_walked_ = false;
}

// Computes what rules are worth and the sets that the tests need; false if there are too many
// rules.
bool PrefixEdits::walk() {
  if (prefix_->size() > BitSlices::kMostRules) return false;
  if (is_walked_) return true;
  slices_.walk(*prefix_, *labels_, walked_);
  for (std::size_t i = 0; i < prefix_->size(); ++i) {
    walked_.worth[i] -= context_.constraints().surcharge((*prefix_)[i]);
  }
  return is_walked_ = true;
}

// The most that a later rule saves of the ceilings of groups that an earlier antecedent captures.
Weight PrefixEdits::most_saved(Antecedent earlier, Antecedent s, Label label) const {
  if (context_.problem->n_classes() != 2) return context_.problem->total_weight();
  return context_.pairs.overlap(earlier, s, 1 - label);
}

bool PrefixEdits::may_delete(std::size_t i) const {
  const Constraints& constraints = context_.constraints();
  return i >= constraints.first.size() && !constraints.requires_antecedent((*prefix_)[i]);
}

std::optional<std::size_t> PrefixEdits::to_delete(Antecedent added, Label label) {
  if (!walk()) return std::nullopt;
  const Weight price = context_.scale.least_for_rule();
  for (std::size_t i = 0; i < prefix_->size(); ++i) {
    const Antecedent s = (*prefix_)[i];
    const Weight worth = walked_.worth[i];
    const Weight least = worth - most_saved(s, added, label);
    if (!bounds::deletion_improves(least, price) || !may_delete(i)) continue;
    const Weight saved = slices_.saved(walked_.once, s, added, label);
    if (bounds::deletion_improves(worth - saved, price)) return i;
  }
  return std::nullopt;
}

bool PrefixEdits::may_insert() const {
  const Constraints& constraints = context_.constraints();
  return context_.problem->n_classes() == 2 && !context_.options.max_length &&
         constraints.first.empty() && !constraints.rule_label;
}

std::optional<Antecedent> PrefixEdits::to_insert(const CaptureCounts& counts, const Word* viable) {
  if (!walk()) return std::nullopt;
  for (const Antecedent s : *prefix_) used_[s] = true;
  const std::size_t all = used_.size();
  const Weight rest = counts.cost(0)[counts.total()] - counts.floor()[counts.total()];
  // The cost above floor of its mistakes: where it predicts 0, and where it predicts 1.
  const Gains wrong{whole_[0][all] - slices_.sum(walked_.ones, all, 0) - rest,
                    slices_.sum(walked_.ones, all, 1)};
  std::optional<Antecedent> found;
  for (Antecedent t = 0; t < all && !found; ++t) {
    if (!used_[t] && !bits::test(viable, t)) continue;
    Gains left{};  // a rule of the prefix captures nothing of the rest
    for (Label q = 0; q < 2 && !used_[t]; ++q) left[q] = counts.cost(q)[t] - counts.floor()[t];
    const Weight price =
        used_[t] ? 0 : context_.scale.most_for_rule() + context_.constraints().surcharge(t);
    if (may_pay(t, left, wrong, price) && pays(t, left, price)) found = t;
  }
  for (const Antecedent s : *prefix_) used_[s] = false;
  return found;
}

// An upper bound from sums that are known already: t corrects at most all mistakes of one kind, and
// harms at least what it captures beyond the mistakes of the other kind.
bool PrefixEdits::may_pay(Antecedent t, const Gains& left, const Gains& wrong, Weight price) const {
  const auto gains = [&](Label q) {  // by predicting q where it is 1 - q now
    const Weight most = std::min(whole_[1 - q][t] - left[1 - q], wrong[1 - q]);
    const Weight least_harm = std::max(left[q], whole_[q][t] - wrong[q]);
    return bounds::insertion_improves(most, least_harm + price);
  };
  return gains(0) || gains(1);
}

// Whether t in front gains more than the price, for either label.
bool PrefixEdits::pays(Antecedent t, const Gains& left, Weight price) const {
  const Gains ones{slices_.sum(walked_.ones, t, 0), slices_.sum(walked_.ones, t, 1)};
  const Gains zeros{whole_[0][t] - left[0] - ones[0], whole_[1][t] - left[1] - ones[1]};
  return bounds::insertion_improves(ones[1] - ones[0], left[0] + price) ||
         bounds::insertion_improves(zeros[0] - zeros[1], left[1] + price);
}

}  // namespace surelist
