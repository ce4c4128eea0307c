#pragma once

#include <algorithm>

#include "justifier.hpp"
#include "last_two.hpp"
#include "pair_table.hpp"
#include "relaxation.hpp"

namespace surelist_checker {

// Format 2: why no list that begins with a listed prefix is below the target. See `checker.py` and
// docs/proofs.md for the rules and their proofs.
//
//   closed      at most two rules can follow, and none of these lists is below the target (P); or
//               (R), and each child is bounded (B), dominated by its parent or by a listed state
//               (D), listed itself, or no costlier in the other order (O);
//   sibling     dominated by the sibling that is named, which is bounded, dominated or listed;
//   deletion,   every list that begins with it costs strictly more than with the rule left out, or
//   insertion   with the other one in front (I);
//   relaxation  (R), and any number of rules reach too little (M). The parent is listed for one of
//               the first three reasons, as it is for (O).
//
// One settler serves one thread.
template <class Counter>
class Settler : public Justifier<Counter> {
 public:
  Settler(const Problem& problem, const Counter& counter, const PrefixTree& tree,
          const ClosedStates& closed, PairTable<Counter>& table);

  std::optional<Failure> check(std::uint32_t node);

 private:
  using Base = Justifier<Counter>;
  using Base::bound_, Base::captured_, Base::child_bound_, Base::child_cost_, Base::child_floor_;
  using Base::child_sums_, Base::closed_, Base::counter_, Base::length_, Base::n_parts_;
  using Base::n_spread_parts_, Base::open_, Base::parent_, Base::part_, Base::problem_;
  using Base::proven_, Base::quick_, Base::rest_, Base::scratch_, Base::sums_, Base::tree_;
  using Base::usable_, Base::active_;
  using typename Base::Lane;
  using typename Base::Level;

  // A prefix by its groups and what it costs.
  struct Walked {
    std::vector<Word> left;
    Number cost = 0;
    Word used = 0;
    std::size_t length = 0;
  };
  struct Sibling {
    std::uint32_t antecedent;
    std::uint32_t by;
  };

  std::optional<Failure> check_closed(std::uint32_t node);
  Number least_default(const Level& level) const;
  std::optional<Failure> check_children(const Level& level, const State& state, std::uint32_t node);
  bool take_listed(std::uint32_t node);
  void drop_swapped(const Level& level, std::uint32_t node);
  bool is_dearer_swapped(const Level& level, std::size_t antecedent) const;
  void drop_bounded(const Level& level, const State& state);
  bool is_direct(const Level& level, const State& state, std::size_t antecedent);
  bool is_bounded_by_own(const Level& level, const State& state, std::size_t antecedent);
  bool is_dominated_by(const Level& level, const State& state, const Sibling& sibling);
  bool is_clearly_settled(std::uint32_t node);
  bool is_improved(std::uint32_t node);
  std::optional<Failure> check_relaxed(std::uint32_t node);
  void step(Walked& walked, std::size_t antecedent);
  void add_rule(Walked& walked, std::size_t antecedent, Number loss) const;
  Number remaining(std::size_t length) const {
    return problem_.longest - static_cast<Number>(length);
  }

  const PairTable<Counter>& table_;
  LastTwo<Counter> last_two_;
  std::vector<std::uint8_t> is_listed_;
  std::vector<Sibling> siblings_;
  bool is_prepared_ = false;
  Number least_floor_ = 0;
  std::vector<Word> apart_, taken_;
  std::vector<Number> by_class_;
  Relaxation<Counter> relaxation_;
  std::uint32_t relaxed_parent_ = PrefixTree::none;  // that the relaxation was set up for
};

template <class Counter>
Settler<Counter>::Settler(const Problem& problem, const Counter& counter, const PrefixTree& tree,
                          const ClosedStates& closed, PairTable<Counter>& table)
    : Base(problem, counter, tree, closed),
      table_(table),
      last_two_(problem, counter, table),
      is_listed_(problem.n_antecedents),
      apart_(problem.n_words),
      taken_(problem.n_words),
      by_class_(problem.n_classes),
      relaxation_(problem, counter, table) {}

template <class Counter>
std::optional<Failure> Settler<Counter>::check(std::uint32_t node) {
  switch (tree_.settled(node).reason) {
    case Reason::closed:
      return check_closed(node);
    case Reason::deletion:
    case Reason::insertion:
      if (is_improved(node)) return std::nullopt;
      break;
    case Reason::relaxation:
      return check_relaxed(node);
    case Reason::sibling:  // looked at with the children of its parent; nothing else rests on it
      return std::nullopt;
    default:
      break;
  }
  return Failure{Failure::Kind::wrong_reason, node, 0, 0};
}

template <class Counter>
std::optional<Failure> Settler<Counter>::check_closed(std::uint32_t node) {
  if (is_clearly_settled(node)) return std::nullopt;
  const Level& level = this->go_to(node);
  const std::size_t m = problem_.n_antecedents, length = this->path_.size();
  length_ = static_cast<Number>(length);
  const State state{level.cost, level.used, remaining(length)};
  if ((problem_.all_required & ~state.used) == 0) {
    const Number objective = state.cost + least_default(level) * problem_.factor;
    if (objective < problem_.target)
      return Failure{Failure::Kind::list_below_target, node, 0, objective};
  }
  const Lane* counts = level.counts.data();
  if (last_two_.applies() &&
      last_two_.has_few_rules(state.cost, counts[2 * problem_.stride + m], state.room)) {
    if (const auto below = last_two_.below(level.left.data(), counts, state.cost, state.room))
      return Failure{Failure::Kind::open_child, node, *below, 0};
    return std::nullopt;
  }
  derive(problem_, level.counts.data(), sums_);
  if (state.room <= 0) return std::nullopt;  // no completion begins with a child
  return check_children(level, state, node);
}

// (P) by the counts of the parent, for a prefix with which no listed one begins: there are many of
// them behind each other, with one parent, and few have to be counted.
template <class Counter>
bool Settler<Counter>::is_clearly_settled(std::uint32_t node) {
  if (!last_two_.applies() || !table_.pays(tree_.n_settled()) || node == PrefixTree::root ||
      tree_.first_child(node) != PrefixTree::root)
    return false;
  const Level& level = this->go_to(tree_.parent(node));
  const std::uint32_t a = tree_.antecedent(node);
  const Number cost = level.cost + problem_.price[a] + this->rule_cost(level, a) * problem_.factor;
  return last_two_.clearly_settles_child(level.counts.data(), a, cost,
                                         remaining(this->path_.size() + 1));
}

// In units of the factor.
template <class Counter>
Number Settler<Counter>::least_default(const Level& level) const {
  const Lane* total = level.counts.data() + problem_.n_antecedents;
  const bool two = problem_.n_classes == 2;
  Number least = problem_.most_cost;
  for (std::size_t q = 0; q < problem_.n_classes; ++q)
    least = std::min<Number>(
        least, total[q * problem_.stride] + (two ? total[2 * problem_.stride] : Lane{0}));
  return least;
}

template <class Counter>
std::optional<Failure> Settler<Counter>::check_children(const Level& level, const State& state,
                                                        std::uint32_t node) {
  least_floor_ = this->sort_out(state);
  is_prepared_ = false;
  const bool has_siblings = take_listed(node);
  drop_swapped(level, node);
  drop_bounded(level, state);
  this->look_ahead(level);
  for (const auto a : open_) {
    proven_[a] = this->is_closed(level, state, a) || is_bounded_by_own(level, state, a);
    if (!proven_[a]) return Failure{Failure::Kind::open_child, node, a, 0};
  }
  if (!has_siblings) return std::nullopt;
  for (const Sibling& sibling : siblings_)
    if (!is_dominated_by(level, state, sibling))
      return Failure{Failure::Kind::open_child, node, sibling.antecedent, 0};
  return std::nullopt;
}

// Children that are listed need nothing here, but for those that a sibling is to dominate.
template <class Counter>
bool Settler<Counter>::take_listed(std::uint32_t node) {
  siblings_.clear();
  std::fill(is_listed_.begin(), is_listed_.end(), 0);
  for (auto child = tree_.first_child(node); child != PrefixTree::root;
       child = tree_.next_sibling(child)) {
    const Settled& settled = tree_.settled(child);
    if (settled.reason == Reason::none) continue;
    const auto antecedent = tree_.antecedent(child);
    is_listed_[antecedent] = 1;
    if (settled.reason != Reason::sibling)
      proven_[antecedent] = 1;
    else
      siblings_.push_back({antecedent, settled.witness});
  }
  for (const Sibling& sibling : siblings_) proven_[sibling.antecedent] = 0;
  std::size_t n = 0;
  for (const auto a : open_) {
    open_[n] = a;
    n += !is_listed_[a];
  }
  open_.resize(n);
  return !siblings_.empty();
}

// (O): the last two rules the other way round leave the same groups. If that is cheaper, no
// cheapest list begins so; if it costs the same, and the child's antecedent comes first in the
// order, then the child of the parent by it is accounted for.
template <class Counter>
void Settler<Counter>::drop_swapped(const Level& level, std::uint32_t node) {
  if (node == PrefixTree::root || this->path_.size() <= problem_.first.size()) return;
  if (!tree_.is_settled_by_itself(tree_.parent(node))) return;
  std::size_t n = 0;
  for (const auto a : open_) {
    open_[n] = a;
    n += !is_dearer_swapped(level, a);
  }
  open_.resize(n);
}

template <class Counter>
bool Settler<Counter>::is_dearer_swapped(const Level& level, std::size_t antecedent) const {
  const std::size_t a = level.antecedent, b = antecedent, stride = problem_.stride;
  const Lane *before = parent_->counts.data(), *now = level.counts.data();
  const bool two = problem_.n_classes == 2;
  Number other = problem_.most_cost;  // what a costs behind b
  const auto behind = [&](std::size_t part) {
    const Lane* counts = before + part * stride;
    return Number{counts[a]} - counts[b] + now[part * stride + b];
  };
  const Number floor = two ? behind(2) : 0;
  for (std::size_t r = 0; r < problem_.n_classes; ++r)
    if (problem_.is_label[r]) other = std::min(other, behind(r) + floor);
  const Number swapped = this->rule_cost(*parent_, b) + other;
  const Number cost = this->rule_cost(*parent_, a) + this->rule_cost(level, b);
  return swapped < cost || (swapped == cost && problem_.rank[b] < problem_.rank[a]);
}

// (B) by the sums of the parent, for all open children.
template <class Counter>
void Settler<Counter>::drop_bounded(const Level& level, const State& state) {
  if (open_.empty()) return;
  bound_.prepare(sums_, state, least_floor_);
  is_prepared_ = true;
  for (const auto a : bound_.active()) active_[a] = -1;
  std::size_t n = 0;
  for (const auto a : open_) {
    proven_[a] = this->is_bounded_by_parent(level, state, a);
    if (!proven_[a]) open_[n++] = a;
  }
  open_.resize(n);
  for (const auto a : bound_.active()) active_[a] = 0;
}

// (B), or (D) by a listed state. (By the parent: `sort_out` has seen to that.)
template <class Counter>
bool Settler<Counter>::is_direct(const Level& level, const State& state, std::size_t antecedent) {
  if (!is_prepared_) {
    bound_.prepare(sums_, state, least_floor_);
    is_prepared_ = true;
  }
  for (const auto a : bound_.active()) active_[a] = -1;
  const bool bounded = this->is_bounded_by_parent(level, state, antecedent);
  for (const auto a : bound_.active()) active_[a] = 0;
  return bounded || this->is_closed(level, state, antecedent) ||
         is_bounded_by_own(level, state, antecedent);
}

template <class Counter>
bool Settler<Counter>::is_bounded_by_own(const Level& level, const State& state,
                                         std::size_t antecedent) {
  const State child = this->child_of(state, antecedent);
  this->count_rest(level, antecedent, 0, n_spread_parts_);
  if (this->is_clearly_bounded(antecedent, child)) return true;
  this->count_rest(level, antecedent, n_spread_parts_, n_parts_);
  derive(problem_, rest_.data(), child_sums_);
  return child_bound_.holds(child_sums_, child);
}

// (D) by the sibling that is named.
template <class Counter>
bool Settler<Counter>::is_dominated_by(const Level& level, const State& state,
                                       const Sibling& sibling) {
  const auto [a, by] = sibling;
  if (problem_.forbidden[by] || problem_.required[a] & ~state.used) return false;
  if (!proven_[by]) {
    if (is_listed_[by]) return false;  // as dominated by another sibling
    proven_[by] = is_direct(level, state, by);
    if (!proven_[by]) return false;
  }
  const Word *captures = problem_.captured_by(a), *others = problem_.captured_by(by);
  for (std::size_t w = 0; w < problem_.n_words; ++w)
    apart_[w] = level.left[w] & captures[w] & ~others[w];
  const Range range = counter_.range(apart_.data(), scratch_);
  return child_floor_[a] - child_floor_[by] >= (range.ceil - range.floor) * problem_.factor;
}

// (R) and (M), both from the counts of the parent.
template <class Counter>
std::optional<Failure> Settler<Counter>::check_relaxed(std::uint32_t node) {
  const Failure wrong{Failure::Kind::wrong_reason, node, 0, 0};
  if (!relaxation_.applies() || node == PrefixTree::root) return wrong;
  const std::uint32_t parent = tree_.parent(node), a = tree_.antecedent(node);
  if (!tree_.is_settled_by_itself(parent)) return wrong;
  const Level& level = this->go_to(parent);
  const std::size_t length = this->path_.size() + 1;
  if (length <= problem_.first.size()) return wrong;
  relaxation_.reset(level.left.data(), level.counts.data(), parent != relaxed_parent_);
  relaxed_parent_ = parent;
  const std::size_t stride = problem_.stride, m = problem_.n_antecedents;
  const auto left = [&](std::size_t part) {
    const Lane* counts = level.counts.data() + part * stride;
    return (Number{counts[m]} - counts[a]) * problem_.factor;
  };
  const Number cost =
      level.cost + problem_.price[a] + this->rule_cost(level, a) * problem_.factor + left(2);
  const Number relaxed = cost + std::min(left(0), left(1));  // the objective of the prefix itself
  if (relaxed < problem_.target) return Failure{Failure::Kind::list_below_target, node, 0, relaxed};
  if (!relaxation_.excludes(a, remaining(length), problem_.target - cost)) return wrong;
  return std::nullopt;
}

// A rule more: (S \ a, g + price_a + rulecost(S & a), used and a).
template <class Counter>
void Settler<Counter>::step(Walked& walked, std::size_t antecedent) {
  const Word* captures = problem_.captured_by(antecedent);
  for (std::size_t w = 0; w < problem_.n_words; ++w) taken_[w] = walked.left[w] & captures[w];
  counter_.costs(taken_.data(), by_class_.data(), scratch_);
  Number loss = problem_.most_cost;
  for (std::size_t r = 0; r < problem_.n_classes; ++r)
    if (problem_.is_label[r]) loss = std::min(loss, by_class_[r]);
  add_rule(walked, antecedent, loss);
}

template <class Counter>
void Settler<Counter>::add_rule(Walked& walked, std::size_t antecedent, Number loss) const {
  const Word* captures = problem_.captured_by(antecedent);
  for (std::size_t w = 0; w < problem_.n_words; ++w) walked.left[w] &= ~captures[w];
  walked.cost += problem_.price[antecedent] + loss * problem_.factor;
  walked.used |= problem_.required[antecedent];
  ++walked.length;
}

// (I): the edited prefix B is allowed, and dominates A strictly, so that no cheapest list begins
// with A. B need not be listed. Of what was counted for the parent of A, both use what they can.
template <class Counter>
bool Settler<Counter>::is_improved(std::uint32_t node) {
  const auto [reason, witness] = tree_.settled(node);
  const bool deletes = reason == Reason::deletion, is_root = node == PrefixTree::root;
  if (deletes ? witness < problem_.first.size()
              : !problem_.first.empty() || problem_.forbidden[witness])
    return false;
  const Level& parent = this->go_to(is_root ? node : tree_.parent(node));
  const std::size_t n = this->path_.size(), last = tree_.antecedent(node);
  Walked a{parent.left, parent.cost, parent.used, n};
  if (!is_root) add_rule(a, last, this->rule_cost(parent, last));
  const std::size_t begin = deletes ? std::min<std::size_t>(witness, this->depth_) : 0;
  const Level& shared = this->levels_[begin];
  Walked b{shared.left, shared.cost, shared.used, begin};
  if (!deletes) step(b, witness);
  for (std::size_t i = begin; i < n + !is_root; ++i) {
    const std::size_t antecedent = i < n ? this->path_[n - 1 - i] : last;
    if (deletes ? i != witness : antecedent != witness) step(b, antecedent);
  }
  if (a.used & ~b.used || (problem_.limited && b.length > a.length)) return false;
  Number lead = a.cost - b.cost;
  for (std::size_t w = 0; w < problem_.n_words; ++w) taken_[w] = a.left[w] & ~b.left[w];
  lead += counter_.range(taken_.data(), scratch_).floor * problem_.factor;
  for (std::size_t w = 0; w < problem_.n_words; ++w) taken_[w] = b.left[w] & ~a.left[w];
  lead -= counter_.range(taken_.data(), scratch_).ceil * problem_.factor;
  return lead > 0;
}

}  // namespace surelist_checker
