// Theorem "Similar support bound" among siblings: a child that another child dominates is dropped.
// Only children that are kept may dominate others, so that there is a kept one for every dropped
// one; the best children are compared first.
#pragma once

#include <functional>

#include "base/aligned.hpp"
#include "context/context.hpp"
#include "prune/child.hpp"
#include "prune/throttle.hpp"
#include "store/trace.hpp"

namespace surelist {

class Siblings {
 public:
  explicit Siblings(const SearchContext& context);

  // `counts` are those of `set`, the groups that the children's parent has not captured. False if
  // `must_abandon` returned true; `children` are then incomplete.
  bool drop_similar(std::vector<Child>& children, const CaptureCounts& counts, const Word* set,
                    Counters& counters, const std::function<bool()>& must_abandon);
  // What was dropped since the last reset, and which sibling that stayed dominates it.
  struct Dropped {
    Antecedent antecedent = 0;
    Antecedent by = 0;
  };
  const std::vector<Dropped>& dropped() const { return dropped_; }
  void reset() { dropped_.clear(); }

 private:
  struct Sibling {
    Weight loss = 0;    // with the minority of what it leaves
    Weight spread = 0;  // ceiling less floor of what it captures
    std::size_t child = 0;
    Antecedent antecedent = 0;
  };
  void sort(const std::vector<Child>& children, const CaptureCounts& counts);
  void keep(const Sibling& sibling, const Child& child);
  Weight above_least(Weight loss) const;
  // The kept sibling that dominates; kNoAntecedent: none.
  Antecedent dominator(const Sibling& sibling, const Child& child);
  Antecedent one_sided_dominator(const Sibling& sibling);
  bool one_sided_dominates(const Sibling& kept, const Sibling& other) const;
  Antecedent similar_dominator(const Child& child) const;
  enum class Measure : std::uint8_t { kWeight, kSpread };  // of a group
  struct Difference {
    Antecedent inside = 0;
    Antecedent outside = 0;
    Measure measure = Measure::kWeight;
  };
  Weight sum_up_to(Weight most, const Difference& difference) const;

  const SearchContext& context_;
  const Problem& problem_;
  Throttle throttle_{256};
  const Word* set_ = nullptr;
  Aligned<Sibling> sorted_;
  Weight least_lead_ = 0;  // the least of loss − spread

  // The children that are kept.
  std::vector<Child> kept_;
  std::vector<Dropped> dropped_;
  std::size_t n_compared_ = 0;  // how many of them others are compared with
  Aligned<Word> is_kept_;
  Aligned<Sibling> kept_sibling_;  // by antecedent
  Aligned<Narrow> kept_loss_;      // above the least lead, rounded down
  Aligned<Word> near_;             // scratch: which of them may dominate
};

}  // namespace surelist
