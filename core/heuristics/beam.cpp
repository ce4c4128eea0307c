// Each level keeps the best prefixes of one length that leave different sets.
#include "heuristics/beam.hpp"

#include <algorithm>
#include <unordered_set>

#include "base/bits.hpp"
#include "count/rule_and_rest.hpp"
#include "problem/bounds.hpp"

namespace surelist {
namespace {

constexpr std::size_t kMostCandidates = 16;  // for each place in the next level

}  // namespace

Beam::Beam(const SearchContext& context) : context_(context), problem_(*context.problem) {}

void Beam::start(const Prefix& prefix, Weight prefix_loss, std::size_t width) {
  width_ = width;
  at_ = 0;
  candidates_.clear();
  prefixes_.clear();
  if (width_ == 0 || prefix.size() >= context_.max_length) return;
  prefixes_.push_back(prefix);
  losses_.assign(1, prefix_loss);
  sets_.resize(problem_.group_words());
  bits::fill(sets_.data(), problem_.n_groups());
  for (const Antecedent s : prefix) {
    bits::and_not(sets_.data(), problem_.captured(s), problem_.group_words());
  }
}

void Beam::extend(const CaptureCounts& counts, Objective best) {
  const auto length = static_cast<Length>(prefixes_[at_].size() + 1);
  const std::size_t total = counts.total();
  const ObjectiveScale& scale = context_.scale;
  const Constraints& constraints = context_.constraints();
  for (Antecedent s = 0; s < counts.n_antecedents(); ++s) {
    if (counts.weight()[s] == 0 || !bits::test(context_.usable.data(), s)) continue;
    const RuleAndRest costs = rule_and_rest(counts, s, constraints);
    const Weight loss = losses_[at_] + costs.rule;
    const Weight minority = counts.floor()[total] - counts.floor()[s];
    const Objective objective = scale.of(loss + costs.rest, length);
    const Objective bound = scale.of(bounds::equivalent_points(loss, minority), length + 1);
    // Neither the child nor any extension of it can be better.
    if (bound >= best && objective >= best) continue;
    candidates_.push_back({objective, loss, static_cast<std::uint32_t>(at_), s});
  }
}

// Few candidates get a place in the next level, so the worst are dropped early.
void Beam::thin_out() {
  if (candidates_.size() <= kMostCandidates * width_ + problem_.n_antecedents()) return;
  candidates_.resize(sort_some(0, kMostCandidates * width_ / 2));
}

std::size_t Beam::nbytes(std::size_t width) const {
  const std::size_t level = problem_.group_words() * sizeof(Word) + 2 * sizeof(Prefix);
  return width * (2 * level + kMostCandidates * sizeof(Candidate));
}

Prefix Beam::prefix_of(const Candidate& candidate) const {
  Prefix prefix = prefixes_[candidate.parent];
  prefix.push_back(candidate.antecedent);
  return prefix;
}

// Sorts the best of the candidates from `first` on, at most `most`; returns how many. Few are
// needed, so sorting all would be wasted.
std::size_t Beam::sort_some(std::size_t first, std::size_t most) {
  const auto before = [](const Candidate& a, const Candidate& b) {
    if (a.objective != b.objective) return a.objective < b.objective;
    return a.parent != b.parent ? a.parent < b.parent : a.antecedent < b.antecedent;
  };
  const std::size_t n = std::min(most, candidates_.size() - first);
  const auto begin = candidates_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = begin + static_cast<std::ptrdiff_t>(n);
  std::nth_element(begin, end, candidates_.end(), before);
  std::sort(begin, end, before);
  return n;
}

void Beam::next_level() {
  const std::size_t n_words = problem_.group_words();
  std::vector<Prefix> prefixes;
  std::vector<Weight> losses;
  std::vector<Word> sets;
  std::vector<Word> set(n_words);
  std::unordered_set<std::uint64_t> seen;  // of hashes: a collision only loses a prefix of the beam
  const bool last = !prefixes_.empty() && prefixes_.front().size() + 1 >= context_.max_length;
  std::size_t n_sorted = 0;
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    if (last || prefixes.size() == width_) break;
    if (c == n_sorted) n_sorted += sort_some(c, 2 * width_);
    const Candidate& candidate = candidates_[c];
    std::copy_n(sets_.begin() + static_cast<std::ptrdiff_t>(candidate.parent * n_words), n_words,
                set.begin());
    bits::and_not(set.data(), problem_.captured(candidate.antecedent), n_words);
    if (!seen.insert(bits::hash(set.data(), n_words)).second) continue;
    prefixes.push_back(prefix_of(candidate));
    losses.push_back(candidate.prefix_loss);
    sets.insert(sets.end(), set.begin(), set.end());
  }
  prefixes_ = std::move(prefixes);
  losses_ = std::move(losses);
  sets_ = std::move(sets);
  candidates_.clear();
  at_ = 0;
}

}  // namespace surelist
