// Every child is compared with every better one that stays; with two classes a kernel excludes most
// pairs 32 at a time.
#include "prune/siblings.hpp"

#include <algorithm>
#include <limits>

#include "base/bits.hpp"
#include "base/work.hpp"
#include "problem/bounds.hpp"

namespace surelist {
namespace {

constexpr std::size_t kKeptPerLook = 64;  // asks this often whether to stop
// Children are compared with at most so many kept ones, and with fewer if there would be too many
// pairs in all: the best come first, and with tens of thousands of antecedents, comparing all would
// take longer than the rest of the search.
constexpr std::size_t kMostCompared = 2048;
constexpr std::size_t kMostPairs = std::size_t{1} << 23;
// Counted work; with two classes a pair takes 1, because the kernel excludes many at a time.
constexpr std::size_t kWorkPerPair = 6;

}  // namespace

Siblings::Siblings(const SearchContext& context)
    : context_(context),
      problem_(*context.problem),
      is_kept_(bits::words(problem_.n_antecedents())),
      kept_sibling_(problem_.n_antecedents()),
      kept_loss_(context.pairs.stride()),
      near_(is_kept_.size()) {}

bool Siblings::drop_similar(std::vector<Child>& children, const CaptureCounts& counts,
                            const Word* set, Counters& counters,
                            const std::function<bool()>& must_abandon) {
  const bool one_sided = context_.on(Bound::kOneSidedSupport);
  if (children.size() < 2 || !(one_sided || context_.on(Bound::kSimilarSupport))) return true;
  if (!throttle_.due()) return true;
  set_ = set;
  sort(children, counts);
  const std::size_t work_per_pair = problem_.n_classes() == 2 ? 1 : kWorkPerPair;
  for (const Sibling& sibling : sorted_) {
    if (kept_.size() % kKeptPerLook == kKeptPerLook - 1 && must_abandon()) return false;
    const Child& child = children[sibling.child];
    counters.work += work::elements(n_compared_ * work_per_pair);
    const Antecedent by = dominator(sibling, child);
    if (by != kNoAntecedent) {
      dropped_.push_back({child.antecedent, by});
      counters.prune(one_sided ? Bound::kOneSidedSupport : Bound::kSimilarSupport);
    } else {
      keep(sibling, child);
    }
  }
  if (kept_.size() < children.size()) throttle_.hit();
  children.swap(kept_);
  return true;
}

// A child that uses a required antecedent is not dominated by one that does not.
Antecedent Siblings::dominator(const Sibling& sibling, const Child& child) {
  if (context_.constraints().requires_antecedent(child.antecedent)) return kNoAntecedent;
  return context_.on(Bound::kOneSidedSupport) ? one_sided_dominator(sibling)
                                              : similar_dominator(child);
}

// The best first.
void Siblings::sort(const std::vector<Child>& children, const CaptureCounts& counts) {
  kept_.clear();
  n_compared_ = 0;
  std::fill(is_kept_.begin(), is_kept_.end(), 0);
  sorted_.clear();
  for (std::size_t c = 0; c < children.size(); ++c) {
    const Child& child = children[c];
    const Antecedent s = child.antecedent;
    const Weight spread = counts.ceiling()[s] - counts.floor()[s];
    sorted_.push_back({child.prefix_loss + child.minority, spread, c, s});
  }
  std::sort(sorted_.begin(), sorted_.end(), [](const Sibling& a, const Sibling& b) {
    if (a.loss != b.loss) return a.loss < b.loss;
    return a.spread != b.spread ? a.spread > b.spread : a.antecedent < b.antecedent;
  });
  least_lead_ = sorted_.front().loss;
  for (const Sibling& each : sorted_) {
    least_lead_ = std::min(least_lead_, each.loss - each.spread);
  }
}

void Siblings::keep(const Sibling& sibling, const Child& child) {
  kept_.push_back(child);
  if (n_compared_ >= std::min(kMostCompared, kMostPairs / sorted_.size())) return;
  ++n_compared_;
  bits::set(is_kept_.data(), sibling.antecedent);
  kept_sibling_[sibling.antecedent] = sibling;
  kept_loss_[sibling.antecedent] = context_.pairs.down(above_least(sibling.loss));
}

// Clamped to what a narrow value holds: no shared spread makes up for more.
Weight Siblings::above_least(Weight loss) const {
  return std::min(loss - least_lead_, context_.pairs.wide(std::numeric_limits<Narrow>::max()));
}

// One-sided similar support. It excludes all that similar support excludes: the weight that only
// the child captures is at least its spread, and what only the kept one captures is contained in
// the child's minority weight.
Antecedent Siblings::one_sided_dominator(const Sibling& sibling) {
  near_ = is_kept_;
  const PairGains& pairs = context_.pairs;
  if (problem_.n_classes() == 2 && pairs.known()) {
    // With two classes, the spread that both capture is at most what they share in the whole
    // problem: few of the kept ones are near enough.
    context_.kernels.within_shared(kept_loss_.data(), pairs.overlaps(sibling.antecedent, 0),
                                   pairs.overlaps(sibling.antecedent, 1),
                                   pairs.up(above_least(sibling.loss - sibling.spread)),
                                   problem_.n_antecedents(), near_.data());
  }
  Antecedent found = kNoAntecedent;
  bits::any_of(near_.data(), near_.size(), [&](std::size_t t) {
    if (!one_sided_dominates(kept_sibling_[t], sibling)) return false;
    found = static_cast<Antecedent>(t);
    return true;
  });
  return found;
}

bool Siblings::one_sided_dominates(const Sibling& kept, const Sibling& other) const {
  const Weight lead = other.loss - kept.loss;
  if (lead < other.spread - kept.spread) return false;  // at least so much is outside
  const Weight spread = sum_up_to(
      lead, {.inside = other.antecedent, .outside = kept.antecedent, .measure = Measure::kSpread});
  return bounds::one_sided_support_dominates(kept.loss, other.loss, spread);
}

Antecedent Siblings::similar_dominator(const Child& child) const {
  const auto end = kept_.begin() + static_cast<std::ptrdiff_t>(n_compared_);
  const auto found = std::find_if(kept_.begin(), end, [&](const Child& kept) {
    const Weight lead = child.prefix_loss - kept.prefix_loss;
    const Weight difference = kept.captured - child.captured;
    if (lead < std::abs(difference)) return false;
    const Weight outside = sum_up_to(
        lead,
        {.inside = child.antecedent, .outside = kept.antecedent, .measure = Measure::kWeight});
    const Weight exclusive = 2 * outside + difference;
    return bounds::similar_support_dominates(kept.prefix_loss, child.prefix_loss, exclusive);
  });
  return found == end ? kNoAntecedent : found->antecedent;
}

// The sum over the groups in the set that `inside` captures and `outside` does not. Ends early,
// with some number above `most`, once it is above that.
Weight Siblings::sum_up_to(Weight most, const Difference& difference) const {
  const Word* a = problem_.captured(difference.inside);
  const Word* b = problem_.captured(difference.outside);
  const bool spread = difference.measure == Measure::kSpread;
  Weight sum = 0;
  for (std::size_t w = 0; w < problem_.group_words() && sum <= most; ++w) {
    bits::for_each_in_word(set_[w] & a[w] & ~b[w], w * bits::kWord, [&](std::size_t g) {
      sum += spread ? problem_.ceiling(g) - problem_.floor(g) : problem_.weight(g);
    });
  }
  return sum;
}

}  // namespace surelist
