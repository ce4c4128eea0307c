#include "fair/values.hpp"

#include <algorithm>

#include "base/bits.hpp"
#include "base/work.hpp"

namespace surelist::fair {

namespace {

Length one_less(Length rules) { return rules == kAnyNumber ? rules : rules - 1; }

}  // namespace

Values::Values(const FairProblem& problem, const Relaxation& relaxation, const Gains::Index& index,
               const RelaxedScale& scale)
    : problem_(problem),
      relaxation_(relaxation),
      index_(index),
      scale_(scale),
      heads_(1024, kNone) {}

std::size_t Values::nbytes() const {
  return entries_.capacity() * sizeof(Entry) + sets_.capacity() * sizeof(Word) +
         log_.capacity() * sizeof(Proven) + paths_.capacity() * sizeof(Antecedent) +
         heads_.capacity() * sizeof(Set);
}

void Values::grow() {
  heads_.assign(heads_.size() * 2, kNone);
  for (Set set = 0; set < entries_.size(); ++set) {
    const Word* left = sets_.data() + set * problem_.words();
    Set& head = heads_[bits::hash(left, problem_.words()) & (heads_.size() - 1)];
    entries_[set].next = head;
    head = set;
  }
}

Values::Set Values::find(const Word* left, const Prefix& path) {
  const std::uint64_t hash = bits::hash(left, problem_.words());
  for (Set set = heads_[hash & (heads_.size() - 1)]; set != kNone; set = entries_[set].next) {
    if (bits::equal(sets_.data() + set * problem_.words(), left, problem_.words())) return set;
  }
  if (entries_.size() >= heads_.size()) grow();
  Set& head = heads_[hash & (heads_.size() - 1)];
  Entry entry;
  entry.next = head;
  entry.path = paths_.size();
  head = static_cast<Set>(entries_.size());
  entries_.push_back(entry);
  sets_.insert(sets_.end(), left, left + problem_.words());
  paths_.insert(paths_.end(), path.begin(), path.end());
  paths_.push_back(kNoAntecedent);
  return head;
}

Label Values::label_of(const Costs& captured) const {
  return problem_.options().rule_label.value_or(captured.cheaper());
}

// The children that a bound does not exclude, the most promising first.
void Values::collect(Scratch& scratch) const {
  scratch.children.clear();
  const Gains& gains = scratch.gains;
  for (std::size_t i = 0; i < problem_.usable().size(); ++i) {
    const Antecedent s = problem_.usable()[i];
    const Costs& captured = gains.captured(i);
    const Label label = label_of(captured);
    const Weight extra = relaxation_.unit() * problem_.surcharge(s);
    // A rule must be worth its price: what it captures costs at most this much more without it.
    if (scale_.per_loss * (captured.harm(label) - extra) <= scale_.per_rule) continue;
    const After after{.left = gains.left() - captured,
                      .captured = captured,
                      .cost = captured.of(label) + extra,
                      .length = 1};
    const bool ends = may_end(scratch.slack, after, 0) || may_end(scratch.slack, after, 1);
    if (!ends && may_go_on(problem_, scratch.slack, gains, after) == 0) continue;
    const Weight left = std::min(after.left.of(0), after.left.of(1));
    scratch.children.push_back({.slack = -after.cost - left, .cost = after.cost, .antecedent = s});
  }
  std::sort(scratch.children.begin(), scratch.children.end(),
            [](const Child& a, const Child& b) { return a.slack > b.slack; });
}

Values::Answer Values::try_children(Set set, const Place& place, Length rules, Wide need,
                                    std::size_t depth) {
  Scratch& s = *scratch_[depth];
  for (std::size_t i = 0; i < s.children.size(); ++i) {
    const Child child = s.children[i];
    const Wide cost = scale_.of(child.cost, 1);
    s.left.assign(place.left, place.left + problem_.words());
    bits::and_not(s.left.data(), problem_.rows().captured(child.antecedent), problem_.words());
    s.path = place.path;
    s.path.push_back(child.antecedent);
    const Place next{.left = s.left.data(),
                     .path = s.path,
                     .captured = child.antecedent,
                     .left_before = place.left};
    const Answer answer = search(next, one_less(rules), need - cost, depth + 1);
    if (answer == Answer::kUnknown) return answer;
    if (answer == Answer::kNo) {
      const Entry& below = entries_[find(s.left.data(), s.path)];
      Entry& entry = entries_[set];
      const Wide most = below.most + cost;
      if (!entry.limited || most < entry.most) {
        entry.limited = true;
        entry.most = most;
        entry.most_rules = below.most_rules + 1;
      }
      return answer;
    }
  }
  log_.push_back({.set = set, .rules = rules, .least = need});
  return prove(set, rules, need);
}

Values::Answer Values::prove(Set set, Length rules, Wide least) {
  Entry& entry = entries_[set];
  entry.proven = true;
  entry.rules = rules;
  entry.least = least;
  return Answer::kYes;
}

void Values::count(const Place& place, std::size_t depth) {
  if (scratch_.size() <= depth) scratch_.push_back(std::make_unique<Scratch>());
  Gains& gains = scratch_[depth]->gains;
  // Add up what is left, or subtract what the last rule captured, whichever is less.
  const bool anew = depth == 0 || place.captured == kNoAntecedent ||
                    2 * bits::count(place.left, problem_.words()) <
                        bits::count(place.left_before, problem_.words());
  if (anew) {
    gains.reset(problem_, relaxation_, index_, place.left);
  } else {
    gains.reset_after(problem_, relaxation_, index_, scratch_[depth - 1]->gains, place.left_before,
                      place.captured);
  }
  work_ += gains.work() + work::elements(64 + 8 * problem_.usable().size());
}

Values::Answer Values::search(const Place& place, Length rules, Wide need, std::size_t depth) {
  const Set set = find(place.left, place.path);
  const Entry known = entries_[set];
  if (known.proven && known.rules >= rules && known.least >= need) return Answer::kYes;
  if (known.limited && known.most_rules <= rules && known.most < need) return Answer::kNo;
  if (work_ >= stop_at_) return Answer::kUnknown;
  count(place, depth);
  Scratch& s = *scratch_[depth];
  const Costs& left = s.gains.left();
  const Wide ends = scale_.of(std::min(left.of(0), left.of(1)), 0);
  if (ends < need) {
    Entry& entry = entries_[set];
    entry.limited = true;
    entry.most = ends;
    entry.most_rules = 0;
    return Answer::kNo;
  }
  s.slack.reset(scale_, need, rules);
  const After after{.left = left, .captured = {}};
  if (may_go_on(problem_, s.slack, s.gains, after) == 0) return prove(set, rules, need);
  collect(s);
  return try_children(set, place, rules, need, depth);
}

Values::Answer Values::reaches(const std::vector<Word>& left, const Prefix& path, Length rules,
                               Wide need, std::uint64_t most_work) {
  stop_at_ = work_ + most_work;
  return search({.left = left.data(), .path = path}, rules, need, 0);
}

std::vector<Values::Claim> Values::claims() const {
  std::vector<Claim> all;
  for (const Proven& proven : log_) {
    Claim claim{.path = {}, .rules = proven.rules, .least = proven.least};
    for (std::size_t i = entries_[proven.set].path; paths_[i] != kNoAntecedent; ++i) {
      claim.path.push_back(paths_[i]);
    }
    all.push_back(std::move(claim));
  }
  return all;
}

}  // namespace surelist::fair
