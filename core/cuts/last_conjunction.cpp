#include "cuts/last_conjunction.hpp"

#include <numeric>

namespace surelist::cuts {

template <class T>
LastConjunction<T>::LastConjunction(const Table& table, Watch& watch)
    : table_(table), watch_(watch), levels_(10) {  // of 16 bins each: more cuts than keys count
  for (Level& level : levels_) {
    level.counts.resize(table.n_classes * kCells);
    level.point.resize(kCells);
    level.bound.resize(kCells);
  }
}

template <class T>
auto LastConjunction<T>::look(const LeftRows<T>& left, Family family, Weight need) -> Found {
  Level& whole = levels_.front();
  whole.rows.resize(left.rows.size());
  std::iota(whole.rows.begin(), whole.rows.end(), 0U);
  std::fill(whole.counts.begin(), whole.counts.end(), T{0});
  for (const std::size_t axis : {0, 1}) {
    whole.box.low[axis] = 0;
    whole.box.high[axis] = table_.chains[family[axis]].n_cuts + 1;
  }
  Found found;
  found.settled = settle(left, family, static_cast<T>(need), 0, found);
  if (found.settled) found.least = need;
  return found;
}

// A level's rows, box and what all of the box captures (in every cell) are set.
template <class T>
bool LastConjunction<T>::settle(const LeftRows<T>& left, Family family, T need, std::size_t depth,
                                Found& found) {
  Level& level = levels_[depth];
  count(left, family, level);
  sum_up(level);
  judge(left, level);
  const std::size_t nx = level.n_bins[0];
  const std::size_t ny = level.n_bins[1];
  T least = need;
  std::array<std::size_t, 2> best{};
  T low = std::numeric_limits<T>::max();
  for (std::size_t x = 0; x <= nx; ++x) {
    for (std::size_t y = 0; y <= ny; ++y) {
      const std::size_t cell = x * kSide + y;
      if (level.point[cell] < least) {
        least = level.point[cell];
        best = {x, y};
      }
      if (x < nx && y < ny) low = std::min(low, level.bound[cell]);
    }
  }
  if (depth == 0) found.least = low;
  if (least < need) {
    found.loss = least;
    found.cuts = {level.at(0, best[0]), level.at(1, best[1])};
    return false;
  }
  if (low >= need || (level.shifts[0] == 0 && level.shifts[1] == 0)) return true;
  for (std::size_t x = 0; x < nx; ++x) {
    for (std::size_t y = 0; y < ny; ++y) {
      if (level.bound[x * kSide + y] >= need) continue;
      descend(level, x, y, levels_[depth + 1]);
      if (!settle(left, family, need, depth + 1, found)) return false;
    }
  }
  return true;
}

template <class T>
void LastConjunction<T>::count(const LeftRows<T>& left, Family family, Level& level) {
  for (const std::size_t axis : {0, 1}) {
    const Key range = level.box.high[axis] - level.box.low[axis];
    int shift = 0;
    while (range > static_cast<Key>(kBins) << shift) ++shift;
    level.shifts[axis] = shift;
    const Key last = std::max(0, range - 1);
    level.n_bins[axis] = static_cast<std::size_t>(last >> shift) + (range > 0 ? 1 : 0);
  }
  const Key* const one = table_.chains[family[0]].keys.data();
  const Key* const other = table_.chains[family[1]].keys.data();
  const std::size_t n = level.rows.size();
  level.x.resize(n);
  level.y.resize(n);
  watch_.spend(4 * n + 1000);
  const auto place = [](Key key, Key low, int shift) {
    return static_cast<std::uint8_t>(key < low ? 0 : 1 + ((key - low) >> shift));
  };
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t at = level.rows[i];
    const std::uint32_t row = left.rows[at];
    const std::uint8_t x = place(one[row], level.box.low[0], level.shifts[0]);
    const std::uint8_t y = place(other[row], level.box.low[1], level.shifts[1]);
    level.x[i] = x;
    level.y[i] = y;
    level.counts[left.labels[at] * kCells + x * kSide + y] += left.weights[at];
  }
}

// Along both axes: each cell then has all that is captured at its bounds.
template <class T>
void LastConjunction<T>::sum_up(Level& level) const {
  const std::size_t nx = level.n_bins[0];
  const std::size_t ny = level.n_bins[1];
  for (std::size_t label = 0; label < table_.n_classes; ++label) {
    T* const counts = level.counts.data() + label * kCells;
    for (std::size_t x = 0; x <= nx; ++x) {
      for (std::size_t y = 1; y <= ny; ++y) counts[x * kSide + y] += counts[x * kSide + y - 1];
      if (x == 0) continue;
      for (std::size_t y = 0; y <= ny; ++y) counts[x * kSide + y] += counts[(x - 1) * kSide + y];
    }
  }
}

// Losses at bounds of bins, and bounds of the boxes between them, if the rows captured and the rows
// left are not predicted alike: otherwise the rule is no better than none.
template <class T>
void LastConjunction<T>::judge(const LeftRows<T>& left, Level& level) const {
  const std::size_t n = level.n_bins[0] * kSide + level.n_bins[1] + 1;
  lose(left, level, 0, {level.point.data(), n});
  constexpr std::size_t kOpposite = kSide + 1;
  if (n > kOpposite) lose(left, level, kOpposite, {level.bound.data(), n - kOpposite});
}

// By cell, what is lost at least of the rows captured there and the rows left so many cells on.
template <class T>
void LastConjunction<T>::lose(const LeftRows<T>& left, const Level& level, std::size_t further,
                              std::span<T> loss) const {
  std::array<T, kCells> captured_most{};  // of a label so far
  std::array<T, kCells> left_most{};
  std::array<T, kCells> right{};
  std::fill(loss.begin(), loss.end(), T{0});
  for (std::size_t label = 0; label < table_.n_classes; ++label) {
    const T* const counts = level.counts.data() + label * kCells;
    const T whole = left.by_class[label];
    for (std::size_t cell = 0; cell < loss.size(); ++cell) {
      const T captured = counts[cell];
      const T rest = whole - counts[cell + further];
      loss[cell] += captured + rest;
      if (label > 0) {
        const T both = std::max(captured_most[cell] + rest, captured + left_most[cell]);
        right[cell] = std::max(right[cell], both);
      }
      captured_most[cell] = std::max(captured_most[cell], captured);
      left_most[cell] = std::max(left_most[cell], rest);
    }
  }
  for (std::size_t cell = 0; cell < loss.size(); ++cell) loss[cell] -= right[cell];
}

// Sets up a finer table of one box. Rows that all its cuts capture are counted in its first cell,
// those that none does are left out.
template <class T>
void LastConjunction<T>::descend(const Level& level, std::size_t x, std::size_t y,
                                 Level& finer) const {
  finer.box.low = {level.at(0, x), level.at(1, y)};
  finer.box.high = {level.at(0, x + 1), level.at(1, y + 1)};
  std::fill(finer.counts.begin(), finer.counts.end(), T{0});
  for (std::size_t label = 0; label < table_.n_classes; ++label) {
    finer.counts[label * kCells] = level.counts[label * kCells + x * kSide + y];
  }
  const std::size_t n = level.rows.size();
  finer.rows.resize(n);
  std::size_t n_kept = 0;
  for (std::size_t i = 0; i < n; ++i) {  // branch-free: no processor could predict the branches
    const bool within = (level.x[i] <= x + 1) & (level.y[i] <= y + 1);
    const bool always = (level.x[i] <= x) & (level.y[i] <= y);
    finer.rows[n_kept] = level.rows[i];
    n_kept += within & !always;
  }
  finer.rows.resize(n_kept);
}

template class LastConjunction<std::int32_t>;
template class LastConjunction<std::int64_t>;

}  // namespace surelist::cuts
