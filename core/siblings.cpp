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
  sort_siblings();
  std::size_t n_kept = 0;
  for (const Sibling& sibling : siblings_) {
    const Child child = children_[sibling.child];
    // What is required must be used after the kept one, too, and only the child has done it.
    const bool dominated = !constraints_.requires_antecedent(child.antecedent) &&
                           dominated_by_sibling(sibling, child, n_kept);
    if (dominated) continue;
    kept_children_.push_back(child);
    siblings_[n_kept++] = sibling;
  }
  if (n_kept < children_.size()) sibling_trials_.hit();
  children_.swap(kept_children_);
}

// The best first.
void Expander::sort_siblings() {
  kept_children_.clear();
  siblings_.clear();
  for (std::size_t c = 0; c < children_.size(); ++c) {
    const Child& child = children_[c];
    const Antecedent s = child.antecedent;
    const Weight spread = counts_.ceiling()[s] - counts_.floor()[s];
    siblings_.push_back({child.prefix_loss + child.minority, spread, c, s});
  }
  std::sort(siblings_.begin(), siblings_.end(), [](const Sibling& a, const Sibling& b) {
    if (a.loss != b.loss) return a.loss < b.loss;
    return a.spread != b.spread ? a.spread > b.spread : a.antecedent < b.antecedent;
  });
}

// By one of those kept. One-sided similar support excludes whatever similar support does: what only
// the child captures weighs no less than its spread, and what only the kept one does adds to the
// child's minority.
bool Expander::dominated_by_sibling(const Sibling& sibling, const Child& child,
                                    std::size_t n_kept) {
  const bool one_sided = on(Bound::kOneSidedSupport);
  for (std::size_t k = 0; k < n_kept; ++k) {
    const Sibling& kept = siblings_[k];
    if (one_sided ? !one_sided_dominates(kept, sibling)
                  : !similar_dominates(kept_children_[k], child)) {
      continue;
    }
    counters_.prune(one_sided ? Bound::kOneSidedSupport : Bound::kSimilarSupport);
    return true;
  }
  return false;
}

bool Expander::one_sided_dominates(const Sibling& kept, const Sibling& other) const {
  // At least so much spread lies outside the kept one; few pairs get past these two tests.
  const Weight lead = other.loss - kept.loss;
  if (lead < other.spread - kept.spread) return false;
  if (lead < other.spread - spread_overlap(other.antecedent, kept.antecedent)) return false;
  return bounds::one_sided_support_dominates(
      kept.loss, other.loss, sum_outside(other.antecedent, kept.antecedent, true, lead));
}

bool Expander::similar_dominates(const Child& kept, const Child& other) const {
  const Weight lead = other.prefix_loss - kept.prefix_loss;
  const Weight difference = kept.captured - other.captured;
  if (lead < std::abs(difference)) return false;
  const Weight exclusive =
      2 * sum_outside(other.antecedent, kept.antecedent, false, lead) + difference;
  return bounds::similar_support_dominates(kept.prefix_loss, other.prefix_loss, exclusive);
}

// The most spread that two antecedents can share: with two classes, what they share in the whole
// problem.
Weight Expander::spread_overlap(Antecedent a, Antecedent b) const {
  if (problem_.n_classes() != 2) return std::numeric_limits<Weight>::max();
  return context_.pairs.overlap(a, b, 0) + context_.pairs.overlap(a, b, 1);
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
