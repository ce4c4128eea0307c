// Counting lists over the graph of states, and making a list from its number.
#include "near_optimal/list_counter.hpp"

#include <algorithm>

#include "base/bits.hpp"
#include "base/work.hpp"

namespace surelist {
namespace {

constexpr std::uint64_t kLookEvery = work::kSecond / 200;
constexpr std::size_t kMoreKeyWords = 2;  // required antecedents, and rules that may come
constexpr std::size_t kMostRequired = bits::kWord;
constexpr Objective kBelowAll{-(Wide{1} << 126)};

Tally sum(Tally a, Tally b) {
  constexpr Tally most = Tally{1} << 127;  // of both, so that the sum cannot overflow
  if (a + b >= most) throw InputError("there are too many lists to be counted");
  return a + b;
}

}  // namespace

ListCounter::Level::Level(const SearchContext& context)
    : set(context.problem->group_words()),
      usable(bits::words(context.problem->n_antecedents())),
      counts(context.counter),
      reach(context),
      key(context.problem->group_words() + kMoreKeyWords) {}

ListCounter::ListCounter(std::shared_ptr<const Problem> problem, SearchOptions options)
    : context_(std::move(problem), std::move(options)),
      problem_(*context_.problem),
      tallies_(problem_.group_words() + kMoreKeyWords),
      budget_(context_.scale, {0}) {
  if (context_.constraints().required.size() > kMostRequired) {
    throw InputError("lists with more than 64 required antecedents are not counted");
  }
}

std::optional<Tally> ListCounter::count(Objective threshold, std::size_t most_bytes,
                                        const GoOn& go_on) {
  most_bytes_ = most_bytes;
  budget_ = ThresholdBudget(context_.scale, threshold);
  go_on_ = &go_on;
  next_look_ = work_;
  stopped_ = false;
  if (!begin()) return 0;
  Level& root = level();
  context_.counter.count(root.set.data(), prefix_, nullptr, root.counts);
  const Weight rest = cheapest_default(context_, root.counts, root.counts.total()).loss;
  const bool ends = root.missing == 0 && root.loss + rest <= budget_.most_loss(length());
  const CountedCompletions longer = completions();
  if (stopped_) return std::nullopt;
  return sum(longer.count, ends ? 1 : 0);
}

bool ListCounter::read(Tally start, std::uint64_t n, const Take& take, const GoOn& go_on) {
  go_on_ = &go_on;
  next_look_ = work_;
  stopped_ = false;
  if (!begin()) return true;
  Reading reading{start, n, take};
  Level& root = level();
  context_.counter.count(root.set.data(), prefix_, nullptr, root.counts);
  const Priced rest = cheapest_default(context_, root.counts, root.counts.total());
  if (root.missing == 0 && root.loss + rest.loss <= budget_.most_loss(length())) {
    hand_over(reading, rest.label, root.loss + rest.loss);
  }
  read_children(reading);
  return !stopped_;
}

// The prefix that every list begins with; false if it is too long.
bool ListCounter::begin() {
  rules_.clear();
  prefix_.clear();
  if (levels_.empty()) levels_.push_back(std::make_unique<Level>(context_));
  const Constraints& constraints = context_.constraints();
  Level& root = level();
  bits::fill(root.set.data(), problem_.n_groups());
  root.usable = context_.usable;
  root.loss = 0;
  root.missing = constraints.missing({});
  const std::size_t n = constraints.required.size();
  root.lacks = n == 0 ? 0 : ~Word{0} >> (bits::kWord - n);
  for (const Antecedent s : constraints.first) {
    Level& parent = level();
    context_.counter.count(parent.set.data(), prefix_, nullptr, parent.counts);
    Child child{.antecedent = s, .rule = cheapest_rule(context_, parent.counts, s), .rest = {}};
    child.loss = parent.loss + constraints.surcharge(s) + child.rule.loss;
    open(parent, child);
  }
  return length() <= context_.max_length;
}

void ListCounter::look() {
  if (work_ < next_look_) return;
  next_look_ = work_ + kLookEvery;
  stopped_ = stopped_ || !(*go_on_)(work_);
}

void ListCounter::open(const Level& parent, const Child& child) {
  const Antecedent s = child.antecedent;
  const Constraints& constraints = context_.constraints();
  if (levels_.size() == rules_.size() + 1) levels_.push_back(std::make_unique<Level>(context_));
  Level& opened = *levels_[rules_.size() + 1];
  opened.set = parent.set;
  opened.usable = parent.usable;
  opened.usable[s / bits::kWord] &= ~(Word{1} << (s % bits::kWord));
  bits::and_not(opened.set.data(), problem_.captured(s), problem_.group_words());
  opened.loss = child.loss;
  opened.missing = parent.missing;
  opened.lacks = parent.lacks;
  for (std::size_t i = 0; i < constraints.required.size(); ++i) {
    const Word bit = Word{1} << i;
    if (constraints.required[i] != s || (opened.lacks & bit) == 0) continue;
    opened.lacks &= ~bit;
    --opened.missing;
  }
  rules_.push_back({s, child.rule.label});
  prefix_.push_back(s);
}

void ListCounter::close() {
  rules_.pop_back();
  prefix_.pop_back();
}

// The rules that may follow and lead to a list within the threshold.
void ListCounter::find_children(Level& here) {
  here.children.clear();
  if (length() >= context_.max_length) return;
  context_.counter.count(here.set.data(), prefix_, nullptr, here.counts);
  work_ += here.counts.work() + 16 * work::elements(problem_.n_antecedents());
  if (length() + 1 < context_.max_length) here.reach.reset(here.counts, here.usable.data());
  bits::for_each(here.usable.data(), here.usable.size(), [&](std::size_t s) {
    const Child child = judge(here, static_cast<Antecedent>(s));
    if (child.ends || child.continues) here.children.push_back(child);
  });
}

ListCounter::Child ListCounter::judge(const Level& here, Antecedent s) {
  const CaptureCounts& counts = here.counts;
  Child child{.antecedent = s, .rule = cheapest_rule(context_, counts, s), .rest = {}};
  child.loss = here.loss + context_.constraints().surcharge(s) + child.rule.loss;
  const Weight floor = context_.on(Bound::kEquivalentPoints)
                           ? counts.floor()[counts.total()] - counts.floor()[s]
                           : 0;
  if (child.loss + floor > budget_.most_loss(length() + 1)) return child;
  const bool demanded = context_.constraints().requires_antecedent(s);
  if (!demanded && !captures_something(here, s)) return child;
  const std::size_t missing = here.missing - (demanded ? 1 : 0);
  child.rest = cheapest_default(context_, counts, s);
  child.ends = missing == 0 && child.loss + child.rest.loss <= budget_.most_loss(length() + 1);
  if (length() + 1 >= context_.max_length) return child;
  const Reach::Child next{.antecedent = s,
                          .loss = child.loss,
                          .length = length() + 1,
                          .least_more = static_cast<Length>(std::max<std::size_t>(1, missing)),
                          .most_more = context_.max_length - length() - 1};
  child.continues = here.reach.may_follow(counts, next, budget_);
  return child;
}

bool ListCounter::captures_something(const Level& here, Antecedent s) const {
  return bits::intersects(here.set.data(), problem_.captured(s), problem_.group_words());
}

// What a state is: the set, the required antecedents that are missing, and how many rules there may
// be, as far as the budget pays for them.
void ListCounter::write_key(Level& here) const {
  const std::size_t n = problem_.group_words();
  std::copy(here.set.begin(), here.set.begin() + static_cast<std::ptrdiff_t>(n), here.key.begin());
  here.key[n] = here.lacks;
  const Length more = context_.max_length - length();
  here.key[n + 1] = context_.scale.rules_within(budget_.threshold() - spent(), more);
}

CountedCompletions ListCounter::completions() {
  Level& here = level();
  write_key(here);
  const Objective budget = budget_.threshold() - spent();
  work_ += 100 + 4 * work::elements(problem_.group_words());
  if (const auto known = tallies_.find(here.key.data(), budget)) return *known;
  CountedCompletions counted = count_children();
  if (stopped_) return counted;
  counted.budget = budget;
  tallies_.record(here.key.data(), counted, most_bytes_);
  return counted;
}

CountedCompletions ListCounter::count_children() {
  Level& here = level();
  CountedCompletions result{kBelowAll, kBelowAll, 0};
  find_children(here);
  look();
  const ObjectiveScale& scale = context_.scale;
  const Objective own = spent();
  for (const Child& child : here.children) {
    if (stopped_) break;
    if (child.ends) {
      const Objective cost = scale.of(child.loss + child.rest.loss, length() + 1) - own;
      result.dearest = std::max(result.dearest, cost);
      result.count = sum(result.count, 1);
    }
    if (!child.continues) continue;
    open(here, child);
    const Objective step = spent() - own;
    const CountedCompletions longer = completions();
    close();
    if (longer.count == 0) continue;
    result.dearest = std::max(result.dearest, longer.dearest + step);
    result.count = sum(result.count, longer.count);
  }
  return result;
}

void ListCounter::hand_over(Reading& reading, Label default_label, Weight loss) {
  if (reading.skip > 0) {
    --reading.skip;
    return;
  }
  if (reading.n == 0) return;
  reading.take(rules_, default_label, loss);
  --reading.n;
}

// A list comes before those that are longer; beyond that, by the order of antecedents.
void ListCounter::read_children(Reading& reading) {
  Level& here = level();
  find_children(here);
  look();
  for (const Child& child : here.children) {
    if (stopped_ || reading.n == 0) return;
    if (child.ends) {
      rules_.push_back({child.antecedent, child.rule.label});
      hand_over(reading, child.rest.label, child.loss + child.rest.loss);
      rules_.pop_back();
    }
    if (!child.continues || reading.n == 0) continue;
    open(here, child);
    const Tally longer = completions().count;
    if (reading.skip >= longer) {
      reading.skip -= longer;
    } else {
      read_children(reading);
    }
    close();
  }
}

}  // namespace surelist
