#include "cut_state.hpp"

#include <algorithm>
#include <numeric>

namespace surelist_checker {

template <class Lane>
std::size_t CutState<Lane>::Along::place(std::int32_t cut) const {
  return static_cast<std::size_t>(std::lower_bound(keys.begin(), keys.end(), cut) - keys.begin());
}

template <class Lane>
CutState<Lane>::CutState(const CutRows& all)
    : all_(all), rows_(all.n_rows), left_(all.n_rows, 1), by_class_(all.n_classes) {
  std::iota(rows_.begin(), rows_.end(), 0U);
  sum_up();
}

template <class Lane>
CutState<Lane>::CutState(const CutState& from, std::size_t chain, std::int32_t cut)
    : all_(from.all_), from_(&from), left_(from.left_.size(), 0), by_class_(from.all_.n_classes) {
  for (const std::uint32_t row : from.rows_) {
    if (all_.keys[chain][row] < cut) continue;
    rows_.push_back(row);
    left_[row] = 1;
  }
  sum_up();
}

template <class Lane>
void CutState<Lane>::sum_up() {
  for (const std::uint32_t row : rows_) by_class_[all_.classes[row]] += all_.weights[row];
  const Number all = std::accumulate(by_class_.begin(), by_class_.end(), Number{0});
  loss_ = all - *std::max_element(by_class_.begin(), by_class_.end());
}

template <class Lane>
bool CutState<Lane>::has_few_groups(std::size_t n) const {
  std::size_t found = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (i > 0 && all_.groups[rows_[i]] == all_.groups[rows_[i - 1]]) continue;
    if (++found > n) return false;
  }
  return true;
}

// The rows that some cut of a chain captures, sorted; of the other state's where it has them.
template <class Lane>
std::vector<std::uint32_t> CutState<Lane>::rows_by_key(std::size_t chain) const {
  std::vector<std::uint32_t> found;
  if (from_ != nullptr) {
    const std::vector<std::uint32_t>& before = from_->along(chain).rows;
    found.resize(before.size());
    std::size_t n = 0;
    for (const std::uint32_t row : before) {
      found[n] = row;
      n += left_[row];
    }
    found.resize(n);
    return found;
  }
  const std::vector<std::int32_t>& keys = all_.keys[chain];
  for (const std::uint32_t row : rows_) {
    if (keys[row] < all_.n_cuts[chain]) found.push_back(row);
  }
  std::stable_sort(found.begin(), found.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  return found;
}

template <class Lane>
auto CutState<Lane>::along(std::size_t chain) const -> const Along& {
  if (along_.empty()) along_.resize(all_.keys.size());
  if (along_[chain]) return *along_[chain];
  auto made = std::make_unique<Along>();
  Along& own = *made;
  own.rows = rows_by_key(chain);
  const std::size_t n = own.rows.size(), n_classes = all_.n_classes;
  const std::vector<std::int32_t>& keys = all_.keys[chain];
  own.ends.resize(n);
  own.labels.resize(n);
  own.weights.resize(n);
  std::vector<Number> sums(n_classes);
  const auto add_cut = [&] {
    const Number captured = std::accumulate(sums.begin(), sums.end(), Number{0});
    const Number most = *std::max_element(sums.begin(), sums.end());
    own.counts.insert(own.counts.end(), sums.begin(), sums.end());
    own.captured.push_back(captured);
    own.loss.push_back(captured - most);
    own.right.push_back(-most);
  };
  add_cut();
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t row = own.rows[i], label = all_.classes[row];
    const Number weight = all_.weights[row];
    sums[label] += weight;
    own.labels[i] = label;
    own.weights[i] = static_cast<Lane>(n_classes == 2 && label == 0 ? -weight : weight);
    const bool is_end = i + 1 == n || keys[own.rows[i + 1]] != keys[row];
    own.ends[i] = is_end ? 1 : 0;
    if (!is_end) continue;
    own.keys.push_back(keys[row]);
    add_cut();
  }
  along_[chain] = std::move(made);
  return own;
}

template class CutState<std::int32_t>;
template class CutState<std::int64_t>;

}  // namespace surelist_checker
