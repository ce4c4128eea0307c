#include "edits.hpp"

#include <algorithm>

#include "bits.hpp"
#include "bounds.hpp"

namespace surelist {
namespace {

// With two classes everything follows from the costs above floor.
std::size_t lanes(const SearchContext& context) {
  const std::size_t n_classes = context.problem->n_classes();
  return n_classes == 2 ? n_classes : n_classes + 2;
}

}  // namespace

PrefixEdits::PrefixEdits(const SearchContext& context)
    : context_(context),
      slices_(context.counter.slices()),
      once_(slices_, lanes(context)),
      scratch_(slices_, lanes(context)),
      used_(context.problem->n_antecedents()) {
  if (context.problem->n_classes() != 2) return;
  slices_.cut_all(scratch_);
  for (Label q = 0; q < 2; ++q) {
    whole_[q].resize(used_.size() + 1);
    for (std::size_t t = 0; t <= used_.size(); ++t) whole_[q][t] = slices_.sum(scratch_, t, q);
  }
}

void PrefixEdits::reset(const Prefix& prefix, const std::vector<Label>& labels) {
  prefix_ = &prefix;
  labels_ = &labels;
  knows_captured_ = knows_worth_ = false;
}

// What each rule captures.
void PrefixEdits::capture() {
  if (knows_captured_) return;
  knows_captured_ = true;
  slices_.cut_all(scratch_);
  while (rules_.size() < prefix_->size()) rules_.emplace_back(scratch_);
  for (std::size_t i = 0; i < prefix_->size(); ++i) {
    slices_.cut_within(scratch_, (*prefix_)[i], rules_[i].captured);
    slices_.cut_without(scratch_, (*prefix_)[i], scratch_);
  }
}

// What each rule is worth, given those that come after it. A group that one rule alone captures so
// far is what a later rule can still save something on.
void PrefixEdits::appraise() {
  if (knows_worth_) return;
  capture();
  knows_worth_ = true;
  slices_.clear(once_);
  for (std::size_t j = 0; j < prefix_->size(); ++j) {
    const Antecedent later = (*prefix_)[j];
    const Label label = (*labels_)[j];
    slices_.cut_within(once_, later, scratch_);
    for (std::size_t i = 0; i < j; ++i) {
      if (most_saved((*prefix_)[i], later, label) == 0) continue;
      rules_[i].worth -= saved(rules_[i].captured, scratch_, label);
    }
    rules_[j].worth = saved(rules_[j].captured, rules_[j].captured, label) -
                      context_.constraints().surcharge(later);
    slices_.cut_without(once_, later, once_);
    slices_.add(once_, rules_[j].captured);
  }
}

// What predicting the label saves of the ceilings of the groups in both sets.
Weight PrefixEdits::saved(const BitSlices::Set& set, const BitSlices::Set& other,
                          Label label) const {
  const auto n_classes = static_cast<Label>(context_.problem->n_classes());
  if (n_classes == 2) return slices_.sum_common(set, other, 1 - label);
  return slices_.sum_common(set, other, n_classes + 1) - slices_.sum_common(set, other, n_classes) -
         slices_.sum_common(set, other, label);
}

// The most that this can be for groups that an earlier antecedent captures.
Weight PrefixEdits::most_saved(Antecedent earlier, Antecedent s, Label label) const {
  if (context_.problem->n_classes() != 2) return context_.problem->total_weight();
  return context_.pairs.overlap(earlier, s, 1 - label);
}

bool PrefixEdits::may_delete(std::size_t i) const {
  const Constraints& constraints = context_.constraints();
  return i >= constraints.first.size() && !constraints.requires_antecedent((*prefix_)[i]);
}

bool PrefixEdits::deletion_improves(Antecedent added, Label label) {
  appraise();
  const Weight price = context_.scale.least_for_rule();
  bool is_cut = false;
  for (std::size_t i = 0; i < prefix_->size(); ++i) {
    const Rule& rule = rules_[i];
    const Weight least = rule.worth - most_saved((*prefix_)[i], added, label);
    if (!bounds::deletion_improves(least, price) || !may_delete(i)) continue;
    if (!is_cut) slices_.cut_within(once_, added, scratch_);
    is_cut = true;
    const Weight worth = rule.worth - saved(rule.captured, scratch_, label);
    if (bounds::deletion_improves(worth, price)) return true;
  }
  return false;
}

bool PrefixEdits::may_insert() const {
  const Constraints& constraints = context_.constraints();
  return context_.problem->n_classes() == 2 && !context_.options.max_length &&
         constraints.first.empty() && !constraints.rule_label;
}

bool PrefixEdits::insertion_improves(const CaptureCounts& counts, const Word* viable) {
  capture();
  slices_.clear(scratch_);  // groups predicted 1
  for (std::size_t i = 0; i < prefix_->size(); ++i) {
    if ((*labels_)[i] == 1) slices_.add(scratch_, rules_[i].captured);
    used_[(*prefix_)[i]] = true;
  }
  const std::size_t all = used_.size();
  const Weight rest = counts.cost(0)[counts.total()] - counts.floor()[counts.total()];
  // What its mistakes cost above floor: where it predicts 0, and 1.
  const Gains wrong{whole_[0][all] - slices_.sum(scratch_, all, 0) - rest,
                    slices_.sum(scratch_, all, 1)};
  bool improves = false;
  for (Antecedent t = 0; t < all && !improves; ++t) {
    if (!used_[t] && !bits::test(viable, t)) continue;
    Gains left{};  // a rule of the prefix captures nothing of the rest
    for (Label q = 0; q < 2 && !used_[t]; ++q) left[q] = counts.cost(q)[t] - counts.floor()[t];
    const Weight price =
        used_[t] ? 0 : context_.scale.most_for_rule() + context_.constraints().surcharge(t);
    improves = may_pay(t, left, wrong, price) && pays(t, left, price);
  }
  for (const Antecedent s : *prefix_) used_[s] = false;
  return improves;
}

// An upper bound from what is known already: t corrects no more than all mistakes, and harms
// whatever it captures beyond the mistakes of the other kind.
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
  const Gains ones{slices_.sum(scratch_, t, 0), slices_.sum(scratch_, t, 1)};
  const Gains zeros{whole_[0][t] - left[0] - ones[0], whole_[1][t] - left[1] - ones[1]};
  return bounds::insertion_improves(ones[1] - ones[0], left[0] + price) ||
         bounds::insertion_improves(zeros[0] - zeros[1], left[1] + price);
}

}  // namespace surelist
