#include "cuts/pair_boxes.hpp"

#include <numeric>

namespace surelist::cuts {

template <class T>
PairBoxes<T>::PairBoxes(const Table& table, const std::vector<Family>& families, Scale scale,
                        Watch& watch, bool logging)
    : problem_(table, families, scale, watch, logging) {
  rows_.clear(table.n_classes);
  for (std::uint32_t row = 0; row < table.n_rows(); ++row) {
    rows_.add(row, static_cast<std::uint8_t>(table.labels[row]),
              static_cast<T>(table.weights[row]));
  }
  best.value = scale.loss * loss_of<T>(rows_.by_class);
}

template <class T>
void PairBoxes<T>::extend(std::size_t k) {
  if (k == 1) {
    one_rule(rows_, 0, {});
    return;
  }
  tree_ = std::make_unique<BoxTree<T>>(problem_, k);
  if (k == 2) try_pairs();
  std::vector<std::uint32_t> roots(problem_.families.size());
  std::iota(roots.begin(), roots.end(), 0U);
  tree_->run(rows_, roots, best, false);
  if (problem_.logging) tree_->write(log_);
  tree_.reset();
}

// The best list of two rules for each of some good first ones: the best of a family each.
template <class T>
void PairBoxes<T>::try_pairs() {
  constexpr std::size_t kFirst = 32;
  problem_.last.begin(rows_);
  std::vector<std::pair<Weight, Conjunction>> first;
  for (const Family family : problem_.families) {
    Weight least = loss_of<T>(rows_.by_class);
    Conjunction rule{family, {}};
    for (auto found = problem_.last.look(family, least); !found.settled;
         found = problem_.last.look(family, least)) {
      least = found.loss;
      rule.cuts = found.cuts;
    }
    if (rule.cuts != std::array<Key, 2>{}) first.emplace_back(least, rule);
  }
  const auto by_loss = [](const auto& one, const auto& other) { return one.first < other.first; };
  std::stable_sort(first.begin(), first.end(), by_loss);
  first.resize(std::min(first.size(), kFirst));
  const Cost least_of_all = tree_->least_of(2, rows_.by_class);
  for (const auto& [least, rule] : first) {
    if (best.value <= least_of_all) return;
    Cost cost = 0;
    const LeftRows<T> left = without(rows_, rule, cost);
    one_rule(left, cost, {rule});
  }
}

template <class T>
void PairBoxes<T>::improve(std::optional<std::size_t> max_length) {
  for (bool better = true; better;) {
    better = false;
    const std::vector<Conjunction> rules = best.rules;
    LeftRows<T> left = rows_;
    Cost cost = 0;
    for (std::size_t n = 0; n <= rules.size() && !better; ++n) {
      if (max_length && n + 1 > *max_length) break;
      better =
          one_rule(left, cost, {rules.begin(), rules.begin() + static_cast<std::ptrdiff_t>(n)});
      if (n < rules.size()) left = without(left, rules[n], cost);
    }
  }
}

// The best rule after the first ones, which cost so much and left these rows; true if that is
// better than the best list. Every family is looked at until it has nothing better.
template <class T>
bool PairBoxes<T>::one_rule(const LeftRows<T>& rows, Cost before,
                            const std::vector<Conjunction>& first) {
  bool better = false;
  problem_.last.begin(rows);
  for (const Family family : problem_.families) {
    for (;;) {
      const auto found = problem_.last.look(family, problem_.need(best.value - before));
      if (found.settled) break;
      best.value = before + problem_.scale.rule + problem_.scale.loss * found.loss;
      best.rules = first;
      best.rules.push_back({family, found.cuts});
      better = true;
    }
  }
  return better;
}

template <class T>
LeftRows<T> PairBoxes<T>::without(const LeftRows<T>& rows, const Conjunction& rule,
                                  Cost& cost) const {
  const Key* const one = problem_.table.chains[rule.chains[0]].keys.data();
  const Key* const other = problem_.table.chains[rule.chains[1]].keys.data();
  LeftRows<T> left;
  left.clear(problem_.table.n_classes);
  std::vector<T> captured(problem_.table.n_classes);
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    const std::uint32_t row = rows.rows[i];
    if (one[row] < rule.cuts[0] && other[row] < rule.cuts[1]) {
      captured[rows.labels[i]] += rows.weights[i];
    } else {
      left.add(row, rows.labels[i], rows.weights[i]);
    }
  }
  cost += problem_.scale.rule + problem_.scale.loss * loss_of<T>(captured);
  return left;
}

template class PairBoxes<std::int32_t>;
template class PairBoxes<std::int64_t>;

}  // namespace surelist::cuts
