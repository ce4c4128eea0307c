#include "cuts/last_conjunction.hpp"

namespace surelist::cuts {

template <class T>
LastConjunction<T>::LastConjunction(const Table& table, Watch& watch)
    : table_(table),
      watch_(watch),
      levels_(13),  // of 8 bins each: more cuts than keys count
      chains_(table.chains.size()) {
  const bool many = table.n_rows() >= kManyRows * table.n_classes;
  const std::size_t most = many ? kManyBins : kFewBins;
  for (std::uint32_t chain = 0; chain < chains_.size(); ++chain) set_bins(chain, most);
  for (Level& level : levels_) {
    level.side = (&level == &levels_.front() ? most : kBins) + 1;
    level.counts.resize(table.n_classes * level.cells());
    level.point.resize(level.cells());
    level.bound.resize(level.cells());
  }
  const std::size_t cells = levels_.front().cells();
  tables_.resize(kTables * table.n_classes * cells);
  captured_most_.resize(cells);
  left_most_.resize(cells);
  right_.resize(cells);
}

// Bins of about as many rows each. A value that many rows have is a bin of its own.
template <class T>
void LastConjunction<T>::set_bins(std::uint32_t c, std::size_t most) {
  const Chain& chain = table_.chains[c];
  WholeChain& own = chains_[c];
  const Key end = chain.n_cuts + 1;
  if (static_cast<std::size_t>(end) <= most) {
    for (Key cut = 0; cut <= end; ++cut) own.bounds.push_back(cut);
  } else {
    std::vector<Key> sorted = chain.keys;
    std::sort(sorted.begin(), sorted.end());
    own.bounds.push_back(0);
    const auto add = [&own](Key cut) {
      if (cut > own.bounds.back()) own.bounds.push_back(cut);
    };
    Key before = -1;
    for (std::size_t at = 1; at < most; ++at) {
      const Key key = sorted[at * sorted.size() / most];
      add(key == before ? key + 1 : key);
      before = key;
    }
    add(end);
  }
  for (const Key key : chain.keys) {
    const auto above = std::upper_bound(own.bounds.begin(), own.bounds.end(), key);
    own.places.push_back(static_cast<std::uint8_t>(above - own.bounds.begin()));
  }
}

template <class T>
void LastConjunction<T>::begin(const LeftRows<T>& left) {
  left_ = &left;
  first_chain_.reset();
  for (WholeChain& chain : chains_) {
    chain.left.clear();
    chain.order.clear();
  }
}

template <class T>
auto LastConjunction<T>::look(Family family, Weight need) -> Found {
  Level& whole = levels_.front();
  for (const std::size_t axis : {0, 1}) {
    const std::vector<Key>& bounds = chains_[family[axis]].bounds;
    std::copy(bounds.begin(), bounds.end(), whole.bounds[axis].begin());
    whole.n_bins[axis] = bounds.size() - 1;
  }
  count_whole(family, whole);
  Found found;
  found.settled = settle(family, static_cast<T>(need), 0, found);
  if (found.settled) found.least = need;
  return found;
}

// A level is counted.
template <class T>
bool LastConjunction<T>::settle(Family family, T need, std::size_t depth, Found& found) {
  Level& level = levels_[depth];
  sum_up(level);
  judge(level);
  const auto [nx, ny] = level.n_bins;
  T least = need;
  std::array<std::size_t, 2> best{};
  T low = std::numeric_limits<T>::max();
  for (std::size_t x = 0; x <= nx; ++x) {
    for (std::size_t y = 0; y <= ny; ++y) {
      const std::size_t cell = x * level.side + y;
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
    found.cuts = {level.bounds[0][best[0]], level.bounds[1][best[1]]};
    return false;
  }
  if (low >= need) return true;
  for (std::size_t x = 0; x < nx; ++x) {
    const bool narrow = level.bounds[0][x + 1] - level.bounds[0][x] == 1;
    for (std::size_t y = 0; y < ny; ++y) {
      if (level.bound[x * level.side + y] >= need) continue;
      if (narrow && level.bounds[1][y + 1] - level.bounds[1][y] == 1) continue;  // no cut between
      descend(family, x, y, depth);
      if (!settle(family, need, depth + 1, found)) return false;
    }
  }
  return true;
}

// The places of the rows that are left.
template <class T>
const std::vector<std::uint8_t>& LastConjunction<T>::left_places(std::uint32_t c) {
  WholeChain& chain = chains_[c];
  if (chain.left.empty()) {
    watch_.spend(left_->rows.size());
    chain.left.resize(left_->rows.size());
    for (std::size_t i = 0; i < chain.left.size(); ++i) {
      chain.left[i] = chain.places[left_->rows[i]];
    }
  }
  return chain.left;
}

template <class T>
void LastConjunction<T>::count_whole(Family family, Level& level) {
  const std::size_t n = left_->rows.size();
  const std::size_t size = table_.n_classes * level.cells();
  watch_.spend(2 * n + 2 * size);
  if (first_chain_ != family[0]) {  // families are in the order of their first chains
    first_chain_ = family[0];
    const std::vector<std::uint8_t>& x = left_places(family[0]);
    first_cells_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      first_cells_[i] =
          static_cast<std::uint32_t>(left_->labels[i] * level.cells() + x[i] * level.side);
    }
  }
  const std::uint8_t* const y = left_places(family[1]).data();
  const std::uint32_t* const cells = first_cells_.data();
  const T* const weights = left_->weights.data();
  std::fill(tables_.begin(), tables_.end(), T{0});
  T* const tables = tables_.data();
  for (std::size_t i = 0; i + 1 < n; i += kTables) {
    tables[cells[i] + y[i]] += weights[i];
    tables[size + cells[i + 1] + y[i + 1]] += weights[i + 1];
  }
  if (n % kTables > 0) tables[cells[n - 1] + y[n - 1]] += weights[n - 1];
  for (std::size_t at = 0; at < size; ++at) level.counts[at] = tables[at] + tables[size + at];
}

// Bins of equal numbers of cuts between the ends of the level's box.
template <class T>
void LastConjunction<T>::lay_out(Level& level) const {
  for (const std::size_t axis : {0, 1}) {
    const Key range = level.box.high[axis] - level.box.low[axis];
    int shift = 0;
    while (range > static_cast<Key>(kBins) << shift) ++shift;
    level.shifts[axis] = shift;
    const Key last = std::max(0, range - 1);
    level.n_bins[axis] = static_cast<std::size_t>(last >> shift) + (range > 0 ? 1 : 0);
    for (std::size_t place = 0; place <= level.n_bins[axis]; ++place) {
      const Key step = static_cast<Key>(place) << shift;
      level.bounds[axis][place] = std::min(level.box.high[axis], level.box.low[axis] + step);
    }
  }
}

// Of a part, on top of what all of it captures.
template <class T>
void LastConjunction<T>::count(Family family, Level& level) {
  const Key* const one = table_.chains[family[0]].keys.data();
  const Key* const other = table_.chains[family[1]].keys.data();
  const std::size_t n = level.rows.size();
  level.x.resize(n);
  level.y.resize(n);
  watch_.spend(3 * n + 500);
  const auto place = [](Key key, Key low, int shift) {
    return static_cast<std::uint8_t>(key < low ? 0 : 1 + ((key - low) >> shift));
  };
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t at = level.rows[i];
    const std::uint32_t row = left_->rows[at];
    const std::uint8_t x = place(one[row], level.box.low[0], level.shifts[0]);
    const std::uint8_t y = place(other[row], level.box.low[1], level.shifts[1]);
    level.x[i] = x;
    level.y[i] = y;
    level.counts[left_->labels[at] * level.cells() + x * level.side + y] += left_->weights[at];
  }
}

// Along both axes: each cell then has all that is captured at its bounds.
template <class T>
void LastConjunction<T>::sum_up(Level& level) const {
  const auto [nx, ny] = level.n_bins;
  const std::size_t side = level.side;
  for (std::size_t label = 0; label < table_.n_classes; ++label) {
    T* const counts = level.counts.data() + label * level.cells();
    for (std::size_t x = 0; x <= nx; ++x) {
      for (std::size_t y = 1; y <= ny; ++y) counts[x * side + y] += counts[x * side + y - 1];
      if (x == 0) continue;
      for (std::size_t y = 0; y <= ny; ++y) counts[x * side + y] += counts[(x - 1) * side + y];
    }
  }
}

// Losses at bounds of bins, and bounds of the boxes between them, if the rows captured and the rows
// left are not predicted alike: otherwise the rule is no better than none.
template <class T>
void LastConjunction<T>::judge(Level& level) {
  const std::size_t n = level.n_bins[0] * level.side + level.n_bins[1] + 1;
  lose(level, 0, {level.point.data(), n});
  const std::size_t opposite = level.side + 1;
  if (n > opposite) lose(level, opposite, {level.bound.data(), n - opposite});
}

// By cell, what is lost at least of the rows captured there and the rows left so many cells on.
template <class T>
void LastConjunction<T>::lose(const Level& level, std::size_t further, std::span<T> loss) {
  const std::size_t n = loss.size();
  T* const captured_most = captured_most_.data();
  T* const left_most = left_most_.data();
  T* const right = right_.data();
  std::fill(loss.begin(), loss.end(), T{0});
  for (T* const sums : {captured_most, left_most, right}) std::fill(sums, sums + n, T{0});
  for (std::size_t label = 0; label < table_.n_classes; ++label) {
    const T* const counts = level.counts.data() + label * level.cells();
    const T whole = left_->by_class[label];
    for (std::size_t cell = 0; cell < n; ++cell) {
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
  for (std::size_t cell = 0; cell < n; ++cell) loss[cell] -= right[cell];
}

// Counts a finer table of one box. Rows that all its cuts capture are counted in its first cell,
// those that none does are left out.
template <class T>
void LastConjunction<T>::descend(Family family, std::size_t x, std::size_t y, std::size_t depth) {
  const Level& level = levels_[depth];
  Level& finer = levels_[depth + 1];
  finer.box.low = {level.bounds[0][x], level.bounds[1][y]};
  finer.box.high = {level.bounds[0][x + 1], level.bounds[1][y + 1]};
  std::fill(finer.counts.begin(), finer.counts.end(), T{0});
  for (std::size_t label = 0; label < table_.n_classes; ++label) {
    const T always = level.counts[label * level.cells() + x * level.side + y];
    finer.counts[label * finer.cells()] = always;
  }
  if (depth == 0) {
    take_strips(family, x, y, finer);
  } else {
    take_between(level, x, y, finer);
  }
  lay_out(finer);
  count(family, finer);
}

// The rows that are left, by their places along a chain.
template <class T>
auto LastConjunction<T>::in_order(std::uint32_t c) -> const WholeChain& {
  WholeChain& chain = chains_[c];
  if (!chain.order.empty()) return chain;
  const std::vector<std::uint8_t>& places = left_places(c);
  watch_.spend(3 * places.size());
  chain.begins.assign(chain.bounds.size() + 1, 0);
  for (const std::uint8_t place : places) ++chain.begins[place];
  std::uint32_t sum = 0;
  for (std::uint32_t& begin : chain.begins) begin = std::exchange(sum, sum + begin);
  chain.order.resize(places.size());
  std::vector<std::uint32_t> next = chain.begins;
  for (std::uint32_t i = 0; i < places.size(); ++i) chain.order[next[places[i]]++] = i;
  return chain;
}

// Of the first table: rows in the bin of one axis and not above that of the other.
template <class T>
void LastConjunction<T>::take_strips(Family family, std::size_t x, std::size_t y, Level& finer) {
  const std::array<std::size_t, 2> most{x, y};
  finer.rows.clear();
  for (const std::size_t axis : {0, 1}) {
    const WholeChain& chain = in_order(family[axis]);
    const std::uint8_t* const other = left_places(family[1 - axis]).data();
    // Rows in both bins belong to the first strip.
    const std::size_t highest = most[1 - axis] + (axis == 0 ? 1 : 0);
    const std::size_t begin = chain.begins[most[axis] + 1];
    const std::size_t end = chain.begins[most[axis] + 2];
    std::size_t n_kept = finer.rows.size();
    finer.rows.resize(n_kept + end - begin);
    for (std::size_t at = begin; at < end; ++at) {  // branch-free
      finer.rows[n_kept] = chain.order[at];
      n_kept += other[chain.order[at]] <= highest ? 1 : 0;
    }
    finer.rows.resize(n_kept);
  }
}

template <class T>
void LastConjunction<T>::take_between(const Level& level, std::size_t x, std::size_t y,
                                      Level& finer) const {
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
