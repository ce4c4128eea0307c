#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "counter.hpp"
#include "kernels.hpp"
#include "pair_table.hpp"
#include "problem.hpp"

namespace surelist_checker {

// Rule (P): at most two rules can follow a prefix, and none of these lists is below the target. For
// two classes and one price, without conditions on rules. docs/proofs.md, Theorem 7, has the proof.
//
// Under default q, a set C of groups gains net(C) = up(C) - down(C) by the other label. One rule t
// may gain n_1, two may gain n_2, or the list is below the target. Two rules gain net(t + u), or
// net(u \ t) where t predicts q. If up(t) + max(0, net(t)) <= n_2, and the same for u, that is no
// more than n_2: the first because net(t + u) is at most the mean of 2 up(t) - down(t) and
// 2 up(u) - down(u), and the second because it is at most up(u). So pairs are looked at where one
// of them has more; and net(t + u) is no more than net(t) + up(u), and up(t) + net(u), and the up
// of the set less down(t), or down(u).
//
// Every test only grows with what rules may gain and falls with what they harm, so bounds of both
// do: most children are settled by what their parent's counts and pairs in all groups say of them.
template <class Counter>
class LastTwo {
 public:
  using Lane = typename Counter::Lane;

  LastTwo(const Problem& problem, const Counter& counter, PairTable<Counter>& table);

  bool applies() const { return applies_; }
  // Whether at most two rules can follow a prefix that costs so much, with this floor.
  bool has_few_rules(Number cost, Number floor, Number room) const {
    return room <= 2 ||
           cost + 3 * problem_.least_price + floor * problem_.factor >= problem_.target;
  }

  // An antecedent with which a list is below the target, if there is one: by a set and its counts.
  std::optional<std::size_t> below(const Word* left, const Lane* counts, Number cost, Number room);
  // Whether there is clearly none for the child of a set by an antecedent; it costs so much.
  bool clearly_settles_child(const Lane* counts, std::size_t antecedent, Number cost, Number room);

 private:
  // What each antecedent captures of the two classes, between bounds; and what the set has.
  struct View {
    std::array<const Lane*, 2> most, least;
    std::array<Number, 2> whole;
    Number floor, cost, room;
    const Word* left;  // to count what pairs share; null where bounds have to do
  };
  Number may_gain(const View& view, std::size_t q, Number n_rules) const;
  std::optional<std::size_t> find(const View& view, std::size_t q);
  Number most_with(const View& view, std::size_t antecedent, std::size_t q);
  bool pairs_with(const View& view, std::size_t antecedent, std::size_t q, Number most);

  const Problem& problem_;
  const Counter& counter_;
  PairTable<Counter>& table_;
  const bool applies_;
  typename Counter::Scratch scratch_;
  Lanes<Lane> usable_;  // by antecedent: -1 unless it is forbidden
  Lanes<Lane> shared_, marks_;
  std::array<Lanes<Lane>, 2> most_, least_;
  Lanes<Lane> most_shared_, least_shared_;
  std::vector<Word> captured_;
};

template <class Counter>
LastTwo<Counter>::LastTwo(const Problem& problem, const Counter& counter, PairTable<Counter>& table)
    : problem_(problem),
      counter_(counter),
      table_(table),
      applies_(problem.n_classes == 2 && problem.one_price && problem.is_label[0] &&
               problem.is_label[1] && problem.all_required == 0),
      captured_(problem.n_words) {
  if (!applies_) return;
  usable_.resize(problem.stride);
  for (std::size_t a = 0; a < problem.n_antecedents; ++a)
    usable_[a] = problem.forbidden[a] ? 0 : -1;
  shared_.resize(2 * problem.stride);
  marks_.resize(problem.stride);
  for (auto* lanes : {&most_[0], &most_[1], &least_[0], &least_[1], &most_shared_, &least_shared_})
    lanes->resize(problem.stride);
}

template <class Counter>
std::optional<std::size_t> LastTwo<Counter>::below(const Word* left, const Lane* counts,
                                                   Number cost, Number room) {
  const std::size_t m = problem_.n_antecedents, stride = problem_.stride;
  const std::array<const Lane*, 2> parts{counts, counts + stride};
  const View view{parts, parts, {parts[0][m], parts[1][m]}, counts[2 * stride + m], cost,
                  room,  left};
  for (std::size_t q = 0; q < 2; ++q)
    if (const auto found = find(view, q)) return found;
  return std::nullopt;
}

// What an antecedent captures of the child is what it captures of the set, less what both share
// there; and what they share there lies between bounds by what they share in all groups.
template <class Counter>
bool LastTwo<Counter>::clearly_settles_child(const Lane* counts, std::size_t antecedent,
                                             Number cost, Number room) {
  const std::size_t m = problem_.n_antecedents, stride = problem_.stride, a = antecedent;
  const Number floor = Number{counts[2 * stride + m]} - counts[2 * stride + a];
  if (!has_few_rules(cost, floor, room)) return false;
  View view{{}, {}, {}, floor, cost, room, nullptr};
  for (std::size_t c = 0; c < 2; ++c) {
    const Lane *part = counts + c * stride, *whole = table_.whole(c);
    view.whole[c] = Number{part[m]} - part[a];
    const SharedBounds<Lane> bounds{table_.shared(a, c),
                                    whole,
                                    part,
                                    part[a],
                                    static_cast<Lane>(whole[a] - part[a]),
                                    static_cast<Lane>(view.whole[c]),
                                    most_shared_.data(),
                                    least_shared_.data()};
    bound_shared(bounds, stride);
    subtract(part, least_shared_.data(), stride, most_[c].data());
    subtract(part, most_shared_.data(), stride, least_[c].data());
    view.most[c] = most_[c].data();
    view.least[c] = least_[c].data();
  }
  for (std::size_t q = 0; q < 2; ++q)
    if (may_gain(view, q, 0) < 0 || find(view, q)) return false;
  return true;
}

// What so many rules may gain under default q, to scale.
template <class Counter>
Number LastTwo<Counter>::may_gain(const View& view, std::size_t q, Number n_rules) const {
  return view.cost + n_rules * problem_.least_price +
         (view.floor + view.whole[q]) * problem_.factor - problem_.target;
}

// For a default label q, and lists without rules that reach the target: so nothing here is
// negative, and may be divided.
template <class Counter>
std::optional<std::size_t> LastTwo<Counter>::find(const View& view, std::size_t q) {
  const std::size_t m = problem_.n_antecedents;
  const Lane *up = view.most[q], *down = view.least[1 - q];
  if (view.room <= 0) return std::nullopt;
  const Number one = may_gain(view, q, 1) / problem_.factor;
  const Number two =
      view.room > 1 ? may_gain(view, q, 2) / problem_.factor : 2 * problem_.most_cost;
  const auto harmful = static_cast<Lane>(std::max<Number>(0, view.whole[q] - two));
  const auto found = most_of_pairs(up, down, usable_.data(), harmful, problem_.stride);
  if (found.net > one) {
    for (std::size_t t = 0; t < m; ++t)
      if (usable_[t] && up[t] - down[t] > one) return t;
  }
  if (found.half <= two) return std::nullopt;
  // What leaves no room in a lane is more than any pair gains.
  constexpr Number most_lane = std::numeric_limits<Lane>::max();
  const auto limit = [&](Number less) {
    return static_cast<Lane>(std::min(two, most_lane) - less);
  };
  const PairLimits<Lane> limits{limit(0), harmful, limit(found.pair_up), limit(found.pair_net)};
  if (!mark_halves(up, down, usable_.data(), limits, problem_.stride, marks_.data()))
    return std::nullopt;
  for (std::size_t t = 0; t < m; ++t) {
    if (!marks_[t] || up[t] + std::max<Number>(0, Number{up[t]} - down[t]) <= two) continue;
    if (table_.exists() && most_with(view, t, q) <= two) continue;
    if (!view.left || !pairs_with(view, t, q, two)) return t;
  }
  return std::nullopt;
}

// The most that t and another can gain, by what both share in all groups. In the set, u gains
// outside t at most what it does in all groups; both harm at least as much as either, and as their
// sum less what they share; and behind u, t is spared at most what they share, and what u harms.
template <class Counter>
Number LastTwo<Counter>::most_with(const View& view, std::size_t antecedent, std::size_t q) {
  const std::size_t t = antecedent;
  const Lane *up = view.most[q], *down = view.least[1 - q], *whole = table_.whole(q);
  const Partners<Lane> partners{up,
                                down,
                                view.most[1 - q],
                                whole,
                                table_.shared(t, q),
                                table_.shared(t, 1 - q),
                                usable_.data(),
                                up[t],
                                down[t],
                                whole[t],
                                static_cast<Lane>(view.whole[q])};
  return most_with_partner(partners, problem_.stride);
}

// Whether no pair with t gains more than `most`: by exact counts.
template <class Counter>
bool LastTwo<Counter>::pairs_with(const View& view, std::size_t antecedent, std::size_t q,
                                  Number most) {
  const std::size_t m = problem_.n_antecedents, stride = problem_.stride, t = antecedent;
  const Word* captures = problem_.captured_by(t);
  for (std::size_t w = 0; w < problem_.n_words; ++w) captured_[w] = view.left[w] & captures[w];
  counter_.count(captured_.data(), 0, 2, shared_.data(), scratch_);
  const Lane *up = view.most[q], *shared_up = shared_.data() + q * stride;
  const Lane *down = view.least[1 - q], *shared_down = shared_.data() + (1 - q) * stride;
  const Number own = Number{up[t]} - down[t];
  for (std::size_t u = 0; u < m; ++u) {
    const Number shared = Number{shared_up[u]} - shared_down[u];
    const Number both = own + up[u] - down[u] - shared;
    if (usable_[u] && u != t && (both > most || own - shared > most)) return false;
  }
  return true;
}

}  // namespace surelist_checker
