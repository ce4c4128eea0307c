#include "cuts/box_tree.hpp"

#include <limits>
#include <numeric>

namespace surelist::cuts {

template <class T>
BoxProblem<T>::BoxProblem(const Table& own_table, const std::vector<Family>& own_families,
                          Scale own_scale, Watch& own_watch, bool own_logging)
    : table(own_table),
      families(own_families),
      scale(own_scale),
      watch(own_watch),
      logging(own_logging),
      last(own_table, own_watch) {
  Known every;
  every.families.resize(families.size());
  for (std::uint32_t f = 0; f < families.size(); ++f) every.families[f].family = f;
  all = keep(std::move(every));
}

template <class T>
auto BoxProblem<T>::keep(Known own) -> Families {
  constexpr std::size_t kOpenBox = 128;  // bytes, about
  own.families.shrink_to_fit();
  const std::size_t nbytes = own.families.capacity() * sizeof(Waiting) + kOpenBox;
  const auto forget = [counter = &watch, nbytes](const Known* kept) {
    counter->let_go(nbytes);
    delete kept;
  };
  Families kept(new const Known(std::move(own)), forget);
  watch.keep(nbytes);
  return kept;
}

template <class T>
Weight BoxProblem<T>::need(Cost target) const {
  const Cost rest = target - scale.rule;
  return rest <= 0 ? 0 : (rest + scale.loss - 1) / scale.loss;
}

template <class T>
BoxTree<T>::BoxTree(BoxProblem<T>& problem, std::size_t k)
    : problem_(problem),
      k_(k),
      next_(k > 2 ? std::make_unique<BoxTree>(problem, k - 1) : nullptr),
      lowest_(problem.table.n_classes),
      highest_(problem.table.n_classes) {}

template <class T>
bool BoxTree<T>::run(const LeftRows<T>& rows, std::span<const std::uint32_t> roots, BestList& best,
                     bool any) {
  rows_ = &rows;
  best_ = &best;
  any_ = any;
  n_roots_ = roots.size();
  open_ = {};
  nodes_.assign(problem_.logging ? roots.size() : 0, {});
  bound_ = least_ = least_of(k_, rows.by_class);
  for (std::uint32_t root = 0; root < roots.size(); ++root) {
    Box box;
    for (const std::size_t axis : {0, 1}) {
      box.high[axis] = problem_.table.chains[problem_.families[roots[root]][axis]].n_cuts + 1;
    }
    open_.push({bound_, root, roots[root], box, problem_.all});
  }
  while (goes_on()) {
    const Open open = open_.top();
    open_.pop();
    bound_ = open.bound;
    if (!take(open)) return false;
  }
  for (; problem_.logging && least_ >= best.value && !open_.empty(); open_.pop()) {
    too_dear(open_.top().node);
  }
  return true;
}

template <class T>
Cost BoxTree<T>::least_of(std::size_t n_rules, std::span<const T> by_class) const {
  return problem_.scale.rule * static_cast<Cost>(n_rules) +
         problem_.scale.loss * beyond<T>(by_class, n_rules + 1);
}

template <class T>
void BoxTree<T>::too_dear(std::size_t node) {
  if (problem_.logging) nodes_[node].split = kTooDear;
}

// Where there is more than one rule to come, a proof needs trees for each box. With two rules, a
// checker needs no help for those that are not split.
template <class T>
bool BoxTree<T>::goes_on() const {
  if (open_.empty()) return false;
  return open_.top().bound < best_->value || (problem_.logging && k_ > 2);
}

// False: a list was found, and that is enough.
template <class T>
bool BoxTree<T>::take(const Open& open) {
  leave(open);
  const Cost low = problem_.scale.rule + problem_.scale.loss * loss_of<T>(lowest_);
  if (std::max(least_, low + least_of(k_ - 1, left_.by_class)) >= best_->value) {
    too_dear(open.node);
    return true;
  }
  Known waiting;
  std::vector<std::uint32_t> settled;
  Bytes proof;
  const std::optional<Cost> bound = settle(open, low, waiting, settled, proof);
  if (!bound) return false;
  if (problem_.logging) nodes_[open.node].proof = std::move(proof);
  if (waiting.families.empty()) return true;
  split(open, std::max(*bound, open.bound), problem_.keep(std::move(waiting)), std::move(settled));
  return true;
}

// Counts what the box's lowest and highest cuts capture, and lists what the highest leave.
template <class T>
void BoxTree<T>::leave(const Open& open) {
  const Family family = problem_.families[open.family];
  const Key* const one = problem_.table.chains[family[0]].keys.data();
  const Key* const other = problem_.table.chains[family[1]].keys.data();
  const auto& [low, high] = open.box;
  left_.clear(problem_.table.n_classes);
  std::fill(lowest_.begin(), lowest_.end(), T{0});
  std::fill(highest_.begin(), highest_.end(), T{0});
  const std::size_t n = rows_->rows.size();
  problem_.watch.spend(4 * n + 1000);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t row = rows_->rows[i];
    const std::uint8_t label = rows_->labels[i];
    const T weight = rows_->weights[i];
    if (one[row] >= high[0] || other[row] >= high[1]) {
      left_.add(row, label, weight);
      continue;
    }
    highest_[label] += weight;
    if (one[row] < low[0] && other[row] < low[1]) lowest_[label] += weight;
  }
  if (!next_) problem_.last.begin(left_);
}

// Looks at the families that wait; returns the least that a list of the box may cost, nothing where
// a list was found and that is enough.
template <class T>
std::optional<Cost> BoxTree<T>::settle(const Open& open, Cost low, Known& waiting,
                                       std::vector<std::uint32_t>& settled, Bytes& proof) {
  const Cost high = problem_.scale.rule + problem_.scale.loss * loss_of<T>(highest_);
  const Cost price = problem_.scale.rule * static_cast<Cost>(k_ - 1);
  const Cost nothing = price + problem_.scale.loss * loss_of<T>(left_.by_class);
  if (low + nothing < best_->value) {  // nor do rules that capture nothing cost enough
    if (any_ && high + nothing < best_->value) {
      replace(open, high + nothing, {});
      return std::nullopt;
    }
    waiting = *open.waiting;
    return low + least_of(k_ - 1, left_.by_class);
  }
  Cost bound = std::numeric_limits<Cost>::max();
  waiting.weight = std::accumulate(left_.by_class.begin(), left_.by_class.end(), Weight{0});
  const Weight more = waiting.weight - open.waiting->weight;
  for (Waiting family : open.waiting->families) {
    const std::uint32_t f = family.family;
    if (const std::optional<bool> is_settled = known(open, family, more, low, high)) {
      if (*is_settled) {
        settled.push_back(f);
      } else {
        waiting.families.push_back(family);
        bound = std::min(bound, low + with_last(family.least));
      }
      continue;
    }
    for (;;) {
      Answer answer = look(f, best_->value - low);
      if (answer.settled) {
        settled.push_back(f);
        if (problem_.logging && next_) next_->write(proof);
        break;
      }
      if (high + answer.found.value < best_->value) {
        replace(open, high + answer.found.value, answer.found.rules);
        if (any_) return std::nullopt;
        continue;
      }
      answer.waits.family = f;
      waiting.families.push_back(answer.waits);
      bound = std::min(bound, low + answer.least);
      break;
    }
  }
  return std::min(bound, best_->value - 1);
}

// Whether a family is settled, from what is known of it on fewer rows, which is carried over to
// those that are left; nothing where it has to be looked at. Single cuts have to be: there is
// nothing left to split. So does what may make a better list.
template <class T>
std::optional<bool> BoxTree<T>::known(const Open& open, Waiting& family, Weight more, Cost low,
                                      Cost high) const {
  if (next_) return std::nullopt;
  const Cost cutoff = best_->value - low;
  if (with_last(family.least) >= cutoff) return true;
  if (family.loss > std::numeric_limits<T>::max() - static_cast<T>(more)) return std::nullopt;
  family.loss += static_cast<T>(more);
  const Cost reached = with_last(family.loss);
  if (open.box.single() || reached >= cutoff || high + reached < best_->value) return std::nullopt;
  return false;
}

// Whether lists of k - 1 rules on the rows that are left may cost less than the cutoff.
template <class T>
auto BoxTree<T>::look(std::uint32_t family, Cost cutoff) -> Answer {
  Answer answer;
  if (next_) {
    answer.found.value = cutoff;
    answer.settled = next_->run(left_, {&family, 1}, answer.found, true);
    answer.least = next_->bound();
    return answer;
  }
  const Family chains = problem_.families[family];
  const auto found = problem_.last.look(chains, problem_.need(cutoff));
  answer.settled = found.settled;
  answer.least = with_last(found.least);
  answer.found = {with_last(found.loss), {{chains, found.cuts}}};
  answer.waits.least = static_cast<T>(found.least);
  answer.waits.loss = static_cast<T>(found.loss);
  return answer;
}

template <class T>
void BoxTree<T>::replace(const Open& open, Cost cost, const std::vector<Conjunction>& others) {
  best_->value = cost;
  best_->rules.assign(1, {problem_.families[open.family], open.box.high});
  best_->rules.insert(best_->rules.end(), others.begin(), others.end());
}

// The weight between the ends of a box along one axis, and the cut where half of it is reached.
template <class T>
std::pair<Weight, Key> BoxTree<T>::halve(const Open& open, std::size_t axis) {
  const Key low = open.box.low[axis];
  const Key high = open.box.high[axis];
  if (low == high) return {0, low};
  const Family family = problem_.families[open.family];
  const Key* const own = problem_.table.chains[family[axis]].keys.data();
  const Key* const other = problem_.table.chains[family[1 - axis]].keys.data();
  between_.assign(static_cast<std::size_t>(high - low), 0);
  for (std::size_t i = 0; i < rows_->rows.size(); ++i) {
    const std::uint32_t row = rows_->rows[i];
    if (own[row] < low || own[row] >= high || other[row] >= open.box.high[1 - axis]) continue;
    between_[static_cast<std::size_t>(own[row] - low)] += rows_->weights[i];
  }
  const Weight all = 1 + std::accumulate(between_.begin(), between_.end(), Weight{0});
  Weight sum = 0;
  Key cut = low;
  while (cut + 1 < high && 2 * (sum += between_[static_cast<std::size_t>(cut - low)]) < all) ++cut;
  return {all, cut};
}

// Splits a box along the axis where more weight is between its ends, at half of it.
template <class T>
void BoxTree<T>::split(const Open& open, Cost bound, Families waiting,
                       std::vector<std::uint32_t> settled) {
  const std::array<std::pair<Weight, Key>, 2> halves{halve(open, 0), halve(open, 1)};
  const std::size_t axis = halves[1].first > halves[0].first ? 1 : 0;
  const Key middle = halves[axis].second;
  const std::size_t parts = problem_.logging ? nodes_.size() : open.node * 2;
  if (problem_.logging) {
    Node& node = nodes_[open.node];
    node.split = static_cast<std::uint8_t>(1 + axis);
    node.cut = middle;
    node.parts = static_cast<std::uint32_t>(parts);
    node.settled = std::move(settled);
    nodes_.resize(parts + 2);
  }
  problem_.watch.spend(2 * rows_->rows.size());
  Open part = open;
  part.bound = bound;
  part.waiting = std::move(waiting);
  part.node = parts;
  part.box.high[axis] = middle;
  open_.push(part);
  part.node = parts + 1;
  part.box.high[axis] = open.box.high[axis];
  part.box.low[axis] = middle + 1;
  open_.push(std::move(part));
}

template <class T>
void BoxTree<T>::write(Bytes& log) const {
  for (std::size_t root = 0; root < n_roots_; ++root) write(root, log);
}

template <class T>
void BoxTree<T>::write(std::size_t node, Bytes& log) const {
  const Node& own = nodes_[node];
  leb128::put(log, own.split);
  const bool is_split = own.split != kUnsplit && own.split != kTooDear;
  if (is_split) {
    leb128::put(log, static_cast<std::uint64_t>(own.cut));
    leb128::put(log, own.settled.size());
    std::uint32_t before = 0;
    for (const std::uint32_t family : own.settled) {
      leb128::put(log, family - before);
      before = family;
    }
  }
  log.insert(log.end(), own.proof.begin(), own.proof.end());
  if (!is_split) return;
  write(own.parts, log);
  write(own.parts + 1, log);
}

template struct BoxProblem<std::int32_t>;
template struct BoxProblem<std::int64_t>;
template class BoxTree<std::int32_t>;
template class BoxTree<std::int64_t>;

}  // namespace surelist::cuts
