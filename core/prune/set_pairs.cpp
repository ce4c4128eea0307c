// Rows of the table are copied from the whole problem when they are first used, and refined pair by
// pair.
#include "prune/set_pairs.hpp"

#include <algorithm>

#include "base/bits.hpp"

namespace surelist {

SetPairs::SetPairs(const SearchContext& context)
    : context_(context),
      slices_(context.counter.slices()),
      is_begun_(context.problem->n_antecedents()),
      n_words_(bits::words(context.pairs.stride())) {
  for (Label q = 0; q < 2; ++q) {
    overlap_[q].resize(is_begun_.size() * context.pairs.stride());
    outside_[q].resize(overlap_[q].size());
    is_exact_[q].resize(is_begun_.size() * n_words_);
  }
}

std::size_t SetPairs::nbytes() const {
  return 2 * (overlap_[0].capacity() + outside_[0].capacity()) * sizeof(Narrow) +
         2 * is_exact_[0].capacity() * sizeof(Word);
}

void SetPairs::reset(const CaptureCounts& counts, const BitSlices::Set& set) {
  counts_ = &counts;
  set_ = &set;
  std::fill(is_begun_.begin(), is_begun_.end(), 0);
}

void SetPairs::begin(Antecedent s) {
  is_begun_[s] = 1;
  const std::size_t stride = context_.pairs.stride();
  for (Label q = 0; q < 2; ++q) {
    std::copy_n(context_.pairs.overlaps(s, q), stride, overlap_[q].data() + s * stride);
    std::copy_n(context_.pairs.outside(s, q), stride, outside_[q].data() + s * stride);
    std::fill_n(is_exact_[q].data() + s * n_words_, n_words_, 0);
  }
}

void SetPairs::count(Antecedent s, Antecedent t, Label label) {
  if (!is_begun_[t]) begin(t);
  bits::set(is_exact_[label].data() + s * n_words_, t);
  bits::set(is_exact_[label].data() + t * n_words_, s);
  const PairGains& pairs = context_.pairs;
  const std::size_t st = s * pairs.stride() + t;
  const std::size_t ts = t * pairs.stride() + s;
  const Weight shared = slices_.saved(*set_, s, t, 1 - label);
  const auto outside = [&](Antecedent u) {
    return pairs.up(counts_->cost(label)[u] - counts_->floor()[u] - shared);
  };
  overlap_[label][st] = overlap_[label][ts] = pairs.up(shared);
  outside_[label][st] = outside(t);
  outside_[label][ts] = outside(s);
}

}  // namespace surelist
