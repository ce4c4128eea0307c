#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "kernels.hpp"
#include "problem.hpp"

namespace surelist_checker {

template <class T>
struct Aligned64 {
  using value_type = T;
  Aligned64() = default;
  template <class U>
  explicit Aligned64(const Aligned64<U>&) {}
  T* allocate(std::size_t n) {
    return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t{64}));
  }
  void deallocate(T* at, std::size_t) { ::operator delete(at, std::align_val_t{64}); }
  bool operator==(const Aligned64&) const = default;
};
template <class T>
using Lanes = std::vector<T, Aligned64<T>>;

// The numbers of a group of which everything else is made, in units of the problem's factor. With
// two classes: what predicting 1 saves over 0 (`up`), 0 over 1 (`down`), and the floor; one of the
// first two is 0. Otherwise the costs by class, floor, ceil, and where rules may not have every
// label, the gain over each class. All are >= 0 and at most the ceil.
std::vector<std::vector<Number>> parts_of_groups(const Problem& problem);

// What predictions for a set of groups cost, whatever they are.
struct Range {
  Number floor = 0;
  Number ceil = 0;
};

// Counting: sums of parts over what each antecedent captures of a set of groups, and at position
// n_antecedents over the set itself. `sums` is by part and antecedent.

// By rows: add up the numbers of the set's groups, for all antecedents at once. Best where few
// groups are left or captured, and antecedents are many.
template <class LaneType>
class RowCounter {
 public:
  using Lane = LaneType;
  static constexpr bool prefers_small_sets = true;
  struct Scratch {
    std::vector<std::uint32_t> groups;
  };

  explicit RowCounter(const Problem& problem);
  std::size_t n_parts() const { return row_size_ / problem_.stride; }
  void count(const Word* set, std::size_t begin_part, std::size_t end_part, Lane* sums,
             Scratch& scratch) const;
  // By class: what predicting it for all of a set costs, in units of the factor.
  void costs(const Word* set, Number* by_class, Scratch& scratch) const;
  // And the least and the greatest that predictions for it can cost.
  Range range(const Word* set, Scratch& scratch) const;

 private:
  const Problem& problem_;
  std::size_t row_size_;
  Lanes<Lane> rows_;
};

// By binary digits: the k-th digit of a part is a set of groups, so that a sum is a few numbers of
// bits. Best where groups are many and their numbers small.
class BitCounter {
 public:
  using Lane = std::int32_t;
  static constexpr bool prefers_small_sets = false;
  struct Scratch {
    Lanes<Word> words;
    std::vector<std::int32_t> sums;
  };

  explicit BitCounter(const Problem& problem);
  std::size_t n_parts() const { return ends_.size() - 1; }
  void count(const Word* set, std::size_t begin_part, std::size_t end_part, Lane* sums,
             Scratch& scratch) const;
  void costs(const Word* set, Number* by_class, Scratch& scratch) const;
  Range range(const Word* set, Scratch& scratch) const;
  std::size_t n_words() const { return places_.size(); }

 private:
  static constexpr std::size_t columns = 8;  // antecedents that are counted at once

  Digits digits(std::size_t begin_part, std::size_t end_part) const;
  const std::vector<std::int32_t>& sum_parts(const Word* set, Scratch& scratch) const;

  const Problem& problem_;
  // A row stands for one digit of one part in 64 groups. By row: which word of a set it is, the
  // groups that have the digit, and its place value.
  std::vector<std::uint32_t> places_;
  std::vector<Word> masks_;
  std::vector<Word> shifts_;
  std::vector<std::size_t> ends_;  // where the rows of each part begin, and of the last end
  Lanes<Word> captures_;           // by row and antecedent; and all groups, behind the last one
};

}  // namespace surelist_checker
