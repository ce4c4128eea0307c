#include "cuts/state.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace surelist::cuts {
namespace {

constexpr std::uint32_t kGone = ~0U;

// Sums along a chain whose order and keys are set; returns how many rows some cut captures.
template <class T>
std::size_t sum_along(const State<T>& state, std::size_t n_classes, StateChain<T>& chain) {
  const std::size_t n_cuts = static_cast<std::size_t>(chain.n_cuts);
  chain.counts.assign((n_cuts + 1) * n_classes, 0);
  std::size_t n_captured = 0;
  for (const std::uint32_t row : chain.order) {
    const std::size_t key = static_cast<std::size_t>(chain.keys[row]);
    if (key == n_cuts) break;
    chain.counts[(key + 1) * n_classes + state.label(row)] += state.weight(row);
    ++n_captured;
  }
  chain.loss.resize(n_cuts + 1);
  chain.right.resize(n_cuts + 1);
  for (std::size_t p = 0; p <= n_cuts; ++p) {
    Weight* const here = chain.counts.data() + p * n_classes;
    Weight all = 0;
    Weight most = 0;
    for (std::size_t label = 0; label < n_classes; ++label) {
      if (p > 0) here[label] += here[label - n_classes];
      all += here[label];
      most = std::max(most, here[label]);
    }
    chain.loss[p] = all - most;
    chain.right[p] = -most;
  }
  return n_captured;
}

// The rows in the order of the chain, as the last rule takes them.
template <class T>
void line_up(const State<T>& state, std::size_t n_classes, std::size_t n_captured,
             StateChain<T>& chain) {
  chain.last_weights.resize(n_captured);
  chain.last_labels.resize(n_captured);
  const bool ties = n_captured > static_cast<std::size_t>(chain.n_cuts);
  chain.last_ends.resize(ties ? n_captured : 0);
  for (std::size_t i = 0; i < n_captured; ++i) {
    const std::uint32_t row = chain.order[i];
    chain.last_labels[i] = static_cast<std::uint8_t>(state.label(row));
    const T weight = static_cast<T>(state.weight(row));
    chain.last_weights[i] =
        n_classes == 2 && state.label(row) == 0 ? static_cast<T>(-weight) : weight;
    if (!ties) continue;
    const bool end = i + 1 == n_captured || chain.keys[chain.order[i + 1]] != chain.keys[row];
    chain.last_ends[i] = end ? T{-1} : T{0};
  }
  chain.last = {
      {chain.order.data(), n_captured}, chain.last_weights, chain.last_labels, chain.last_ends};
}

}  // namespace

template <class T>
State<T>::State(const Table& table)
    : table_(table), groups_(table.groups), chains_(table.chains.size()) {
  for (std::size_t row = 0; row < table.n_rows(); ++row) {
    labels_.push_back(static_cast<std::uint8_t>(table.labels[row]));
    weights_.push_back(static_cast<T>(table.weights[row]));
  }
  sum_up();
}

template <class T>
State<T>::State(const State& from, std::size_t chain, Key cut)
    : table_(from.table_), from_(&from), chains_(from.n_chains()) {
  const std::vector<T>& keys = from.chain(chain).keys;
  place_.resize(from.n_rows());
  for (std::size_t row = 0; row < from.n_rows(); ++row) {
    place_[row] = kGone;
    if (keys[row] < cut) continue;
    place_[row] = static_cast<std::uint32_t>(labels_.size());
    labels_.push_back(from.labels_[row]);
    weights_.push_back(from.weights_[row]);
    groups_.push_back(from.groups_[row]);
  }
  work_ += 3 * from.n_rows();
  sum_up();
}

template <class T>
void State<T>::sum_up() {
  by_class_.assign(table_.n_classes, 0);
  for (std::size_t row = 0; row < n_rows(); ++row) by_class_[labels_[row]] += weights_[row];
  const Weight all = std::accumulate(by_class_.begin(), by_class_.end(), Weight{0});
  loss_ = all - *std::max_element(by_class_.begin(), by_class_.end());
}

template <class T>
bool State<T>::has_few_groups(std::size_t n) const {
  std::size_t n_groups = 0;
  for (std::size_t row = 0; row < n_rows(); ++row) {
    if (row == 0 || groups_[row] != groups_[row - 1]) ++n_groups;
    if (n_groups > n) return false;
  }
  return true;
}

template <class T>
const StateChain<T>& State<T>::chain(std::size_t c) const {
  if (chains_[c]) return *chains_[c];
  auto chain = std::make_unique<StateChain<T>>();
  if (from_ == nullptr) {
    sort_rows(c, *chain);
  } else {
    keep_rows(c, *chain);
  }
  const std::size_t n_captured = sum_along(*this, table_.n_classes, *chain);
  if (!table_.chains[c].mirrored) line_up(*this, table_.n_classes, n_captured, *chain);
  work_ += 6 * place_.size() + 3 * n_rows();
  chains_[c] = std::move(chain);
  return *chains_[c];
}

template <class T>
std::uint64_t State<T>::take_work() const {
  return std::exchange(work_, 0);
}

template <class T>
void State<T>::sort_rows(std::size_t c, StateChain<T>& chain) const {
  const Chain& own = table_.chains[c];
  chain.order.resize(n_rows());
  std::iota(chain.order.begin(), chain.order.end(), 0U);
  std::stable_sort(chain.order.begin(), chain.order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return own.keys[a] < own.keys[b]; });
  chain.keys.resize(n_rows());
  chain.cuts.assign(1, 0);
  Key before = -1;
  for (const std::uint32_t row : chain.order) {
    const Key key = own.keys[row];
    if (key != before && key < own.n_cuts) {
      ++chain.n_cuts;
      chain.cuts.push_back(key + 1);
    }
    before = key;
    chain.keys[row] = static_cast<T>(key < own.n_cuts ? chain.n_cuts - 1 : chain.n_cuts);
  }
}

template <class T>
void State<T>::keep_rows(std::size_t c, StateChain<T>& chain) const {
  const StateChain<T>& own = from_->chain(c);
  const T never = static_cast<T>(own.n_cuts);
  chain.order.resize(n_rows());
  chain.keys.resize(n_rows());
  chain.cuts.reserve(std::min(n_rows(), static_cast<std::size_t>(own.n_cuts)) + 1);
  chain.cuts.push_back(0);
  T before = -1;
  T place = -1;
  std::uint32_t* next = chain.order.data();
  for (const std::uint32_t row : own.order) {
    const std::uint32_t here = place_[row];
    if (here == kGone) continue;
    const T key = own.keys[row];
    if (key != before) {
      ++place;
      if (key < never) chain.cuts.push_back(own.cuts[static_cast<std::size_t>(key) + 1]);
      before = key;
    }
    chain.keys[here] = place;
    *next++ = here;
  }
  chain.n_cuts = static_cast<Key>(chain.cuts.size()) - 1;
}

template class State<std::int16_t>;
template class State<std::int32_t>;
template class State<std::int64_t>;

}  // namespace surelist::cuts
