// What one more rule can save in a set, from similar sets, with two classes. Let v(S) be the least
// loss of a list with at most one rule on the groups of S, less their minority weight. As for
// one-sided similar support (siblings.hpp), for any two sets
//   v(A) ≥ v(B) − the spread of B∖A,
// where the spread of a group is its ceiling less its floor: the best such list for A, on B, costs
// at most that more.
//
// After (P, s), where P leaves S and at most one more rule may follow, v(S∖s) says whether any rule
// gains enough. It is counted for few s, those that capture most first, and is far above what is
// needed for most of them. So each count settles many t that capture little beyond s:
//   v(S∖t) ≥ v(S∖s) − the spread of S∖s that t captures.
// And what is known of S' settles many rules after S: v(S∖t) ≥ v(S'∖t) − the spread of S'∖S that t
// does not capture.
//
// This is for problems with too many antecedents for tables of pairs (pair_gains.hpp).
#pragma once

#include <vector>

#include "base/aligned.hpp"
#include "context/context.hpp"
#include "prune/throttle.hpp"

namespace surelist {

class SimilarSets {
 public:
  explicit SimilarSets(const SearchContext& context);

  // Whether the bound is switched on, and pairs of rules have no better one.
  bool is_known() const { return is_known_; }
  // By falling support. In this order counts settle most.
  const std::vector<Antecedent>& in_order() const { return in_order_; }

  // From now on, antecedents follow a prefix that leaves this set; `value` is at most v of it.
  void start(const BitSlices::Set& set, Weight value);
  // Whether v of what s leaves is known to be above `most`.
  bool settles(Antecedent s, Weight most);
  // The same after counting what antecedents capture of `left`, which is what s leaves. Not if
  // counts have settled too few.
  bool count(Antecedent s, const BitSlices::Set& left, Weight most);

  std::uint64_t work() const { return work_; }  // of the last call of start or count
  std::size_t nbytes() const;

 private:
  // What is known of the sets that single antecedents leave of a set.
  struct Known {
    explicit Known(const BitSlices& slices) : set(slices) {}
    BitSlices::Set set;
    Weight value = 0;
    Aligned<Weight> least;  // by antecedent
  };
  void keep();
  void find_nearest();
  void learn_from(const Known& known);
  void count_all(const BitSlices::Set& set);
  Weight value_of(const BitSlices::Set& set) const;
  Weight spread(const BitSlices::Set& set) const;

  const SearchContext& context_;
  const bool is_known_;
  const BitSlices& slices_;
  std::size_t n_antecedents_;
  std::vector<Antecedent> in_order_;
  Throttle throttle_;
  std::uint64_t trials_per_count_;

  Known now_;
  std::size_t n_counted_ = 0;  // of the current set
  std::vector<Known> known_;   // earlier sets; the oldest is replaced
  std::size_t oldest_ = 0;
  std::size_t most_known_ = 0;
  struct Near {
    Weight value = 0;  // what it says of the current set
    std::size_t place = 0;
  };
  std::vector<Near> nearest_;

  std::size_t stride_;
  Aligned<Weight> sums_;  // by label: cost above floor
  BitSlices::Set beyond_;
  Columns::Scratch scratch_;
  std::uint64_t work_ = 0;
};

}  // namespace surelist
