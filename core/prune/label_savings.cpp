// The sums for all children come from one kernel; here they are combined with budgets.
#include "prune/label_savings.hpp"

#include <algorithm>

#include "base/bits.hpp"

namespace surelist {

LabelSavings::LabelSavings(const SearchContext& context)
    : context_(context), n_antecedents_(context.problem->n_antecedents()) {
  if (context.problem->n_classes() <= 2) return;
  labels_.resize(context.problem->n_classes());
  for (Aligned<Weight>& saved : saved_) saved.resize(n_antecedents_ + 1);
  further_.resize(n_antecedents_ + 1);
  best_.resize(n_antecedents_);
  second_.resize(n_antecedents_);
}

void LabelSavings::reset(const CaptureCounts& counts, const Word* viable) {
  counts_ = &counts;
  viable_ = viable;
  const Kernels& kernels = context_.kernels;
  const Weight* ceiling = counts.ceiling();
  std::fill(best_.begin(), best_.end(), 0);
  std::fill(second_.begin(), second_.end(), 0);
  for (Label r = 0; r < labels_.size(); ++r) {
    LabelSaving& label = labels_[r];
    label.cost = counts.cost(r);
    label.total = ceiling[counts.total()] - label.cost[counts.total()];
    label.by_rule = {};
    if (!may_predict(r)) continue;
    label.by_rule = kernels.largest_gains(ceiling, label.cost, viable, n_antecedents_);
    kernels.rank_savings(ceiling, label.cost, n_antecedents_, best_.data(), second_.data());
  }
  for (Label q = 0; q < labels_.size(); ++q) {
    // If no rule may predict q, the best label of a rule is never q, even where q saves as much.
    const BestSavings savings{ceiling, best_.data(), (may_predict(q) ? second_ : best_).data()};
    LabelSaving& label = labels_[q];
    const LargestGains net = kernels.net_savings(savings, label.cost, viable, n_antecedents_);
    label.with_first = label.total + net.largest;
  }
  judge_prefix();
}

// P itself is judged as a child that captures nothing.
void LabelSavings::judge_prefix() {
  const Weight nothing = 0;
  Aligned<LabelSaving> labels = labels_;
  for (LabelSaving& label : labels) {
    label.cost = &nothing;
    label.by_rule.owner = kNoAntecedent;
  }
  SavingsAfter after{.labels = labels.data(),
                     .n_labels = labels.size(),
                     .ceiling = &nothing,
                     .saved = {},
                     .further = &further_[n_antecedents_]};
  for (std::size_t j = 0; j < kRules; ++j) after.saved[j] = &saved_[j][n_antecedents_];
  context_.kernels.savings_after(after, 1);
}

void LabelSavings::judge_children() {
  SavingsAfter after{.labels = labels_.data(),
                     .n_labels = labels_.size(),
                     .ceiling = counts_->ceiling(),
                     .saved = {},
                     .further = further_.data()};
  for (std::size_t j = 0; j < kRules; ++j) after.saved[j] = saved_[j].data();
  context_.kernels.savings_after(after, n_antecedents_);
}

template <class Visit>
void LabelSavings::for_each_length(const Rest& rest, Length most, Length shortest,
                                   Visit&& visit) const {
  const bool own = rest.s == kNoAntecedent;
  const std::size_t at = own ? n_antecedents_ : rest.s;
  const auto left = [&](const Weight* sums) {
    return sums[counts_->total()] - (own ? 0 : sums[at]);
  };
  const Weight ceiling = left(counts_->ceiling());
  const Weight floor = left(counts_->floor());
  Weight reached = ceiling;
  for (Length j = 1; j <= most; ++j) {
    reached = j <= kRules ? ceiling - saved_[j - 1][at] : reached - further_[at];
    reached = std::max(reached, floor);
    if (visit(j, rest.prefix_loss + reached)) return;
    // After kRules, each further rule adds the same: if that does not pay its λ, none does. (The
    // second rule is always visited: callers may ask for two or more.)
    const bool further_pays =
        j < kRules || rest.length + j < shortest || !context_.scale.within_rule(further_[at]);
    if (j > 1 && (reached == floor || !further_pays)) return;
  }
}

bool LabelSavings::prunes(const Rest& rest, const Budget& budget, MoreRules more) const {
  bool within = false;
  for_each_length(rest, more.most, budget.shortest(), [&](Length j, Weight loss) {
    within = j >= more.least && loss <= budget.at(rest.length + j);
    return within;
  });
  return !within;
}

Objective LabelSavings::lower_bound(const Rest& rest, Length most) const {
  Objective least = context_.infinite;
  for_each_length(rest, most, 0, [&](Length j, Weight loss) {
    least = std::min(least, context_.scale.of(loss, rest.length + j));
    return false;
  });
  return least;
}

// Rules t for label r, under default q, that may save `least_saved`. t saves at most what r saves
// on what t captures in S, and at most what r saves in all that s leaves. It harms at least what q
// saves on what t captures, less what q saves on what s captures.
void LabelSavings::find_candidates(Antecedent s, Weight least_saved) {
  candidates_.clear();
  const Weight* ceiling = counts_->ceiling();
  for (Label q = 0; q < labels_.size(); ++q) {
    const LabelSaving& by_default = labels_[q];
    if (by_default.with_first < least_saved) continue;
    const Weight spared = ceiling[s] - by_default.cost[s];
    const Weight needed = least_saved - (by_default.total - spared);
    for (Label r = 0; r < labels_.size(); ++r) {
      const LabelSaving& by_rule = labels_[r];
      const Weight left = by_rule.total - (ceiling[s] - by_rule.cost[s]);
      if (r == q || !may_predict(r) || std::min(left, by_rule.by_rule.largest) < needed) continue;
      bits::for_each(viable_, bits::words(n_antecedents_), [&](std::size_t t) {
        const Weight saved = std::min(left, ceiling[t] - by_rule.cost[t]);
        const Weight harm = std::max<Weight>(0, ceiling[t] - by_default.cost[t] - spared);
        if (saved - harm >= needed && t != s) {
          candidates_.push_back({q, r, static_cast<Antecedent>(t)});
        }
      });
    }
  }
}

std::optional<LastRule::Found> LabelSavings::find_last(Antecedent s, Weight most,
                                                       const BitSlices::Set& left) {
  const std::size_t total = counts_->total();
  find_candidates(s, counts_->ceiling()[total] - counts_->ceiling()[s] - most);
  const BitSlices& slices = context_.counter.slices();
  std::optional<LastRule::Found> found;
  for (const Candidate& candidate : candidates_) {
    const Weight* cost = counts_->cost(candidate.default_label);
    const Antecedent t = candidate.antecedent;
    const Weight loss = cost[total] - cost[s] - slices.sum(left, t, candidate.default_label) +
                        slices.sum(left, t, candidate.label) + context_.constraints().surcharge(t);
    if (loss > most) continue;
    found = {loss, t};
    most = loss - 1;
  }
  return found;
}

}  // namespace surelist
