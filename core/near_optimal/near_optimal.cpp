// The search for all lists within a threshold.
#include "near_optimal/near_optimal.hpp"

#include <algorithm>

#include "base/bits.hpp"
#include "base/work.hpp"

namespace surelist {
namespace {

constexpr std::uint64_t kLookEvery = work::kSecond / 200;

}  // namespace

NearOptimal::Level::Level(const SearchContext& context)
    : set(context.problem->group_words()),
      usable(bits::words(context.problem->n_antecedents())),
      counts(context.counter),
      reach(context) {}

NearOptimal::NearOptimal(std::shared_ptr<const Problem> problem, SearchOptions options)
    : context_(std::move(problem), std::move(options)),
      problem_(*context_.problem),
      hashes_(problem_),
      budget_(context_.scale, {0}) {}

bool NearOptimal::run(Objective threshold, const StoreLimits& limits, const GoOn& go_on) {
  running_ = std::make_unique<ListStore>(problem_, context_.scale, threshold, limits);
  budget_ = ThresholdBudget(context_.scale, threshold);
  go_on_ = go_on;
  stopped_ = false;
  next_look_ = work_;
  begin();
  offer_prefix();
  visit();
  if (!stopped_) {
    running_->finish();
    lists_ = std::move(running_);
  }
  running_.reset();
  return !stopped_;
}

// The prefix that every list begins with.
void NearOptimal::begin() {
  rules_.clear();
  prefix_.clear();
  if (levels_.empty()) levels_.push_back(std::make_unique<Level>(context_));
  Level& root = level();
  bits::fill(root.set.data(), problem_.n_groups());
  root.usable = context_.usable;
  root.loss = 0;
  root.missing = context_.constraints().missing({});
  root.predictions = {};
  for (const Antecedent s : context_.constraints().first) {
    Level& parent = level();
    context_.counter.count(parent.set.data(), prefix_, nullptr, parent.counts);
    open_child(parent, s, cheapest_rule(parent.counts, s));
  }
}

NearOptimal::Priced NearOptimal::cheapest_rule(const CaptureCounts& counts,
                                               std::size_t column) const {
  const std::optional<Label> only = context_.constraints().rule_label;
  Priced best{counts.cost(only.value_or(0))[column], only.value_or(0)};
  for (Label q = 1; !only && q < problem_.n_classes(); ++q) {
    if (counts.cost(q)[column] < best.loss) best = {counts.cost(q)[column], q};
  }
  return best;
}

// Of the whole set, less what one antecedent captures; `total()` stands for none.
NearOptimal::Priced NearOptimal::cheapest_default(const CaptureCounts& counts,
                                                  std::size_t without) const {
  Priced best{std::numeric_limits<Weight>::max(), 0};
  for (Label q = 0; q < problem_.n_classes(); ++q) {
    const Weight captured = without == counts.total() ? 0 : counts.cost(q)[without];
    const Weight cost = counts.cost(q)[counts.total()] - captured;
    if (cost < best.loss) best = {cost, q};
  }
  return best;
}

// The list of the prefix that all begin with.
void NearOptimal::offer_prefix() {
  Level& here = level();
  context_.counter.count(here.set.data(), prefix_, nullptr, here.counts);
  if (here.missing > 0) return;
  const Priced rest = cheapest_default(here.counts, here.counts.total());
  PredictionHash predictions = here.predictions;
  predictions += hashes_.sum(here.set.data(), nullptr, rest.label);
  add(rest.label, here.loss + rest.loss, predictions);
}

// Visits the children of the prefix.
void NearOptimal::visit() {
  if (rules_.size() >= longest()) return;
  Level& here = level();
  context_.counter.count(here.set.data(), prefix_, nullptr, here.counts);
  here.is_reach_known = false;
  ++n_expanded_;
  work_ += here.counts.work() + work::elements(problem_.n_antecedents());
  if (work_ >= next_look_) {
    next_look_ = work_ + kLookEvery;
    stopped_ = stopped_ || !go_on_(work_);
  }
  bits::for_each(here.usable.data(), here.usable.size(), [&](std::size_t s) {
    if (!stopped_) visit_child(here, static_cast<Antecedent>(s));
  });
}

void NearOptimal::visit_child(Level& here, Antecedent s) {
  const CaptureCounts& counts = here.counts;
  const auto length = static_cast<Length>(rules_.size() + 1);
  Priced rule = cheapest_rule(counts, s);
  rule.loss += here.loss + context_.constraints().surcharge(s);
  const Weight rest_floor = context_.on(Bound::kEquivalentPoints)
                                ? counts.floor()[counts.total()] - counts.floor()[s]
                                : 0;
  if (rule.loss + rest_floor > budget_.most_loss(length)) return;
  const bool demanded = context_.constraints().requires_antecedent(s);
  if (!demanded &&
      !bits::intersects(here.set.data(), problem_.captured(s), problem_.group_words())) {
    return;
  }
  const std::size_t missing = here.missing - (demanded ? 1 : 0);
  if (missing == 0) offer_list(here, s, rule);
  if (length >= longest() || !may_follow(here, s, rule.loss, missing)) return;
  rule.loss -= here.loss + context_.constraints().surcharge(s);
  open_child(here, s, rule);
  visit();
  rules_.pop_back();
  prefix_.pop_back();
}

bool NearOptimal::may_follow(Level& here, Antecedent s, Weight loss, std::size_t missing) {
  if (!here.is_reach_known) {
    here.reach.reset(here.counts, here.usable.data());
    here.is_reach_known = true;
  }
  const auto length = static_cast<Length>(rules_.size() + 1);
  const Reach::Child child{.antecedent = s,
                           .loss = loss,
                           .length = length,
                           .least_more = static_cast<Length>(std::max<std::size_t>(1, missing)),
                           .most_more = longest() - length};
  return here.reach.may_follow(here.counts, child, budget_);
}

void NearOptimal::open_child(const Level& parent, Antecedent s, const Priced& rule) {
  const Word* captured = problem_.captured(s);
  const Constraints& constraints = context_.constraints();
  if (levels_.size() == rules_.size() + 1) levels_.push_back(std::make_unique<Level>(context_));
  Level& child = *levels_[rules_.size() + 1];
  child.set = parent.set;
  child.usable = parent.usable;
  child.usable[s / bits::kWord] &= ~(Word{1} << (s % bits::kWord));
  bits::and_not(child.set.data(), captured, problem_.group_words());
  child.loss = parent.loss + constraints.surcharge(s) + rule.loss;
  child.missing = parent.missing - (constraints.requires_antecedent(s) ? 1 : 0);
  child.predictions = parent.predictions;
  child.predictions += hashes_.sum(parent.set.data(), captured, rule.label);
  rules_.push_back({s, rule.label});
  prefix_.push_back(s);
}

// The list of a child, if it is within the threshold.
void NearOptimal::offer_list(const Level& parent, Antecedent s, const Priced& rule) {
  const Priced rest = cheapest_default(parent.counts, s);
  const auto length = static_cast<Length>(rules_.size() + 1);
  if (rule.loss + rest.loss > budget_.most_loss(length)) return;
  const Word* captured = problem_.captured(s);
  PredictionHash predictions = parent.predictions;
  predictions += hashes_.sum(parent.set.data(), nullptr, rest.label);
  predictions -= hashes_.sum(parent.set.data(), captured, rest.label);
  predictions += hashes_.sum(parent.set.data(), captured, rule.label);
  rules_.push_back({s, rule.label});
  add(rest.label, rule.loss + rest.loss, predictions);
  rules_.pop_back();
  work_ += 3 * work::elements(problem_.n_groups());
}

void NearOptimal::add(Label default_label, Weight loss, const PredictionHash& predictions) {
  running_->add(rules_, default_label, loss, predictions);
  if (running_->threshold() < budget_.threshold()) {
    budget_ = ThresholdBudget(context_.scale, running_->threshold());
  }
}

}  // namespace surelist
