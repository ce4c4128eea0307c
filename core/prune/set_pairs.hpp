// How much gain pairs of antecedents share in the set that a prefix leaves. It is at most what they
// share in the whole problem (PairGains); exact counts are made only for the pairs that need them.
#pragma once

#include "base/aligned.hpp"
#include "base/bits.hpp"
#include "context/context.hpp"

namespace surelist {

class SetPairs {
 public:
  explicit SetPairs(const SearchContext& context);  // its pairs must be known

  // A set and its counts, which must exist until the next call.
  void reset(const CaptureCounts& counts, const BitSlices::Set& set);

  // By t, narrow and rounded up: at most what t gains within s, and outside s.
  struct Row {
    const Narrow* overlap = nullptr;
    const Narrow* outside = nullptr;
  };
  Row row(Antecedent s, Label label) {
    if (!is_begun_[s]) begin(s);
    const std::size_t at = s * context_.pairs.stride();
    return {overlap_[label].data() + at, outside_[label].data() + at};
  }
  // Counts s and t exactly; false if that was done before.
  bool refine(Antecedent s, Antecedent t, Label label) {
    if (!is_begun_[s]) begin(s);
    if (bits::test(is_exact_[label].data() + s * n_words_, t)) return false;
    count(s, t, label);
    return true;
  }

  std::size_t nbytes() const;

 private:
  void begin(Antecedent s);
  void count(Antecedent s, Antecedent t, Label label);

  const SearchContext& context_;
  const BitSlices& slices_;
  const BitSlices::Set* set_ = nullptr;
  const CaptureCounts* counts_ = nullptr;
  Aligned<char> is_begun_;
  std::size_t n_words_;        // of a set of antecedents
  Aligned<Word> is_exact_[2];  // by s: a set of bits
  Aligned<Narrow> overlap_[2];
  Aligned<Narrow> outside_[2];
};

}  // namespace surelist
