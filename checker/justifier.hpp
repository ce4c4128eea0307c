#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "bound.hpp"
#include "closed_states.hpp"
#include "counter.hpp"
#include "prefixes.hpp"
#include "problem.hpp"
#include "sums.hpp"

namespace surelist_checker {

// Why a proof is refused: a closed prefix is itself a list below the target, a child of it is not
// justified, the reason it is listed for does not hold, or the state that all lists begin with is
// neither closed nor bounded.
struct Failure {
  enum class Kind { list_below_target, open_child, wrong_reason, open_beginning };
  Kind kind;
  std::uint32_t node = PrefixTree::root;
  std::size_t antecedent = 0;
  Number objective = 0;
};

// Rules (R) and (C) for closed states, one after the other: each child is justified by (B), or by
// (D): dominated by a closed state, by its parent, or by a sibling that is itself justified by one
// of the others. One justifier serves one thread.
//
// States come in the order of the file, in which neighbours share most of their prefix: the counts
// of what they share are kept, and those of a child are its parent's less what it captures.
template <class Counter>
class Justifier {
 public:
  Justifier(const Problem& problem, const Counter& counter, const PrefixTree& tree,
            const ClosedStates& closed);

  std::optional<Failure> check(const ClosedStates::Record& record);
  // (B) for a state by its groups: for the beginning of all lists.
  bool is_bounded(const Word* left, const State& state);

 protected:
  using Lane = typename Counter::Lane;
  struct Level {
    std::uint32_t antecedent = 0;
    Number cost = 0;
    Word used = 0;
    std::size_t n_left = 0;  // where small sets are preferred
    std::vector<Word> left;
    Lanes<Lane> counts;
  };
  enum class Verdict { proven, dominated, open };

  const Level& go_to(std::uint32_t node);
  const Level& go_along_path(std::uint32_t node);
  Number rule_cost(const Level& level, std::size_t antecedent) const;
  void fill(Level& level, const Level& parent, std::uint32_t antecedent);
  std::optional<std::size_t> first_open_child(const Level& level, const State& state);
  Number sort_out(const State& state);
  void look_ahead(const Level& level);
  bool is_closed(const Level& level, const State& state, std::size_t antecedent);
  Verdict judge(const Level& level, const State& state, std::size_t antecedent);
  void count_rest(const Level& level, std::size_t antecedent, std::size_t begin, std::size_t end);
  bool is_bounded_by_parent(const Level& level, const State& state, std::size_t antecedent);
  bool is_clearly_bounded(std::size_t antecedent, const State& child) const;
  bool has_dominating_sibling(const Level& level, const State& state, std::size_t antecedent);
  State child_of(const State& state, std::size_t antecedent) const {
    return {child_cost_[antecedent], state.used | problem_.required[antecedent], state.room - 1};
  }

  // Levels are kept for the first rules of a prefix, so that memory is bounded.
  static constexpr std::size_t most_levels = 24;

  const Problem& problem_;
  const Counter& counter_;
  const PrefixTree& tree_;
  const ClosedStates& closed_;
  const std::size_t n_parts_;
  const std::size_t n_spread_parts_;  // parts, from the first, that spread and quick bound need
  typename Counter::Scratch scratch_;
  Sums sums_, child_sums_;
  Bound bound_, child_bound_;
  std::vector<Level> levels_;     // never more than is reserved: their places stay
  Level below_, above_;           // of a longer prefix, and of its parent
  const Level* level_ = nullptr;  // of the last prefix, which is
  std::uint32_t at_ = PrefixTree::none;
  const Level* parent_ = nullptr;  // of that; null for the empty one
  std::size_t depth_ = 0;
  std::vector<std::uint32_t> path_;
  std::vector<Word> child_left_, captured_, union_;
  std::vector<Word> hashes_;
  Lanes<Lane> part_, rest_;
  std::size_t n_rest_parts_ = 0;  // of `rest_` that are counted
  const bool quick_;              // whether there are two classes, and one price
  Lane may_predict_[2];           // -1 for labels that rules may have
  Lanes<Lane> usable_;            // by antecedent: -1 unless it is forbidden
  Lanes<Lane> active_;            // by antecedent: -1 while it is active
  Lane price_;                    // in units of the factor, rounded down
  Number length_ = 0;
  std::vector<Number> child_cost_, child_floor_;
  std::vector<std::uint8_t> proven_;
  std::vector<std::uint32_t> open_;
};

template <class Counter>
Justifier<Counter>::Justifier(const Problem& problem, const Counter& counter,
                              const PrefixTree& tree, const ClosedStates& closed)
    : problem_(problem),
      counter_(counter),
      tree_(tree),
      closed_(closed),
      n_parts_(counter.n_parts()),
      n_spread_parts_(problem.n_classes == 2 ? 2 : n_parts_),
      sums_(problem),
      child_sums_(problem),
      bound_(problem),
      child_bound_(problem),
      child_left_(problem.n_words),
      captured_(problem.n_words),
      part_(n_parts_ * problem.stride),
      rest_(n_parts_ * problem.stride),
      quick_(problem.n_classes == 2 && problem.one_price),
      usable_(problem.stride),
      active_(problem.stride),
      child_cost_(problem.n_antecedents),
      child_floor_(problem.n_antecedents),
      proven_(problem.n_antecedents) {
  for (std::size_t a = 0; a < problem.n_antecedents; ++a)
    usable_[a] = problem.forbidden[a] ? 0 : -1;
  for (std::size_t q = 0; q < 2; ++q)
    may_predict_[q] = static_cast<Lane>(quick_ && problem.is_label[q] ? -1 : 0);
  // No saving is above the cost of everything, so that such a price may as well be that.
  price_ = static_cast<Lane>(std::min(problem.least_price / problem.factor, problem.most_cost));
  levels_.reserve(most_levels + 1);
  Level& root = levels_.emplace_back();
  root.left = problem.everything;
  root.n_left = problem.n_groups;
  root.counts.resize(n_parts_ * problem.stride);
  counter_.count(root.left.data(), 0, n_parts_, root.counts.data(), scratch_);
}

// What a rule's losses are: its cheapest label's, in units of the factor.
template <class Counter>
Number Justifier<Counter>::rule_cost(const Level& level, std::size_t antecedent) const {
  const Lane* parts = level.counts.data() + antecedent;
  const bool two = problem_.n_classes == 2;
  Number least = problem_.most_cost;
  for (std::size_t r = 0; r < problem_.n_classes; ++r)
    if (problem_.is_label[r])
      least = std::min<Number>(least,
                               parts[r * problem_.stride] + (two ? parts[2 * problem_.stride] : 0));
  return least;
}

template <class Counter>
void Justifier<Counter>::fill(Level& level, const Level& parent, std::uint32_t antecedent) {
  const Word* captures = problem_.captured_by(antecedent);
  level.antecedent = antecedent;
  level.cost =
      parent.cost + problem_.price[antecedent] + rule_cost(parent, antecedent) * problem_.factor;
  level.used = parent.used | problem_.required[antecedent];
  level.left.resize(problem_.n_words);
  level.counts.resize(n_parts_ * problem_.stride);
  std::size_t n_left = 0;
  for (std::size_t w = 0; w < problem_.n_words; ++w) {
    captured_[w] = parent.left[w] & captures[w];
    level.left[w] = parent.left[w] & ~captures[w];
    if constexpr (Counter::prefers_small_sets)
      n_left += static_cast<std::size_t>(__builtin_popcountll(level.left[w]));
  }
  level.n_left = n_left;
  if (Counter::prefers_small_sets && parent.n_left - n_left < n_left) {
    counter_.count(captured_.data(), 0, n_parts_, part_.data(), scratch_);
    subtract(parent.counts.data(), part_.data(), n_parts_ * problem_.stride, level.counts.data());
  } else {
    counter_.count(level.left.data(), 0, n_parts_, level.counts.data(), scratch_);
  }
}

// Return the level of a prefix, with its counts; keep what it shares with the one before.
template <class Counter>
auto Justifier<Counter>::go_to(std::uint32_t node) -> const Level& {
  if (node == at_) return *level_;
  level_ = &go_along_path(node);
  at_ = node;
  return *level_;
}

template <class Counter>
auto Justifier<Counter>::go_along_path(std::uint32_t node) -> const Level& {
  path_.clear();
  for (auto at = node; at != PrefixTree::root; at = tree_.parent(at))
    path_.push_back(tree_.antecedent(at));
  const auto antecedent = [&](std::size_t i) { return path_[path_.size() - 1 - i]; };
  std::size_t shared = 0;
  while (shared < std::min(depth_, path_.size()) &&
         levels_[shared + 1].antecedent == antecedent(shared))
    ++shared;
  for (depth_ = shared; depth_ < std::min(path_.size(), most_levels); ++depth_) {
    if (levels_.size() < depth_ + 2) levels_.emplace_back();
    fill(levels_[depth_ + 1], levels_[depth_], antecedent(depth_));
  }
  parent_ = depth_ == 0 ? nullptr : &levels_[depth_ - 1];
  if (depth_ == path_.size()) return levels_[depth_];
  below_ = levels_[depth_];
  for (std::size_t i = depth_; i < path_.size(); ++i) {
    std::swap(above_, below_);
    fill(below_, above_, antecedent(i));
  }
  parent_ = &above_;
  return below_;
}

template <class Counter>
std::optional<Failure> Justifier<Counter>::check(const ClosedStates::Record& record) {
  const Level& level = go_to(record.node);
  length_ = record.length;
  const State state{record.cost, level.used, problem_.longest - length_};
  derive(problem_, level.counts.data(), sums_);
  if ((problem_.all_required & ~state.used) == 0) {
    Number least = sums_.cost(0)[problem_.n_antecedents];
    for (std::size_t q = 1; q < problem_.n_classes; ++q)
      least = std::min(least, sums_.cost(q)[problem_.n_antecedents]);
    if (state.cost + least < problem_.target)
      return Failure{Failure::Kind::list_below_target, record.node, 0, state.cost + least};
  }
  if (state.room <= 0) return std::nullopt;  // its children are exempt
  if (const auto open = first_open_child(level, state))
    return Failure{Failure::Kind::open_child, record.node, *open, 0};
  return std::nullopt;
}

// Justify the children, cheap tests first. That a child is dominated by a sibling is tried before
// (B) by its own sums, and such a child dominates no other one: that loses nothing, because what it
// would dominate its sibling does as well (the inequality of (D) adds up along a chain).
template <class Counter>
std::optional<std::size_t> Justifier<Counter>::first_open_child(const Level& level,
                                                                const State& state) {
  const Number least_floor = sort_out(state);
  if (open_.empty()) return std::nullopt;
  bound_.prepare(sums_, state, least_floor);
  std::size_t n = 0;
  for (const auto a : bound_.active()) active_[a] = -1;
  for (const auto a : open_) {
    proven_[a] = is_bounded_by_parent(level, state, a);
    if (!proven_[a]) open_[n++] = a;
  }
  open_.resize(n);
  for (const auto a : bound_.active()) active_[a] = 0;
  n = 0;
  look_ahead(level);
  for (const auto a : open_) {
    proven_[a] = is_closed(level, state, a);
    if (!proven_[a]) open_[n++] = a;
  }
  open_.resize(n);
  n = 0;
  for (const auto a : open_) {
    const Verdict verdict = judge(level, state, a);
    proven_[a] = verdict == Verdict::proven;
    if (verdict == Verdict::open) open_[n++] = a;
  }
  open_.resize(n);
  for (const auto a : open_) {
    n_rest_parts_ = 0;
    if (!has_dominating_sibling(level, state, a)) return a;
  }
  return std::nullopt;
}

// (D) by the parent, (B) by the floor; what is forbidden is exempt. Return the least floor of the
// others, which are `open_`.
template <class Counter>
Number Justifier<Counter>::sort_out(const State& state) {
  const std::size_t m = problem_.n_antecedents;
  const Number *rule = sums_.rule(), *floor = sums_.floor(), *ceil = sums_.ceil();
  const Word missing = problem_.all_required & ~state.used;
  Number least_floor = std::numeric_limits<Number>::max();
  open_.resize(m);
  std::size_t n = 0;
  for (std::size_t a = 0; a < m; ++a) {
    const Number price = problem_.price[a];
    const Number cost = state.cost + price + rule[a];
    child_cost_[a] = cost;
    child_floor_[a] = cost + floor[m] - floor[a];
    const bool not_worth_it = (price + rule[a] >= ceil[a]) & !(problem_.required[a] & missing);
    const bool done = not_worth_it | (child_floor_[a] >= problem_.target);
    const bool open = !done & !problem_.forbidden[a];
    proven_[a] = done & !problem_.forbidden[a];
    open_[n] = static_cast<std::uint32_t>(a);
    n += open;
    least_floor = open ? std::min(least_floor, child_floor_[a]) : least_floor;
  }
  open_.resize(n);
  return least_floor;
}

// (B) by the sums of the parent.
template <class Counter>
bool Justifier<Counter>::is_bounded_by_parent(const Level& level, const State& state,
                                              std::size_t antecedent) {
  const std::size_t a = antecedent, stride = problem_.stride;
  if (bound_.holds_for_child(sums_, state, a, child_cost_[a], child_floor_[a])) return true;
  if (!quick_ || problem_.all_required & ~(state.used | problem_.required[a])) return false;
  const Lane *up = level.counts.data(), *down = up + stride;
  const Lane own = active_[a];
  active_[a] = 0;
  const auto found =
      most_net(up, down, active_.data(), may_predict_[0], may_predict_[1], up[a], down[a], stride);
  active_[a] = own;
  const Number net[2] = {found.net[0] * problem_.factor, found.net[1] * problem_.factor};
  return bound_.holds_for_child(sums_, state, a, child_cost_[a], child_floor_[a], net);
}

// Has memory read for all open children, before each is looked up.
template <class Counter>
void Justifier<Counter>::look_ahead(const Level& level) {
  hashes_.clear();
  for (const auto a : open_) {
    const Word* captures = problem_.captured_by(a);
    for (std::size_t w = 0; w < problem_.n_words; ++w)
      child_left_[w] = level.left[w] & ~captures[w];
    hashes_.push_back(closed_.hash(child_left_.data()));
    closed_.prefetch(hashes_.back());
  }
  for (const Word hash : hashes_) closed_.prefetch_record(hash);
}

// (D) by a closed state with the same groups.
template <class Counter>
bool Justifier<Counter>::is_closed(const Level& level, const State& state, std::size_t antecedent) {
  const Word* captures = problem_.captured_by(antecedent);
  for (std::size_t w = 0; w < problem_.n_words; ++w) child_left_[w] = level.left[w] & ~captures[w];
  const State child = child_of(state, antecedent);
  const auto length = static_cast<std::uint32_t>(problem_.limited ? length_ + 1 : 0);
  return closed_.dominates(
      {child_left_.data(), closed_.hash(child_left_.data()), child.cost, child.used, length},
      union_);
}

// What is left to do for a child takes its own sums.
template <class Counter>
auto Justifier<Counter>::judge(const Level& level, const State& state, std::size_t antecedent)
    -> Verdict {
  const State child = child_of(state, antecedent);
  count_rest(level, antecedent, 0, n_spread_parts_);
  if (is_clearly_bounded(antecedent, child)) return Verdict::proven;
  if (has_dominating_sibling(level, state, antecedent)) return Verdict::dominated;
  count_rest(level, antecedent, n_spread_parts_, n_parts_);
  derive(problem_, rest_.data(), child_sums_);
  return child_bound_.holds(child_sums_, child) ? Verdict::proven : Verdict::open;
}

// Count some parts over what a child leaves.
template <class Counter>
void Justifier<Counter>::count_rest(const Level& level, std::size_t antecedent, std::size_t begin,
                                    std::size_t end) {
  const Word* captures = problem_.captured_by(antecedent);
  const std::size_t at = begin * problem_.stride, size = (end - begin) * problem_.stride;
  std::size_t n_left = 0;
  for (std::size_t w = 0; w < problem_.n_words; ++w) {
    captured_[w] = level.left[w] & captures[w];
    child_left_[w] = level.left[w] & ~captures[w];
    if constexpr (Counter::prefers_small_sets)
      n_left += static_cast<std::size_t>(__builtin_popcountll(child_left_[w]));
  }
  n_rest_parts_ = end;
  if (!Counter::prefers_small_sets || n_left <= level.n_left - n_left) {
    counter_.count(child_left_.data(), begin, end, rest_.data(), scratch_);
    return;
  }
  counter_.count(captured_.data(), begin, end, part_.data(), scratch_);
  subtract(level.counts.data() + at, part_.data() + at, size, rest_.data() + at);
}

// (B) with A no more than the greatest net and j - 1 times the greatest gain, of antecedents that
// may be active: what (B) takes is no more than that. For two classes and one price, where nothing
// is missing. From j = 1 on the left side is linear in j: the ends are enough.
template <class Counter>
bool Justifier<Counter>::is_clearly_bounded(std::size_t antecedent, const State& child) const {
  if (!quick_ || problem_.all_required & ~child.used) return false;
  const std::size_t stride = problem_.stride, m = problem_.n_antecedents;
  const auto found = greatest(rest_.data(), rest_.data() + stride, usable_.data(), may_predict_[0],
                              may_predict_[1], price_, stride);
  const Number lacking = problem_.target - child_floor_[antecedent], price = problem_.least_price;
  Number most = std::min(static_cast<Number>(found.n_active), child.room);
  if (price > 0) most = std::min(most, (lacking - 1) / price);
  const Number need = problem_.target - child.cost;
  for (std::size_t q = 0; q < 2; ++q) {
    const Number cost = sums_.cost(q)[m] - sums_.cost(q)[antecedent];
    const Number net = found.net[q] * problem_.factor, gain = found.gain[q] * problem_.factor;
    if (cost < need) return false;
    for (const Number j : {Number{1}, most})
      if (j <= most && j > 0 && j * price + cost - net - (j - 1) * gain < need) return false;
  }
  return true;
}

// (D) by a child of the same state that is justified by other means.
template <class Counter>
bool Justifier<Counter>::has_dominating_sibling(const Level& level, const State& state,
                                                std::size_t antecedent) {
  const std::size_t stride = problem_.stride, m = problem_.n_antecedents;
  if (problem_.required[antecedent] & ~state.used) return false;
  if (n_rest_parts_ == 0) count_rest(level, antecedent, 0, n_spread_parts_);
  // With two classes the spread is up + down, otherwise ceil - floor.
  const bool two = problem_.n_classes == 2;
  const std::size_t ceil_part = two ? 0 : problem_.n_classes + 1, floor_part = ceil_part - 1;
  const auto spread_of_captured = [&](std::size_t b) {
    const auto of = [&](std::size_t part) {
      return Number{level.counts[part * stride + b]} - rest_[part * stride + b];
    };
    return (two ? of(0) + of(1) : of(ceil_part) - of(floor_part)) * problem_.factor;
  };
  const Number own = spread_of_captured(m);
  for (std::size_t b = 0; b < m; ++b) {
    const Number lead = child_floor_[antecedent] - child_floor_[b];
    if (proven_[b] && lead >= 0 && lead >= own - spread_of_captured(b)) return true;
  }
  return false;
}

template <class Counter>
bool Justifier<Counter>::is_bounded(const Word* left, const State& state) {
  counter_.count(left, 0, n_parts_, rest_.data(), scratch_);
  derive(problem_, rest_.data(), child_sums_);
  return child_bound_.holds(child_sums_, state);
}

}  // namespace surelist_checker
