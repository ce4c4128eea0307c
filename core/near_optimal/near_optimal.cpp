// The search for all lists within a threshold.
#include "near_optimal/near_optimal.hpp"

#include <algorithm>

#include "base/bits.hpp"
#include "base/work.hpp"

namespace surelist {
namespace {

constexpr std::uint64_t kLookEvery = work::kSecond / 200;
constexpr std::size_t kMostBytes = std::numeric_limits<std::size_t>::max() / 2;

// Half of the memory is for the lists; the other one for what is known of sets.
StoreLimits share_of(StoreLimits limits) {
  if (limits.bytes) *limits.bytes /= 2;
  return limits;
}

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
      completions_(problem_.group_words()),
      budget_(context_.scale, {0}) {}

bool NearOptimal::run(Objective threshold, const StoreLimits& limits, const GoOn& go_on) {
  running_ = std::make_unique<ListStore>(problem_, context_.scale, threshold, share_of(limits));
  completions_ = CompletionTable(problem_.group_words());
  completion_bytes_ = limits.bytes ? *limits.bytes / 2 : kMostBytes;
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
    open_child(parent, s, cheapest_rule(context_, parent.counts, s));
  }
}

// The list of the prefix that all begin with.
void NearOptimal::offer_prefix() {
  Level& here = level();
  context_.counter.count(here.set.data(), prefix_, nullptr, here.counts);
  if (here.missing > 0) return;
  const Priced rest = cheapest_default(context_, here.counts, here.counts.total());
  PredictionHash predictions = here.predictions;
  predictions += hashes_.sum(here.set.data(), nullptr, rest.label);
  add(rest.label, here.loss + rest.loss, predictions);
}

// Visits the children of the prefix, those first that may lead to the best lists: what is known of
// them settles many of the others.
void NearOptimal::visit() {
  Level& here = level();
  here.best_beyond = context_.infinite;
  here.candidates.clear();
  here.settled.clear();
  if (length() >= longest()) return;
  context_.counter.count(here.set.data(), prefix_, nullptr, here.counts);
  here.is_reach_known = false;
  ++n_expanded_;
  work_ += here.counts.work() + 16 * work::elements(problem_.n_antecedents());
  if (work_ >= next_look_) {
    next_look_ = work_ + kLookEvery;
    stopped_ = stopped_ || !go_on_(work_);
  }
  bits::for_each(here.usable.data(), here.usable.size(),
                 [&](std::size_t s) { judge_child(here, static_cast<Antecedent>(s)); });
  std::sort(here.candidates.begin(), here.candidates.end(),
            [](const Candidate& a, const Candidate& b) {
              return a.x != b.x ? a.x < b.x : a.antecedent < b.antecedent;
            });
  for (const Candidate& child : here.candidates) {
    if (stopped_) return;
    visit_child(here, child);
  }
}

// Offers the list of a child, and keeps the child if longer lists may begin with it.
void NearOptimal::judge_child(Level& here, Antecedent s) {
  const CaptureCounts& counts = here.counts;
  Candidate child{.antecedent = s, .rule = cheapest_rule(context_, counts, s)};
  child.loss = here.loss + context_.constraints().surcharge(s) + child.rule.loss;
  child.x = child.loss + counts.floor()[counts.total()] - counts.floor()[s];
  const Weight least = context_.on(Bound::kEquivalentPoints) ? child.x : child.loss;
  if (least > budget_.most_loss(length() + 1)) return;
  const bool demanded = context_.constraints().requires_antecedent(s);
  if (!demanded &&
      !bits::intersects(here.set.data(), problem_.captured(s), problem_.group_words())) {
    return;
  }
  child.missing = here.missing - (demanded ? 1 : 0);
  if (child.missing == 0) offer_list(here, child);
  if (length() + 1 < longest() && may_follow(here, child)) here.candidates.push_back(child);
}

void NearOptimal::visit_child(Level& here, const Candidate& child) {
  const Objective own = context_.scale.of(child.loss, length() + 1);
  if (sibling_settles(here, child)) return;
  open_child(here, child.antecedent, child.rule);
  Level& opened = level();
  const Length most_more = longest() - length();
  const bool remembers =
      context_.options.symmetry != Symmetry::kNone && context_.constraints().required.empty();
  if (remembers) {
    const std::optional<LeastCompletion> known = completions_.find(opened.set.data());
    if (known && known->most_more >= most_more && own + known->least > budget_.threshold()) {
      rules_.pop_back();
      prefix_.pop_back();
      return settle(here, child, known->least);
    }
  }
  visit();
  const Objective least = least_completion(opened);
  if (remembers && !stopped_) {
    completions_.record(opened.set.data(), {least, most_more}, completion_bytes_);
  }
  here.best_beyond = std::min(here.best_beyond, opened.best_beyond);
  rules_.pop_back();
  prefix_.pop_back();
  settle(here, child, least);
}

// What completing a set that was visited costs at least. Every list within the threshold was found.
Objective NearOptimal::least_completion(const Level& visited) const {
  const Objective beyond = budget_.threshold() + Objective{1};
  return std::min(visited.best_beyond, beyond) - context_.scale.of(visited.loss, length());
}

// One-sided similar support. Let B be the child that was settled, and A this one. A list after A,
// put after B, costs at most the spread of the groups more that B leaves and A does not; it may
// have rules there that capture nothing.
bool NearOptimal::sibling_settles(const Level& here, const Candidate& child) {
  if (!context_.on(Bound::kOneSidedSupport)) return false;
  const ObjectiveScale& scale = context_.scale;
  const Objective own = scale.of(child.x, length() + 1);
  const Word* captured = problem_.captured(child.antecedent);
  work_ += 4 * work::elements(here.settled.size());
  for (const Settled& settled : here.settled) {
    const Objective room = own + settled.least_above_floor - budget_.threshold() - Objective{1};
    const Weight most_spread = scale.weight_within(room);
    if (most_spread < 0) continue;
    const Word* other = problem_.captured(settled.antecedent);
    work_ += 8 * work::elements(problem_.group_words());
    Weight spread = 0;
    for (std::size_t w = 0; w < problem_.group_words() && spread <= most_spread; ++w) {
      bits::for_each_in_word(
          here.set[w] & captured[w] & ~other[w], w * bits::kWord,
          [&](std::size_t g) { spread += problem_.ceiling(g) - problem_.floor(g); });
    }
    if (spread <= most_spread) return true;
  }
  return false;
}

void NearOptimal::settle(Level& here, const Candidate& child, Objective least) {
  if (!context_.on(Bound::kOneSidedSupport) || !context_.constraints().required.empty()) return;
  const CaptureCounts& counts = here.counts;
  const Weight rest = cheapest_default(context_, counts, child.antecedent).loss;
  const Weight floor = child.x - child.loss;
  // Without the rules that capture nothing, the list is a completion, or has no rule left.
  const Objective above = std::min(least, context_.scale.of(rest, 1)) - context_.scale.loss(floor);
  here.settled.push_back({child.antecedent, child.x, above});
}

bool NearOptimal::may_follow(Level& here, const Candidate& candidate) {
  if (!here.is_reach_known) {
    here.reach.reset(here.counts, here.usable.data());
    here.is_reach_known = true;
  }
  const std::size_t least = std::max<std::size_t>(1, candidate.missing);
  const Reach::Child child{.antecedent = candidate.antecedent,
                           .loss = candidate.loss,
                           .length = length() + 1,
                           .least_more = static_cast<Length>(least),
                           .most_more = longest() - length() - 1};
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
void NearOptimal::offer_list(Level& parent, const Candidate& child) {
  const Priced rest = cheapest_default(context_, parent.counts, child.antecedent);
  const Weight loss = child.loss + rest.loss;
  if (loss > budget_.most_loss(length() + 1)) return;
  parent.best_beyond = std::min(parent.best_beyond, context_.scale.of(loss, length() + 1));
  const Word* captured = problem_.captured(child.antecedent);
  PredictionHash predictions = parent.predictions;
  predictions += hashes_.sum(parent.set.data(), nullptr, rest.label);
  predictions -= hashes_.sum(parent.set.data(), captured, rest.label);
  predictions += hashes_.sum(parent.set.data(), captured, child.rule.label);
  rules_.push_back({child.antecedent, child.rule.label});
  add(rest.label, loss, predictions);
  rules_.pop_back();
  work_ += 200 + 3 * work::elements(problem_.n_groups()) +
           8 * work::elements((rules_.size() + 2) * problem_.group_words());
}

void NearOptimal::add(Label default_label, Weight loss, const PredictionHash& predictions) {
  running_->add(rules_, default_label, loss, predictions);
  if (running_->threshold() < budget_.threshold()) {
    budget_ = ThresholdBudget(context_.scale, running_->threshold());
  }
}

}  // namespace surelist
