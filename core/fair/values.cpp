#include "fair/values.hpp"

#include <algorithm>

#include "base/bits.hpp"
#include "base/work.hpp"

namespace surelist::fair {

namespace {

Length one_less(Length rules) { return rules == kAnyNumber ? rules : rules - 1; }

}  // namespace

Values::Values(const FairProblem& problem, const Relaxation& relaxation, const RelaxedScale& scale)
    : problem_(problem), relaxation_(relaxation), scale_(scale), heads_(1024, kNone) {}

std::size_t Values::nbytes() const {
  return entries_.capacity() * sizeof(Entry) + sets_.capacity() * sizeof(Word) +
         log_.capacity() * sizeof(Proven) + paths_.capacity() * sizeof(Antecedent) + heads_.capacity() * sizeof(Set);
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

Label Values::cheaper(const Costs& captured) const {
  if (problem_.options().rule_label) return *problem_.options().rule_label;
  return captured.of(1) < captured.of(0) ? 1 : 0;
}

// The children that a bound does not exclude, the most promising first.
void Values::collect(Scratch& scratch, Length rules, Wide need) {
  scratch.children.clear();
  const Gains& gains = scratch.gains;
  for (std::size_t i = 0; i < problem_.usable().size(); ++i) {
    if (!gains.captures(i)) continue;
    const Antecedent s = problem_.usable()[i];
    const Costs& captured = gains.captured(i);
    const Label label = cheaper(captured);
    const Wide price = scale_.per_rule + scale_.per_loss * relaxation_.unit() * problem_.surcharge(s);
    // A rule must be worth its price: what it captures costs at most this much more without it.
    if (scale_.per_loss * captured.harm(label) <= price) continue;
    const Wide cost = scale_.per_loss * captured.of(label) + price;
    const After after{.left = gains.left() - captured, .captured = captured};
    const Wide left = need - cost;
    const Wide bound =
        std::min(least_without(scale_, after.left),
                 least_with_rules(problem_, scale_, gains, after, one_less(rules), left));
    if (bound >= left) continue;
    scratch.children.push_back({.slack = left - bound, .cost = cost, .antecedent = s});
  }
  std::sort(scratch.children.begin(), scratch.children.end(),
            [](const Child& a, const Child& b) { return a.slack > b.slack; });
}

Values::Answer Values::try_children(Set set, const Word* left, const Prefix& path, Length rules,
                                    Wide need, std::size_t depth) {
  Scratch& s = *scratch_[depth];
  for (std::size_t i = 0; i < s.children.size(); ++i) {
    const Child child = s.children[i];
    s.left.assign(left, left + problem_.words());
    bits::and_not(s.left.data(), problem_.rows().captured(child.antecedent), problem_.words());
    s.path = path;
    s.path.push_back(child.antecedent);
    const Answer answer =
        search(s.left.data(), s.path, one_less(rules), need - child.cost, depth + 1);
    if (answer == Answer::kUnknown) return answer;
    if (answer == Answer::kNo) {
      const Entry& below = entries_[find(s.left.data(), s.path)];
      Entry& entry = entries_[set];
      const Wide most = below.most + child.cost;
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

Values::Answer Values::search(const Word* left, const Prefix& path, Length rules, Wide need,
                              std::size_t depth) {
  const Set set = find(left, path);
  const Entry known = entries_[set];
  if (known.proven && known.rules >= rules && known.least >= need) return Answer::kYes;
  if (known.limited && known.most_rules <= rules && known.most < need) return Answer::kNo;
  if (work_ >= stop_at_) return Answer::kUnknown;
  if (scratch_.size() <= depth) scratch_.push_back(std::make_unique<Scratch>());
  Scratch& s = *scratch_[depth];
  s.gains.reset(problem_, relaxation_, left);
  work_ += s.gains.work() + work::elements(64);
  Entry& entry = entries_[set];
  const Wide ends = least_without(scale_, s.gains.left());
  if (ends < need) {
    entry.limited = true;
    entry.most = ends;
    entry.most_rules = 0;
    return Answer::kNo;
  }
  const Wide bound = least_with_rules(problem_, scale_, s.gains,
                                      {.left = s.gains.left(), .captured = {}}, rules, need);
  if (bound >= need) return prove(set, rules, need);
  collect(s, rules, need);
  work_ += work::elements(16 * problem_.usable().size());
  return try_children(set, left, path, rules, need, depth);
}

Values::Answer Values::reaches(const std::vector<Word>& left, const Prefix& path, Length rules,
                               Wide need, std::uint64_t most_work) {
  stop_at_ = work_ + most_work;
  return search(left.data(), path, rules, need, 0);
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
