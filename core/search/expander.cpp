#include "search/expander.hpp"

#include <algorithm>
#include <limits>

#include "base/bits.hpp"
#include "base/work.hpp"
#include "problem/bounds.hpp"

namespace surelist {
namespace {

constexpr Weight kNever = std::numeric_limits<Weight>::max() / 4;  // a limit that nothing reaches
// In the relaxation's units: what excluding a prefix is worth for each rule that might follow it,
// because those are what would be looked at instead.
constexpr std::uint64_t kWorkPerRule = 100;
constexpr std::uint64_t kWorkToLearn = 2048;
// Counted work: passes over the antecedents for each prefix, and elements for each child.
constexpr std::size_t kPassesPerPrefix = 8;
constexpr std::size_t kElementsPerChild = 100;
constexpr std::size_t kChildrenPerLook = 256;  // whether to stop: few problems have so many

void clear(Aligned<Word>& bits, std::size_t i) {
  bits[i / bits::kWord] &= ~(Word{1} << (i % bits::kWord));
}

// Whether a bound that excludes a child excludes its antecedent from all that follows.
constexpr bool rejects(Bound bound) {
  return bound == Bound::kSupport || bound == Bound::kAccurateSupport ||
         bound == Bound::kExcessiveSupport || bound == Bound::kRuleWorth;
}

// By verdict + 2: how often it was given, and whether it rejects.
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
      set_(problem_.group_words()),
      viable_(bits::words(problem_.n_antecedents())),
      accepted_(viable_.size()),
      counts_(context.counter),
      potential_(problem_, context.kernels),
      savings_(context),
      last_rule_(context),
      last_pair_(context, last_rule_),
      relaxation_(context, last_rule_),
      edits_(context),
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
    relaxation_trials_.emplace_back(kWorkPerRule * (n + 1), kWorkToLearn);
  }
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
  open(task);
  pruned_by_gain_ = gain_prunes_prefix();
  pruned_by_last_pair_ = !pruned_by_gain_ && last_pair_prunes_prefix();
  if (pruned_by_gain_ || pruned_by_last_pair_) return true;
  edits_.reset(antecedents_, labels_);
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

// Re-makes the set of groups not captured along the path: cheaper than keeping it for each prefix.
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
  set_is_cut_ = is_relaxed_ = false;
  if (on(Bound::kGainPotential) || on(Bound::kLastRule)) potential_.reset(counts_, viable_.data());
  if (context_.knows_net_gains() || relaxation_.is_known()) {
    last_rule_.reset(counts_, viable_.data());
  }
  if (savings_.is_known() && (on(Bound::kGainPotential) || on(Bound::kLastRule))) {
    savings_.reset(counts_, viable_.data());
  }
}

// With its own counts at hand, what the prefix can still gain is known better than when it was
// inserted.
bool Expander::gain_prunes_prefix() {
  if (!on(Bound::kGainPotential)) return false;
  for (Label q = 0; q < default_costs_.size(); ++q) {
    default_costs_[q] = counts_.cost(q)[counts_.total()];
  }
  GainPotential::Rest rest{.prefix_loss = parent_.prefix_loss,
                           .length = parent_.length,
                           .default_costs = default_costs_.data(),
                           .minority = counts_.floor()[counts_.total()]};
  use_net_gains(rest, kNoAntecedent);
  const MoreRules more{.least = 1, .most = context_.max_length - parent_.length};
  const LabelSavings::Rest saving{kNoAntecedent, parent_.prefix_loss, parent_.length};
  const bool prunes = potential_.prunes(rest, context_.scale, incumbent_.budget, more) ||
                      (knows_savings() && savings_.prunes(saving, incumbent_.budget, more));
  if (!prunes) return false;
  counters_.prune(Bound::kGainPotential);
  return true;
}

// Most children fall to a test on their counts alone; those are judged all at once.
void Expander::judge_children() {
  const std::size_t n = problem_.n_antecedents();
  for (Label q = 0; q < counts_.n_classes(); ++q) {
    context_.kernels.consider_label(counts_.cost(q), counts_.cost(q)[counts_.total()], q, n,
                                    loss_.data(), label_.data(), rest_.data());
  }
  price_rules();
  context_.kernels.judge(tests(), viable_.data(), n, verdicts_.data());
  // A required rule is there whatever it is worth.
  for (const Antecedent s : constraints_.required) {
    if (kRejects[verdicts_[s] + 2]) verdicts_[s] = ChildTests::kPasses;
  }
  test_savings();
  const std::uint64_t before = counters_.lower_bound_evaluations;
  sort_verdicts();
  for (std::size_t i = 0; i < n_passed_ && !stopped_; ++i) {
    evaluate(passed_[i]);
    if (i % kChildrenPerLook == kChildrenPerLook - 1) stopped_ = stopped_ || host_.must_abandon();
  }
  if (counters_.lower_bound_evaluations > before) {
    counters_.longest_prefix = std::max(counters_.longest_prefix, child_length());
  }
}

// With more than two classes, most children that passed fall to what their labels can save.
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

// Which children passed, which antecedents are rejected, and how many fell to which bound. Without
// a branch for each: nobody could predict them.
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

// What a rule costs besides λ: where its label is given, not the cheapest one, and its surcharge.
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
  // Rules that must come first keep their place.
  const bool ordered = on(Bound::kSameLabelOrder) && parent_.length > constraints_.first.size();
  tests.previous_rank = ordered ? context_.rank[parent_.antecedent] : -1;
  tests.least_support = on(Bound::kSupport) ? price : -kNever;
  tests.least_accurate = on(Bound::kAccurateSupport) ? price : -kNever;
  // The list that ends before the rule would lack what is still required.
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

// A child that passed: it may be an improvement, and it may have to stay.
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

// Whether at most one more rule may follow the child, and none can pay: a closer look at those that
// passed. Labels for which not even its gain alone could are left out.
bool Expander::last_rule_prunes(Antecedent s) {
  if (!on(Bound::kGainPotential) || !context_.knows_net_gains()) return false;
  counters_.work += last_rule_.work();
  const Budget& budget = incumbent_.budget;
  const std::size_t total = counts_.total();
  const Weight minority = counts_.floor()[total] - counts_.floor()[s];
  const Weight prefix_loss = parent_.prefix_loss + loss_[s];
  const Weight bound = least_loss(prefix_loss, minority);
  if (child_length() + 1 != context_.max_length &&
      !bounds::at_most_one_more(bound, budget.at(child_length() + 2))) {
    return false;
  }
  const Weight most = budget.at(child_length() + 1) - prefix_loss;
  for (Label q = 0; q < 2; ++q) {
    const Weight default_cost = counts_.cost(q)[total] - counts_.cost(q)[s];
    if (default_cost - std::min(potential_.largest(q), last_rule_.most_after(s, q)) > most)
      continue;
    if (default_cost - last_rule_.reach_after(s, q) <= most) return false;
  }
  return true;
}

// What every list loses at least that starts with a prefix, and leaves it this minority weight.
Weight Expander::least_loss(Weight prefix_loss, Weight minority) const {
  return on(Bound::kEquivalentPoints) ? bounds::equivalent_points(prefix_loss, minority)
                                      : prefix_loss;
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

// Whether anything that starts with the child and is longer could beat the incumbent, which may
// have improved since the child was judged.
bool Expander::worth_keeping(Child& child) {
  const Length length = child_length();
  const Budget& budget = incumbent_.budget;
  const Weight loss = child.bound_loss;
  if (on(Bound::kLookahead) && bounds::lookahead_prunes(loss, budget.at(length + 1))) {
    counters_.prune(Bound::kLookahead);
    return false;
  }
  if (length_prunes(loss)) return false;
  const bool at_most_one_more =
      length + 1 == context_.max_length || bounds::at_most_one_more(loss, budget.at(length + 2));
  const Following following = rules_that_may_follow(child, at_most_one_more);
  if (following == Following::kNone) return false;
  if (!on(Bound::kLastRule) || following == Following::kMore) return true;
  stopped_ = stopped_ || host_.must_abandon();
  if (!stopped_) look_at_last_rule(child);
  return false;
}

bool Expander::at_most_two_more(const Child& child) const {
  return at_most_two_follow(least_loss(child.prefix_loss, child.minority), child_length());
}

bool Expander::at_most_two_follow(Weight bound, Length length) const {
  return on(Bound::kLastRule) &&
         (length + 2 >= context_.max_length ||
          bounds::at_most_two_more(bound, incumbent_.budget.at(length + 3)));
}

bool Expander::last_pair_prunes_child(const Child& child) {
  return at_most_two_more(child) && pair_trials_.due() &&
         last_pair_prunes({child.prefix_loss, child_length(), child.antecedent}, pair_trials_);
}

// The same of the prefix itself, now that its own counts are at hand.
bool Expander::last_pair_prunes_prefix() {
  const Weight bound = least_loss(parent_.prefix_loss, counts_.floor()[counts_.total()]);
  return at_most_two_follow(bound, parent_.length) && own_pair_trials_.due() &&
         last_pair_prunes({parent_.prefix_loss, parent_.length, kNoAntecedent}, own_pair_trials_);
}

bool Expander::last_pair_prunes(const PairTest& test, Throttle& throttle) {
  if (!on(Bound::kLastPair) || !context_.knows_net_gains()) return false;
  const Antecedent s = test.s;
  const Weight with_one = incumbent_.budget.at(test.length + 1) - test.prefix_loss;
  const Weight with_two = incumbent_.budget.at(test.length + 2) - test.prefix_loss;
  for (Label q = 0; q < 2; ++q) {
    const Weight* cost = counts_.cost(q);
    const Weight default_cost = cost[counts_.total()] - (s == kNoAntecedent ? 0 : cost[s]);
    const LastPair::Needed needed{default_cost - with_one, default_cost - with_two};
    const bool may_gain = last_pair_.may_gain(s, q, needed);
    counters_.work += last_pair_.work();
    if (may_gain) return false;
  }
  throttle.hit();
  counters_.prune(Bound::kLastPair);
  return true;
}

// Few or many rules may follow, and the more, the longer it takes to find out.
bool Expander::relaxation_prunes(const Child& child) {
  if (!relaxation_.is_known()) return false;
  const Weight loss = bounds::equivalent_points(child.prefix_loss, child.minority);
  const std::size_t most = relaxation_.start(incumbent_.budget, child_length(), loss);
  if (most >= relaxation_trials_.size() || !relaxation_trials_[most].due()) return false;
  if (!is_relaxed_) relaxation_.reset(counts_, cut_set());
  is_relaxed_ = true;
  const bool may_improve = relaxation_.may_improve(child.antecedent, child.label);
  relaxation_trials_[most].took(relaxation_.work());
  counters_.work += Relaxation::kUnit * relaxation_.work();
  if (may_improve) return false;
  relaxation_trials_[most].hit();
  counters_.prune(Bound::kRelaxation);
  return true;
}

const BitSlices::Set& Expander::cut_set() {
  if (!set_is_cut_) context_.counter.slices().cut(set_.data(), set_cut_);
  set_is_cut_ = true;
  return set_cut_;
}

bool Expander::deletion_improves(const Child& child) {
  if (!on(Bound::kDeletion) || antecedents_.empty() || !deletion_trials_.due()) return false;
  if (!edits_.deletion_improves(child.antecedent, child.label)) return false;
  deletion_trials_.hit();
  counters_.prune(Bound::kDeletion);
  return true;
}

bool Expander::insertion_improves() {
  if (!on(Bound::kInsertion) || !edits_.may_insert()) return false;
  if (antecedents_.empty() || !insertion_trials_.due()) return false;
  if (!edits_.insertion_improves(counts_, viable_.data())) return false;
  insertion_trials_.hit();
  counters_.prune(Bound::kInsertion);
  return true;
}

bool Expander::length_prunes(Weight loss) {
  const Length length = child_length();
  if (on(Bound::kLengthTrivial) && length >= bounds::trivial_length(problem_.n_antecedents())) {
    counters_.prune(Bound::kLengthTrivial);
    return true;
  }
  if (on(Bound::kLengthObjective) && length >= incumbent_.longest) {
    counters_.prune(Bound::kLengthObjective);
    return true;
  }
  // What lookahead leaves may get longer.
  if (on(Bound::kLengthPrefix) && !on(Bound::kLookahead) &&
      bounds::length_from_prefix_prunes(context_.scale.of(loss, length), context_.scale.rule(),
                                        incumbent_.objective)) {
    counters_.prune(Bound::kLengthPrefix);
    return true;
  }
  return false;
}

// Gain potential of the child, from its parent's counts, where that of the length alone has said
// that at most one rule may follow, or has not. Raises the child's bound where more may.
Expander::Following Expander::rules_that_may_follow(Child& child, bool at_most_one_more) {
  const bool potential = on(Bound::kGainPotential);
  const Following by_length = at_most_one_more ? Following::kAtMostOne : Following::kMore;
  if (!potential && !(on(Bound::kLastRule) && at_most_one_more)) return by_length;
  for (Label q = 0; q < default_costs_.size(); ++q) {
    default_costs_[q] = counts_.cost(q)[counts_.total()] - counts_.cost(q)[child.antecedent];
  }
  const ObjectiveScale& scale = context_.scale;
  const Length length = child_length();
  const Length most = at_most_one_more ? 1 : context_.max_length - length;
  GainPotential::Rest rest{.prefix_loss = child.prefix_loss,
                           .length = length,
                           .default_costs = default_costs_.data(),
                           .minority = child.minority,
                           .used = child.antecedent};
  if (gain_prunes_child(rest, most)) {
    counters_.prune(potential ? Bound::kGainPotential : Bound::kLastRule);
    return Following::kNone;
  }
  if (at_most_one_more || !potential) return by_length;
  const LabelSavings::Rest saving{child.antecedent, child.prefix_loss, length};
  const MoreRules two_or_more{.least = 2, .most = most};
  const bool only_one =
      potential_.prunes(rest, scale, incumbent_.budget, two_or_more) ||
      (savings_.is_known() && savings_.prunes(saving, incumbent_.budget, two_or_more));
  if (only_one && on(Bound::kLastRule)) return Following::kAtMostOne;
  // Round down to a whole weight at one more rule: still a bound, and compact.
  Objective bound = potential_.lower_bound(rest, scale, most, context_.infinite);
  if (savings_.is_known()) bound = std::max(bound, savings_.lower_bound(saving, most));
  child.bound_loss =
      std::max(child.bound_loss, scale.weight_within(bound - scale.of(0, length + 1)));
  return only_one ? Following::kAtMostOne : Following::kMore;
}

// First by what any rule gains, which is at hand; then, where it is known, by net gains, which take
// a pass over the antecedents.
bool Expander::gain_prunes_child(GainPotential::Rest& rest, Length most) {
  const MoreRules more{.least = 1, .most = most};
  if (potential_.prunes(rest, context_.scale, incumbent_.budget, more)) return true;
  if (!context_.knows_net_gains()) return false;
  use_net_gains(rest, rest.used);
  return potential_.prunes(rest, context_.scale, incumbent_.budget, more);
}

// What the next rule can gain at best after the prefix, or after its child s.
void Expander::use_net_gains(GainPotential::Rest& rest, Antecedent s) {
  if (!context_.knows_net_gains()) return;
  counters_.work += last_rule_.work();
  for (Label q = 0; q < 2; ++q) {
    first_gains_[q] = s == kNoAntecedent ? last_rule_.reach(q) : last_rule_.reach_after(s, q);
  }
  rest.first_gains = first_gains_.data();
}

// The last rule needs no place in the tree: evaluate every single-rule completion now.
void Expander::look_at_last_rule(const Child& child) {
  counters_.prune(Bound::kLastRule);
  counters_.longest_prefix = std::max(counters_.longest_prefix, child_length() + 1);
  ++counters_.last_rule_looks;
  const Weight most = incumbent_.budget.at(child_length() + 1) - child.prefix_loss;
  const std::optional<LastRule::Found> found =
      missing_ == 0 ? find_last_rule(child, most) : count_last_rule(child, most);
  if (found) offer(child.prefix_loss + found->loss, {child.antecedent, found->antecedent});
}

std::optional<LastRule::Found> Expander::find_last_rule(const Child& child, Weight most) {
  counters_.work += work::elements(context_.pairs.stride() / 4) +
                    work::bytes(8 * context_.counter.slices().size());
  context_.counter.slices().cut_without(cut_set(), child.antecedent, child_cut_);
  if (savings_.is_known()) return savings_.find_last(child.antecedent, most, child_cut_);
  return last_rule_.find(child.antecedent, default_costs_.data(), most, child_cut_);
}

// Looks at every rule, or at the one that is still required.
std::optional<LastRule::Found> Expander::count_last_rule(const Child& child, Weight most) {
  const std::size_t missing = missing_after(child.antecedent);
  if (missing > 1) return std::nullopt;
  child_set_ = set_;
  bits::and_not(child_set_.data(), problem_.captured(child.antecedent), child_set_.size());
  antecedents_.push_back(child.antecedent);
  context_.counter.count(child_set_.data(), antecedents_, viable_.data(), child_counts_);
  counters_.work +=
      child_counts_.work() + work::elements(problem_.n_classes() * problem_.n_antecedents());
  antecedents_.pop_back();
  std::optional<LastRule::Found> found;
  const std::size_t total = child_counts_.total();
  bits::for_each(viable_.data(), viable_.size(), [&](std::size_t s) {
    const auto t = static_cast<Antecedent>(s);
    if (t == child.antecedent || (missing == 1 && !constraints_.requires_antecedent(t))) return;
    Weight loss = child_counts_.cost(0)[t];
    Weight rest = child_counts_.cost(0)[total] - loss;
    for (Label q = 1; q < child_counts_.n_classes(); ++q) {
      loss = std::min(loss, child_counts_.cost(q)[t]);
      rest = std::min(rest, child_counts_.cost(q)[total] - child_counts_.cost(q)[t]);
    }
    if (constraints_.rule_label) loss = child_counts_.cost(*constraints_.rule_label)[t];
    loss += constraints_.surcharge(t);
    if (loss + rest > most) return;
    found = {loss + rest, t};
    most = loss + rest - 1;
  });
  return found;
}

// An antecedent whose spread in the set is more than it shares with the child's last one anywhere
// keeps some of it. Counts are known for viable antecedents alone.
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
