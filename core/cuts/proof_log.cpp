#include "cuts/proof_log.hpp"

namespace surelist::cuts {

std::vector<Key> needed_cuts(const Sums& sums, const Gap& whole,
                             std::span<const std::pair<Key, Cost>> solved, Cost least) {
  std::vector<Key> needed;
  Gap gap = whole;
  const auto holds = [&](Key right, Cost from_right) {
    Gap part = gap;
    part.right = right;
    part.from_right = from_right;
    return part.empty() || part.least(sums) >= least;
  };
  for (std::size_t next = 0; !holds(whole.right, whole.from_right);) {
    // As far as it goes: all that is between is then settled from both ends.
    std::size_t furthest = next;
    for (std::size_t i = next; i < solved.size(); ++i) {
      if (holds(solved[i].first, sums.from_right(solved[i].first, solved[i].second))) furthest = i;
    }
    const auto [cut, value] = solved[furthest];
    needed.push_back(cut);
    gap.left = cut;
    gap.from_left = sums.from_left(cut, value);
    next = furthest + 1;
  }
  return needed;
}

void log_pair(Bytes& log, std::size_t first, std::size_t last_place, const std::vector<Key>& cuts,
              std::span<const Key> table_cuts) {
  leb128::put(log, first);
  leb128::put(log, last_place);
  leb128::put(log, cuts.size());
  Key before = 0;
  for (const Key cut : cuts) {
    const Key own = table_cuts[Sums::at(cut)];
    leb128::put(log, static_cast<std::uint64_t>(own - before));
    before = own;
  }
}

}  // namespace surelist::cuts
