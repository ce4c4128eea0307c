#include "cuts/cover.hpp"

namespace surelist::cuts {
namespace {

// The first cut of begin to end for which `holds`, which it does from some cut on; or end.
template <class Holds>
Key first_where(Key begin, Key end, const Holds& holds) {
  while (begin < end) {
    const Key middle = begin + (end - begin) / 2;
    if (holds(middle)) {
      end = middle;
    } else {
      begin = middle + 1;
    }
  }
  return begin;
}

}  // namespace

std::pair<Key, Key> Gap::unsettled(const Sums& sums, Cost target) const {
  const Key first =
      first_where(left + 1, right, [&](Key p) { return sums.above(from_left, p) < target; });
  const Key end =
      first_where(first, right, [&](Key p) { return sums.below(from_right, p) >= target; });
  return {first, end - 1};
}

Cost Gap::least(const Sums& sums) const {
  // One bound falls and the other rises: the least is where they cross.
  const Key crossing = first_where(left + 1, right, [&](Key p) {
    return sums.below(from_right, p) >= sums.above(from_left, p);
  });
  if (crossing == left + 1) return bound(sums, crossing);
  if (crossing == right) return bound(sums, right - 1);
  return std::min(bound(sums, crossing), bound(sums, crossing - 1));
}

void spread(const Sums& sums, Key first, Key last, std::size_t n, std::vector<Key>& cuts) {
  const std::size_t n_cuts = static_cast<std::size_t>(last - first + 1);
  if (n_cuts <= n) {
    for (Key p = first; p <= last; ++p) cuts.push_back(p);
    return;
  }
  const Weight begin = sums.captured(first);
  const double step = static_cast<double>(sums.captured(last) - begin) / static_cast<double>(n + 1);
  Key next = first;
  for (std::size_t i = 1; i <= n; ++i) {
    const Weight aim = begin + static_cast<Weight>(step * static_cast<double>(i));
    // Each of those that follow needs a cut, too.
    const Key latest = last - static_cast<Key>(n - i);
    next = first_where(next, latest, [&](Key p) { return sums.captured(p) >= aim; });
    cuts.push_back(next++);
  }
}

}  // namespace surelist::cuts
