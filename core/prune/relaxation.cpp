// A depth-first search over relaxed lists: each step bounds what 32 rules at a time can still take.
#include "prune/relaxation.hpp"

#include <algorithm>

#include "base/bits.hpp"

namespace surelist {
namespace {

constexpr std::size_t kMostSteps = 128;  // of the search; then the child is kept

}  // namespace

Relaxation::Taken::Taken(std::size_t n) {
  for (Label c = 0; c < 2; ++c) {
    most[c].resize(n);
    least[c].resize(n);
    next[c].resize(bits::words(n));
    last[c].resize(bits::words(n));
  }
}

// The bounds know nothing of required antecedents, or of a label that all rules must have.
Relaxation::Relaxation(const SearchContext& context, const LastRule& last_rule)
    : context_(context),
      is_known_(context.on(Bound::kRelaxation) && context.problem->n_classes() == 2 &&
                context.pairs.known() && context.constraints().required.empty() &&
                !context.constraints().rule_label) {
  if (!is_known_) return;
  pairs_.emplace(context);
  const std::size_t stride = context.pairs.stride();
  rank_.resize(stride);
  for (std::size_t t = 0; t < context.rank.size(); ++t) {
    rank_[t] = static_cast<Narrow>(context.rank[t] + 1);
  }
  taken_.assign(kMostRules + 1, Taken(stride));
  steps_.resize(taken_.size());
  rules_.resize(taken_.size());
  for (std::size_t i = 1; i < steps_.size(); ++i) {
    RelaxedStep& step = steps_[i];
    step.rank = rank_.data();
    step.worthless = context.pairs.down(context.scale.most_for_rule());
    for (Label c = 0; c < 2; ++c) {
      RelaxedStep::Class& of = step.classes[c];
      of.most = last_rule.gains(1 - c);
      of.least = last_rule.harms(c);
      of.taken_most = taken_[i - 1].most[c].data();
      of.taken_least = taken_[i - 1].least[c].data();
      of.now_most = taken_[i].most[c].data();
      of.now_least = taken_[i].least[c].data();
      of.next = taken_[i].next[c].data();
      of.last = taken_[i].last[c].data();
    }
  }
}

void Relaxation::reset(const CaptureCounts& counts, const BitSlices::Set& set) {
  pairs_->reset(counts, set);
  for (Label c = 0; c < 2; ++c) {
    const Weight whole = counts.cost(1 - c)[counts.total()] - counts.floor()[counts.total()];
    whole_most_[c] = context_.pairs.up(whole);
    whole_least_[c] = context_.pairs.down(whole);
  }
}

std::size_t Relaxation::start(const Budget& budget, Length length, Weight loss) {
  const Weight largest = context_.pairs.wide(std::numeric_limits<Narrow>::max());
  budgets_.clear();
  fewest_ = budget.shortest() > length ? budget.shortest() - length : 0;
  // One more than kMostRules, so that may_improve can tell that there are too many.
  for (Length k = 1; k <= kMostRules + 1 && length + k <= context_.max_length; ++k) {
    const Weight left = budget.at(length + k) - loss;
    if (left < 0) break;
    budgets_.push_back(context_.pairs.down(std::min(left, largest)));
  }
  return budgets_.size();
}

bool Relaxation::may_improve(Antecedent s, Label label) {
  n_steps_ = n_counted_ = 0;
  if (budgets_.empty()) return false;
  return budgets_.size() > kMostRules || take(1, s, label, 0);
}

// Adds a rule; whether some list that continues from there may keep to the budget. The cost of the
// first rule is contained in the loss already.
bool Relaxation::take(std::size_t n_rules, Antecedent s, Label label, Weight cost) {
  if (++n_steps_ > kMostSteps) return true;
  set_rule(n_rules, s, label);
  RelaxedStep& step = steps_[n_rules];
  step.budget_last = static_cast<Narrow>(budgets_[n_rules - 1] - cost);
  step.may_go_on = n_rules < budgets_.size() && budgets_[n_rules] >= cost;
  step.budget = step.may_go_on ? static_cast<Narrow>(budgets_[n_rules] - cost) : Narrow{0};
  context_.kernels.relax(step, context_.pairs.stride());
  const bool ends = refine(n_rules) && n_rules >= fewest_;
  return ends || (step.may_go_on && go_on(n_rules, cost));
}

void Relaxation::set_rule(std::size_t n_rules, Antecedent s, Label label) {
  RelaxedStep& step = steps_[n_rules];
  rules_[n_rules] = s;
  step.own_label = label;
  if (context_.on(Bound::kSameLabelOrder)) step.own_rank = rank_[s];
  for (Label c = 0; c < 2; ++c) {
    RelaxedStep::Class& of = step.classes[c];
    const SetPairs::Row row = pairs_->row(s, 1 - c);
    of.shared = row.overlap;
    of.apart = row.outside;
    of.own_most = of.most[s];
    of.own_least = of.least[s];
    of.own_whole =
        static_cast<Narrow>(context_.pairs.overlaps(s, 1 - c)[s] + context_.pairs.rounding());
    of.own_new = narrow::excess(of.own_most, of.taken_least[s]);
    of.own_taken = of.taken_most[s];
    of.whole = whole_most_[c];
    const int whole = taken_[n_rules - 1].whole[c] + of.own_new;
    taken_[n_rules].whole[c] = static_cast<Narrow>(std::min<int>(whole, whole_most_[c]));
    of.left = narrow::excess(whole_least_[c], taken_[n_rules].whole[c]);
  }
}

// Counts exactly what the candidates for the next rule share with the rules so far, which excludes
// some of them. Returns whether one of the others may be the last rule.
bool Relaxation::refine(std::size_t n_rules) {
  const RelaxedStep& step = steps_[n_rules];
  Taken& taken = taken_[n_rules];
  bool ends = false;
  for (Label label = 0; label < 2; ++label) {
    for (std::size_t w = 0; w < taken.next[label].size(); ++w) {
      Word next = 0;
      bits::for_each_in_word(taken.next[label][w] | taken.last[label][w], 0, [&](std::size_t bit) {
        const auto t = static_cast<Antecedent>(w * bits::kWord + bit);
        // The other class first, which bounds its cost: that excludes most.
        if (!stays(n_rules, t, label, 1 - label) || !stays(n_rules, t, label, label)) return;
        ends = ends || step.may_be_last(label, t);
        next |= static_cast<Word>(step.may_be_next(label, t)) << bit;
      });
      taken.next[label][w] = next;
    }
  }
  return ends;
}

// Whether t is still a candidate once the bounds for class c are exact.
bool Relaxation::stays(std::size_t n_rules, Antecedent t, Label label, Label c) {
  const RelaxedStep& step = steps_[n_rules];
  for (std::size_t first = n_rules; first > 0; --first) {
    if (!pairs_->refine(rules_[first], t, 1 - c)) continue;
    ++n_counted_;
    for (std::size_t i = first; i <= n_rules; ++i) steps_[i].classes[c].take(t);
    if (!step.may_be_last(label, t) && !step.may_be_next(label, t)) return false;
  }
  return true;
}

bool Relaxation::go_on(std::size_t n_rules, Weight cost) {
  const RelaxedStep& step = steps_[n_rules];
  for (Label label = 0; label < 2; ++label) {
    const Aligned<Word>& next = taken_[n_rules].next[label];
    const bool any = bits::any_of(next.data(), next.size(), [&](std::size_t t) {
      return take(n_rules + 1, static_cast<Antecedent>(t), label, cost + step.cost(label, t));
    });
    if (any) return true;
  }
  return false;
}

}  // namespace surelist
