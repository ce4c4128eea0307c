// Beam search for a first incumbent: keep the best prefixes of each length by objective, and extend
// only those. It finds good lists within milliseconds. If the proof takes long, wider beams follow.
#pragma once

#include "context/context.hpp"

namespace surelist {

class Beam {
 public:
  explicit Beam(const SearchContext& context);

  // Begins, or begins again, from the prefix that all lists start with, and its loss.
  void start(const Prefix& prefix, Weight prefix_loss, std::size_t width);
  // About the most that a beam of this width needs.
  std::size_t nbytes(std::size_t width) const;
  // Extends one prefix of the current level. Calls `offer(objective, prefix)` for every list better
  // than `best`. False at the end.
  template <class Offer>
  bool step(const CaptureCounter& counter, CaptureCounts& counts, Objective best, Offer&& offer);

 private:
  struct Candidate {
    Objective objective;
    Weight prefix_loss = 0;
    std::uint32_t parent = 0;
    Antecedent antecedent = 0;
  };

  void extend(const CaptureCounts& counts, Objective best);
  void thin_out();
  Prefix prefix_of(const Candidate& candidate) const;
  std::size_t sort_some(std::size_t first, std::size_t most);
  void next_level();

  const SearchContext& context_;
  const Problem& problem_;
  std::size_t width_ = 0;
  // The current level: prefixes, their losses and the groups they have not captured.
  std::vector<Prefix> prefixes_;
  std::vector<Weight> losses_;
  std::vector<Word> sets_;
  std::size_t at_ = 0;
  std::vector<Candidate> candidates_;
};

template <class Offer>
bool Beam::step(const CaptureCounter& counter, CaptureCounts& counts, Objective best,
                Offer&& offer) {
  if (at_ == prefixes_.size()) next_level();
  if (prefixes_.empty()) return false;
  const std::size_t first = candidates_.size();
  counter.count(sets_.data() + at_ * problem_.group_words(), prefixes_[at_], nullptr, counts);
  extend(counts, best);
  for (std::size_t c = first; c < candidates_.size(); ++c) {
    if (candidates_[c].objective < best) {
      best = candidates_[c].objective;
      offer(best, prefix_of(candidates_[c]));
    }
  }
  thin_out();
  ++at_;
  return true;
}

}  // namespace surelist
