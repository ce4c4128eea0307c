// Similar support among siblings: a child that another child makes superfluous is dropped. Only
// children that stay may dominate others, and the best come first, so nothing is dropped on the
// word of something that was dropped itself.
#include <algorithm>
#include <limits>

#include "bits.hpp"
#include "bounds.hpp"
#include "expander.hpp"

namespace surelist {

void Expander::drop_similar_siblings() {
  if (children_.size() < 2 || !(on(Bound::kSimilarSupport) || on(Bound::kOneSidedSupport))) return;
  if (!sibling_trials_.due()) return;
  const auto spread = [this](const Child& child) {
    return counts_.ceiling()[child.antecedent] - counts_.floor()[child.antecedent];
  };
  std::sort(children_.begin(), children_.end(), [&](const Child& a, const Child& b) {
    const Weight x = a.prefix_loss + a.minority;
    const Weight y = b.prefix_loss + b.minority;
    if (x != y) return x < y;
    return spread(a) != spread(b) ? spread(a) > spread(b) : a.antecedent < b.antecedent;
  });
  std::size_t n_kept = 0;
  for (const Child& child : children_) {
    // What is required must be used after the kept one, too, and only the child has done it.
    const bool dominated =
        !constraints_.requires_antecedent(child.antecedent) &&
        std::any_of(children_.begin(), children_.begin() + static_cast<std::ptrdiff_t>(n_kept),
                    [&](const Child& kept) { return dominated_by_sibling(child, kept); });
    if (!dominated) children_[n_kept++] = child;
  }
  if (n_kept < children_.size()) sibling_trials_.hit();
  children_.resize(n_kept);
}

// One-sided similar support excludes whatever similar support does: what only the child captures
// weighs no less than its spread, and what only the kept one does adds to the child's minority.
bool Expander::dominated_by_sibling(const Child& child, const Child& kept) {
  const Antecedent a = child.antecedent;
  const Antecedent b = kept.antecedent;
  const Weight child_spread = counts_.ceiling()[a] - counts_.floor()[a];
  const Weight kept_spread = counts_.ceiling()[b] - counts_.floor()[b];
  if (on(Bound::kOneSidedSupport)) {
    const Weight lead = child.prefix_loss + child.minority - kept.prefix_loss - kept.minority;
    // At least so much spread lies outside the kept one; few pairs get past these two.
    if (lead < std::max(Weight{0}, child_spread - kept_spread)) return false;
    if (lead < child_spread - spread_overlap(a, b)) return false;
    if (!bounds::one_sided_support_dominates(kept.prefix_loss + kept.minority,
                                             child.prefix_loss + child.minority,
                                             sum_outside(a, b, true, lead))) {
      return false;
    }
    counters_.prune(Bound::kOneSidedSupport);
    return true;
  }
  const Weight lead = child.prefix_loss - kept.prefix_loss;
  const Weight difference = kept.captured - child.captured;
  if (lead < std::abs(difference)) return false;
  const Weight exclusive = 2 * sum_outside(a, b, false, lead) + difference;
  if (!bounds::similar_support_dominates(kept.prefix_loss, child.prefix_loss, exclusive)) {
    return false;
  }
  counters_.prune(Bound::kSimilarSupport);
  return true;
}

// The most spread that two antecedents can share: with two classes, what they share in the whole
// problem.
Weight Expander::spread_overlap(Antecedent a, Antecedent b) const {
  if (problem_.n_classes() != 2) return std::numeric_limits<Weight>::max();
  return context_.pairs.overlap(b, a, 0) + context_.pairs.overlap(b, a, 1);
}

// Weight (or spread of cost) of the groups in the set that `inside` captures and `outside` does
// not. Gives up, with some number above `most`, as soon as it is passed.
Weight Expander::sum_outside(Antecedent inside, Antecedent outside, bool spread,
                             Weight most) const {
  const Word* a = problem_.captured(inside);
  const Word* b = problem_.captured(outside);
  Weight sum = 0;
  for (std::size_t w = 0; w < set_.size() && sum <= most; ++w) {
    bits::for_each(set_[w] & a[w] & ~b[w], w * bits::kWord, [&](std::size_t g) {
      sum += spread ? problem_.ceiling(g) - problem_.floor(g) : problem_.weight(g);
    });
  }
  return sum;
}

}  // namespace surelist
