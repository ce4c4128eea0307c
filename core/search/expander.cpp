// The paper's inner loop: count once for all children, judge all of them by their counts, then look
// at the few that passed.
#include "search/expander.hpp"

#include <algorithm>
#include <limits>

#include "base/bits.hpp"
#include "base/work.hpp"
#include "problem/bounds.hpp"

namespace surelist {
namespace {

constexpr Weight kNever = std::numeric_limits<Weight>::max() / 4;  // for tests that are off
// The relaxation is throttled by its work, in its own units: a hit may take so many for each rule
// that may follow, because the hit saves the search below.
constexpr std::uint64_t kWorkPerRule = 100;
constexpr std::uint64_t kWorkToLearn = 2048;
// Pairs are counted while one child in so many is excluded by it; judged after so many, few where
// an expansion is cheap.
constexpr std::uint64_t kCountsPerHit = 64;
constexpr std::uint64_t kManyCounts = 1024;
constexpr std::uint64_t kFewCounts = 128;
// Counted work: passes over the antecedents for each prefix, and elements for each child.
constexpr std::size_t kPassesPerPrefix = 8;
constexpr std::size_t kElementsPerChild = 100;
constexpr std::size_t kChildrenPerLook = 256;  // asks this often whether to stop

void clear(Aligned<Word>& bits, std::size_t i) {
  bits[i / bits::kWord] &= ~(Word{1} << (i % bits::kWord));
}

// Whether a bound that excludes a child also rejects its antecedent, for all extensions of the
// parent.
constexpr bool rejects(Bound bound) {
  return bound == Bound::kSupport || bound == Bound::kAccurateSupport ||
         bound == Bound::kExcessiveSupport || bound == Bound::kRuleWorth;
}

// By verdict + 2: how often it occurs, and whether it rejects.
using Tally = std::array<std::uint32_t, kBounds + 2>;

constexpr std::array<bool, kBounds + 2> kRejects = [] {
  std::array<bool, kBounds + 2> table{};
  for (std::size_t b = 0; b < kBounds; ++b) table[b + 2] = rejects(static_cast<Bound>(b));
  return table;
}();

}  // namespace

Expander::Expander(const SearchContext& context, ExpanderHost& host)
    : context_(context),
      problem_(*context.problem),
      constraints_(context.constraints()),
      host_(host),
      count_throttle_(kCountsPerHit, context.counter.by_columns() ? kManyCounts : kFewCounts),
      set_(problem_.group_words()),
      viable_(bits::words(problem_.n_antecedents())),
      accepted_(viable_.size()),
      counts_(context.counter),
      potential_(problem_, context.kernels),
      savings_(context),
      last_rule_(context),
      last_pair_(context, last_rule_),
      relaxation_(context, last_rule_),
      similar_sets_(context),
      edits_(context),
      replacement_(context),
      siblings_(context),
      set_cut_(context.counter.slices()),
      loss_(problem_.n_antecedents()),
      label_(problem_.n_antecedents()),
      rest_(problem_.n_antecedents()),
      verdicts_(problem_.n_antecedents()),
      passed_(problem_.n_antecedents()),
      default_costs_(problem_.n_classes()),
      child_counts_(context.counter),
      child_set_(problem_.group_words()),
      candidates_(viable_.size()),
      kept_(viable_.size()),
      child_cut_(context.counter.slices()) {
  incumbent_.reset(context, context.infinite);
  for (std::size_t n = 0; n <= Relaxation::kMostRules; ++n) {
    relaxation_throttles_.emplace_back(kWorkPerRule * (n + 1), kWorkToLearn);
  }
}

void Expander::look_for(Length shortest) {
  if (shortest == incumbent_.shortest) return;
  incumbent_.shortest = shortest;
  incumbent_.reset(context_, incumbent_.objective);
}

void Expander::set_best(Objective best) {
  if (best != incumbent_.objective) incumbent_.reset(context_, best);
}

void Expander::offer(Weight loss, std::initializer_list<Antecedent> added) {
  Prefix prefix = antecedents_;
  prefix.insert(prefix.end(), added);
  const auto length = static_cast<Length>(prefix.size());
  set_best(host_.offer(context_.scale.of(loss, length), prefix));
}

bool Expander::expand(const Task& task, Objective best) {
  set_best(best);
  stopped_ = false;
  children_.clear();
  siblings_.reset();  // a prefix that is pruned as a whole drops no child
  open(task);
  pruned_by_gain_ = gain_prunes_prefix();
  pruned_by_last_pair_ = !pruned_by_gain_ && last_pair_prunes_prefix();
  if (pruned_by_gain_ || pruned_by_last_pair_) return true;
  edits_.reset(antecedents_, labels_);
  replacement_.reset(antecedents_, labels_);
  ++counters_.expanded;
  judge_children();
  counters_.work += work::elements(kElementsPerChild * children_.size() +
                                   n_passed_ * context_.pairs.stride() / kNarrowLanes);
  if (stopped_) return false;
  if (!siblings_.drop_similar(children_, counts_, set_.data(), counters_,
                              [this] { return host_.must_abandon(); })) {
    stopped_ = true;
    return false;
  }
  return true;
}

// Computes the set of groups not captured from the path: cheaper than storing it for each prefix.
void Expander::open(const Task& task) {
  parent_ = task.record;
  antecedents_ = task.antecedents;
  labels_ = task.labels;
  bits::fill(set_.data(), problem_.n_groups());
  // Theorem "Antecedent rejection propagates": what an ancestor rejected is not tried again.
  viable_ = task.viable.empty() ? context_.usable : task.viable;
  captured_.clear();
  for (const Antecedent s : antecedents_) {
    captured_.push_back(problem_.captured(s));
    clear(viable_, s);
  }
  context_.kernels.leave(set_.data(), captured_.data(), captured_.size(), set_.size(), set_.data());
  accepted_ = viable_;
  missing_ = constraints_.missing(antecedents_);
  context_.counter.count(set_.data(), antecedents_, viable_.data(), counts_);
  counters_.work += counts_.work() + work::elements(kPassesPerPrefix * problem_.n_antecedents());
  set_is_cut_ = is_relaxed_ = is_compared_ = false;
  if (on(Bound::kGainPotential) || on(Bound::kLastRule)) potential_.reset(counts_, viable_.data());
  if (context_.knows_net_gains() || relaxation_.is_known()) {
    last_rule_.reset(counts_, viable_.data());
  }
  if (savings_.is_known() && (on(Bound::kGainPotential) || on(Bound::kLastRule))) {
    savings_.reset(counts_, viable_.data());
  }
}

// Most children are excluded by their counts alone, all at once in a kernel.
void Expander::judge_children() {
  const std::size_t n = problem_.n_antecedents();
  for (Label q = 0; q < counts_.n_classes(); ++q) {
    context_.kernels.consider_label(counts_.cost(q), counts_.cost(q)[counts_.total()], q, n,
                                    loss_.data(), label_.data(), rest_.data());
  }
  price_rules();
  context_.kernels.judge(tests(), viable_.data(), n, verdicts_.data());
  // A required rule cannot be rejected.
  for (const Antecedent s : constraints_.required) {
    if (kRejects[verdicts_[s] + 2]) verdicts_[s] = ChildTests::kPasses;
  }
  test_savings();
  const std::uint64_t before = counters_.lower_bound_evaluations;
  sort_verdicts();
  if (similar_sets_.is_known()) sort_passed();
  for (std::size_t i = 0; i < n_passed_ && !stopped_; ++i) {
    evaluate(passed_[i]);
    if (i % kChildrenPerLook == kChildrenPerLook - 1) stopped_ = stopped_ || host_.must_abandon();
  }
  if (counters_.lower_bound_evaluations > before) {
    counters_.longest_prefix = std::max(counters_.longest_prefix, child_length());
  }
}

// With more than two classes, label savings exclude most of the children that passed.
void Expander::test_savings() {
  if (!knows_savings() || !context_.may_extend(child_length())) return;
  savings_.judge_children();
  const Weight improving = incumbent_.budget.at(child_length()) - parent_.prefix_loss;
  for (Antecedent s = 0; s < verdicts_.size(); ++s) {
    if (verdicts_[s] != ChildTests::kPasses || loss_[s] + rest_[s] <= improving) continue;
    const LabelSavings::Rest rest{s, parent_.prefix_loss + loss_[s], child_length()};
    if (savings_.prunes(rest, incumbent_.budget, {.most = context_.max_length - child_length()})) {
      verdicts_[s] = static_cast<ChildTests::Verdict>(Bound::kGainPotential);
    }
  }
}

// Which children passed, which antecedents are rejected, and how many children each bound has
// excluded. Without branches, which no processor could predict.
void Expander::sort_verdicts() {
  Tally tally{};
  n_passed_ = 0;
  for (std::size_t first = 0; first < verdicts_.size(); first += bits::kWord) {
    const std::size_t end = std::min(bits::kWord, verdicts_.size() - first);
    Word rejected = 0;
    for (std::size_t i = 0; i < end; ++i) {
      const ChildTests::Verdict verdict = verdicts_[first + i];
      ++tally[verdict + 2];
      rejected |= static_cast<Word>(kRejects[verdict + 2]) << i;
      passed_[n_passed_] = static_cast<Antecedent>(first + i);
      n_passed_ += verdict == ChildTests::kPasses;
    }
    accepted_[first / bits::kWord] &= ~rejected;
  }
  for (std::size_t b = 0; b < kBounds; ++b) {
    const auto bound = static_cast<Bound>(b);
    counters_.pruned[b] += tally[b + 2];
    if (rejects(bound) || bound == Bound::kSameLabelOrder) continue;
    counters_.lower_bound_evaluations += tally[b + 2];
    if (bound != Bound::kHierarchical) counters_.evaluated += tally[b + 2];
  }
}

// By falling support.
void Expander::sort_passed() {
  n_passed_ = 0;
  for (const Antecedent s : similar_sets_.in_order()) {
    passed_[n_passed_] = s;
    n_passed_ += verdicts_[s] == ChildTests::kPasses;
  }
}

// The loss of each rule: with the label that all rules must have, if there is one, and its
// surcharge.
void Expander::price_rules() {
  if (const std::optional<Label> label = constraints_.rule_label) {
    std::copy_n(counts_.cost(*label), loss_.size(), loss_.begin());
    std::fill(label_.begin(), label_.end(), static_cast<Weight>(*label));
  }
  for (std::size_t s = 0; s < constraints_.surcharges.size(); ++s) {
    loss_[s] += constraints_.surcharges[s];
  }
}

ChildTests Expander::tests() const {
  const std::size_t total = counts_.total();
  const Budget& budget = incumbent_.budget;
  const Weight here = budget.at(child_length()) - parent_.prefix_loss;
  const Weight next = budget.at(child_length() + 1) - parent_.prefix_loss;
  const Weight price = context_.scale.least_for_rule();
  ChildTests tests;
  tests.loss = loss_.data();
  tests.rest = rest_.data();
  tests.label = label_.data();
  tests.floor = counts_.floor();
  tests.ceiling = counts_.ceiling();
  tests.weight = counts_.weight();
  tests.rank = context_.rank.data();
  tests.set_weight = counts_.weight()[total];
  tests.set_floor = counts_.floor()[total];
  tests.minority_counts = on(Bound::kEquivalentPoints) ? 1 : 0;
  tests.previous_label = parent_.label;
  // The rules that every list begins with are not reordered.
  const bool ordered = on(Bound::kSameLabelOrder) && parent_.length > constraints_.first.size();
  tests.previous_rank = ordered ? context_.rank[parent_.antecedent] : -1;
  tests.least_support = on(Bound::kSupport) ? price : -kNever;
  tests.least_accurate = on(Bound::kAccurateSupport) ? price : -kNever;
  // The theorem compares with the list that ends before the rule; that must have all that is
  // required.
  tests.least_left = on(Bound::kExcessiveSupport) && missing_ == 0 ? price : -kNever;
  tests.most_worthless = on(Bound::kRuleWorth) ? context_.scale.most_for_rule() : -kNever;
  tests.budget = on(Bound::kHierarchical) ? here : kNever;
  tests.lookahead_budget = on(Bound::kLookahead) ? next : kNever;
  tests.improving = here;
  test_last_rule(tests);
  return tests;
}

void Expander::test_last_rule(ChildTests& tests) const {
  const bool two = problem_.n_classes() == 2;
  for (Label q = 0; q < 2; ++q) {
    const Weight* cost = counts_.cost(q);
    tests.last[q] = {.cost = cost,
                     .total = cost[counts_.total()],
                     .largest = potential_.largest(q),
                     .reach = two ? last_rule_.reach(q) : 0};
  }
  const bool known = on(Bound::kGainPotential) && context_.knows_net_gains();
  const bool only = child_length() + 1 == context_.max_length;
  tests.last_budget = incumbent_.budget.at(child_length() + 2) - parent_.prefix_loss;
  if (only) tests.last_budget = -kNever;
  if (!known || !context_.may_extend(child_length())) tests.last_budget = kNever;
  tests.next_budget = incumbent_.budget.at(child_length() + 1) - parent_.prefix_loss;
}

// A child that passed its tests: offers it if it is better, and keeps it unless it is pruned.
void Expander::evaluate(Antecedent s) {
  ++counters_.lower_bound_evaluations;
  ++counters_.evaluated;
  const Weight loss = parent_.prefix_loss + loss_[s] + rest_[s];
  if (loss <= incumbent_.budget.at(child_length()) && missing_after(s) == 0) offer(loss, {s});
  if (!context_.may_extend(child_length())) return;
  if (last_rule_prunes(s)) return counters_.prune(Bound::kGainPotential);
  Child child = measure(s);
  if (worth_keeping(child)) children_.push_back(child);
}

Child Expander::measure(Antecedent s) const {
  Child child;
  child.antecedent = s;
  child.label = static_cast<Label>(label_[s]);
  child.captured = counts_.weight()[s];
  child.prefix_loss = parent_.prefix_loss + loss_[s];
  child.default_loss = rest_[s];
  child.minority = counts_.floor()[counts_.total()] - counts_.floor()[s];
  child.bound_loss = least_loss(child.prefix_loss, child.minority);
  return child;
}

// If an antecedent's spread in the set is more than all that it shares with the child's last
// antecedent, it captures some of what the child leaves. Counts are known for viable antecedents
// only.
const Word* Expander::may_be_captured(const Child& child) {
  bits::fill(candidates_.data(), problem_.n_antecedents());
  if (problem_.n_classes() != 2) return candidates_.data();
  context_.kernels.spread_above(
      counts_.ceiling(), counts_.floor(), context_.pairs.overlaps(child.antecedent, 0),
      context_.pairs.overlaps(child.antecedent, 1), context_.pairs.shift(), viable_.data(),
      problem_.n_antecedents(), kept_.data());
  bits::and_not(candidates_.data(), kept_.data(), kept_.size());
  return candidates_.data();
}

}  // namespace surelist
