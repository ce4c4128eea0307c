// One pass over all antecedents, by columns, counts one set; another one says what that means for
// all others.
#include "prune/similar_sets.hpp"

#include <algorithm>

#include "base/work.hpp"

namespace surelist {
namespace {

constexpr std::size_t kNearest = 4;  // earlier sets that are compared with a new one
// A set is kept if so many were counted for it: otherwise others know as much.
constexpr std::size_t kWorthKeeping = 8;
constexpr std::size_t kMostBytes = std::size_t{1} << 24;  // of what is kept
constexpr std::size_t kMostKnown = 400;
// A count is worth its time if it settles so many antecedents, and one more for so many words.
constexpr std::uint64_t kTrialsPerHit = 16;
constexpr std::uint64_t kHitsPerCount = 4;
constexpr std::uint64_t kWordsPerHit = 16;

bool is_applicable(const SearchContext& context) {
  const bool has_pairs = context.pairs.known() && context.on(Bound::kLastPair);
  return context.on(Bound::kSimilarSets) && context.on(Bound::kLastRule) && !has_pairs &&
         context.problem->n_classes() == 2;
}

}  // namespace

SimilarSets::SimilarSets(const SearchContext& context)
    : context_(context),
      is_known_(is_applicable(context)),
      slices_(context.counter.slices()),
      n_antecedents_(context.problem->n_antecedents()),
      throttle_(kTrialsPerHit),
      trials_per_count_(kTrialsPerHit *
                        (kHitsPerCount + context.problem->group_words() / kWordsPerHit)),
      now_(slices_),
      stride_((n_antecedents_ + SideBySide::kColumns) / SideBySide::kColumns *
              SideBySide::kColumns),
      beyond_(slices_) {
  if (!is_known_) return;
  in_order_.resize(n_antecedents_);
  for (Antecedent s = 0; s < n_antecedents_; ++s) {
    in_order_[static_cast<std::size_t>(context.rank[s])] = s;
  }
  now_.least.resize(n_antecedents_);
  sums_.resize(2 * stride_);
  most_known_ =
      std::clamp<std::size_t>(kMostBytes / (stride_ * sizeof(Weight)), kNearest, kMostKnown);
}

void SimilarSets::start(const BitSlices::Set& set, Weight value) {
  work_ = 0;
  if (n_counted_ >= kWorthKeeping) keep();
  n_counted_ = 0;
  now_.set = set;
  now_.value = value;
  std::fill(now_.least.begin(), now_.least.end(), 0);
  find_nearest();
  for (const Near& near : nearest_) learn_from(known_[near.place]);
}

void SimilarSets::keep() {
  if (known_.size() < most_known_) {
    known_.push_back(now_);
  } else {
    known_[oldest_] = now_;
    oldest_ = (oldest_ + 1) % most_known_;
  }
}

// Those that say most of the set itself.
void SimilarSets::find_nearest() {
  nearest_.clear();
  for (std::size_t i = 0; i < known_.size(); ++i) {
    slices_.subtract(known_[i].set, now_.set, beyond_);
    nearest_.push_back({known_[i].value - spread(beyond_), i});
  }
  work_ += work::bytes(known_.size() * 2 * slices_.size() * sizeof(Word));
  const std::size_t n = std::min(kNearest, nearest_.size());
  std::partial_sort(nearest_.begin(), nearest_.begin() + static_cast<std::ptrdiff_t>(n),
                    nearest_.end(), [](const Near& a, const Near& b) { return a.value > b.value; });
  nearest_.resize(n);
}

void SimilarSets::learn_from(const Known& known) {
  slices_.subtract(known.set, now_.set, beyond_);
  count_all(beyond_);
  context_.kernels.raise_by_row(known.least.data(), spread(beyond_), sums_.data(),
                                sums_.data() + stride_, n_antecedents_, now_.least.data());
}

bool SimilarSets::settles(Antecedent s, Weight most) {
  if (now_.least[s] <= most) return false;
  throttle_.hit();
  return true;
}

bool SimilarSets::count(Antecedent s, const BitSlices::Set& left, Weight most) {
  work_ = 0;
  if (!throttle_.due()) return false;
  throttle_.took(trials_per_count_ - 1);
  ++n_counted_;
  count_all(left);
  const Weight value = value_of(left);
  context_.kernels.raise_by_set(value, sums_.data(), sums_.data() + stride_, n_antecedents_,
                                now_.least.data());
  now_.least[s] = std::max(now_.least[s], value);
  return value > most;
}

void SimilarSets::count_all(const BitSlices::Set& set) {
  context_.counter.columns().count(set, nullptr, 2, sums_.data(), stride_, scratch_);
  work_ += context_.counter.columns().work(scratch_) + work::elements(n_antecedents_);
}

// v of a set that has been counted: with default q, a rule for the other label gains what q costs
// above the floor, less what the other label does.
Weight SimilarSets::value_of(const BitSlices::Set& set) const {
  const auto nets =
      context_.kernels.largest_nets(sums_.data(), sums_.data() + stride_, n_antecedents_);
  return std::min(slices_.sum(set, n_antecedents_, 0) - nets[0],
                  slices_.sum(set, n_antecedents_, 1) - nets[1]);
}

Weight SimilarSets::spread(const BitSlices::Set& set) const {
  return slices_.sum(set, n_antecedents_, 0) + slices_.sum(set, n_antecedents_, 1);
}

std::size_t SimilarSets::nbytes() const {
  return known_.size() * (n_antecedents_ * sizeof(Weight) + slices_.size() * sizeof(Word));
}

}  // namespace surelist
