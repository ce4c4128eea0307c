#include "cuts/solver.hpp"

#include <algorithm>
#include <queue>

namespace surelist::cuts {

Cost Known::bound(std::size_t n_rules, std::size_t family) const {
  Cost bound = 0;
  for (const Source& source : sources) {
    if (source.solved->families.size() <= n_rules) continue;
    bound = std::max(bound, source.solved->families[n_rules][family] - source.less);
  }
  return bound;
}

// The cuts of the next rule of a state, chain by chain: those that are solved, and the gaps between
// them, of which the one that may hold the cheapest list is next.
template <class T>
class Solver<T>::Branches {
 public:
  Branches(const State<T>& state, const Scale& scale, SolvedPtr alone)
      : state_(state),
        scale_(scale),
        alone_(std::move(alone)),
        n_solved_(state.n_chains()),
        settled_(state.n_chains(), scale.rule + alone_->value) {}

  struct Open {
    Cost least = 0;
    std::size_t chain = 0;
    Gap gap;
    SolvedPtr left;
    SolvedPtr right;
    std::size_t left_place = 0;  // as the log counts them
    std::size_t right_place = 0;

    bool operator<(const Open& other) const {  // the least on top
      return least != other.least ? least > other.least : chain > other.chain;
    }
  };

  Sums sums(std::size_t chain) const {
    return {state_.chain(chain).loss, state_.chain(chain).right, scale_.loss};
  }

  // A bound from elsewhere does for the whole chain.
  void leave_chain(std::size_t c, Cost bound) { settled_[c] = bound; }

  void add_chain(std::size_t c, Cost target) {
    Open open;
    open.chain = c;
    open.gap = {.left = 0,
                .right = state_.chain(c).n_cuts + 1,
                .from_left = sums(c).from_left(0, scale_.rule + alone_->value),
                .from_right = scale_.rule};
    open.left = alone_;
    push(std::move(open), target);
  }

  bool any_below(Cost target) const { return !queue_.empty() && queue_.top().least < target; }

  Open take() {
    Open open = queue_.top();
    queue_.pop();
    return open;
  }

  // A cut in a gap is solved, which leaves two gaps.
  void split(const Open& open, Key cut, Cost value, const SolvedPtr& solved, Cost target) {
    settled_[open.chain] = std::min(settled_[open.chain], value);
    const std::size_t place = ++n_solved_[open.chain];
    Open left = open;
    left.gap.right = cut;
    left.gap.from_right = sums(open.chain).from_right(cut, value);
    left.right = solved;
    left.right_place = place;
    push(std::move(left), target);
    Open right = open;
    right.gap.left = cut;
    right.gap.from_left = sums(open.chain).from_left(cut, value);
    right.left = solved;
    right.left_place = place;
    push(std::move(right), target);
  }

  // By chain, the least that a list may cost which was not looked at.
  std::vector<Cost> bounds() {
    for (; !queue_.empty(); queue_.pop()) settle(queue_.top());
    return settled_;
  }

 private:
  // What is settled is not kept: it would hold what was found for the cuts beside it.
  void push(Open open, Cost target) {
    if (open.gap.empty()) return;
    open.least = open.gap.least(sums(open.chain));
    if (open.least >= target) {
      settle(open);
    } else {
      queue_.push(std::move(open));
    }
  }
  void settle(const Open& open) {
    settled_[open.chain] = std::min(settled_[open.chain], open.least);
  }

  const State<T>& state_;
  Scale scale_;
  SolvedPtr alone_;
  std::vector<std::size_t> n_solved_;
  std::vector<Cost> settled_;
  std::priority_queue<Open> queue_;
};

namespace {

// The cut to solve next: where what is needed to settle the cuts on either side is about the same.
// The second is that need: a greater value of the cut would settle no more.
std::pair<Key, Cost> next_cut(const Sums& sums, Key first, Key last, Cost target) {
  const auto for_left = [&](Key p) {
    return target + sums.unit * (sums.loss[Sums::at(p)] - sums.loss[Sums::at(first)]);
  };
  const auto for_right = [&](Key p) {
    return target + sums.unit * (sums.right[Sums::at(p)] - sums.right[Sums::at(last)]);
  };
  Key begin = first;
  Key end = last;
  while (begin < end) {
    const Key middle = begin + (end - begin) / 2;
    if (for_left(middle) >= for_right(middle)) {
      end = middle;
    } else {
      begin = middle + 1;
    }
  }
  return {begin, std::max(for_left(begin), for_right(begin))};
}

}  // namespace

template <class T>
Solver<T>::Solver(const Table& table, Scale scale, const LaneKernels& kernels, Watch& watch,
                  bool logging)
    : scale_(scale),
      watch_(watch),
      last_two_(table, scale, kernels, watch, logging),
      logging_(logging) {}

template <class T>
SolvedPtr Solver<T>::solve(const State<T>& state, std::size_t k, Cost cutoff, const Known& known) {
  const auto forget = [watch = &watch_](Solved* own) {
    watch->let_go(own->nbytes);
    delete own;
  };
  const std::shared_ptr<Solved> solved(new Solved, forget);
  solved->value = std::min(cutoff, scale_.loss * state.loss());
  for (std::size_t n = 1; n <= k; ++n) extend(state, n, *solved, known);
  std::size_t nbytes = sizeof(Solved) + solved->log.capacity();
  for (const std::vector<Cost>& bounds : solved->families) nbytes += bounds.size() * sizeof(Cost);
  solved->nbytes = nbytes;
  watch_.keep(nbytes);
  return solved;
}

template <class T>
void Solver<T>::extend(const State<T>& state, std::size_t k, Solved& solved, const Known& known) {
  if (solved.families.empty()) solved.families.emplace_back();  // no rules, no families
  if (depth_ == 0) open_bound_ = 0;
  if (k > 1 && scale_.rule * static_cast<Cost>(k) >= solved.value) {
    last_two_.none(state, k, scale_.rule * static_cast<Cost>(k), solved);
  } else if (k > 1 && state.has_few_groups(k)) {
    // A rule that captures nothing only costs; if none does, all rows are captured, and the last
    // rule's label does as the default.
    last_two_.none(state, k, solved.value + scale_.rule, solved);
  } else if (k == 1) {
    last_two_.one(state, solved, known);
  } else if (k == 2) {
    last_two_.two(state, solved, known);
  } else {
    ++depth_;
    next_rules(state, k, solved, known);
    --depth_;
  }
}

template <class T>
void Solver<T>::next_rules(const State<T>& state, std::size_t k, Solved& solved,
                           const Known& known) {
  const auto alone = std::make_shared<Solved>();
  alone->value = solved.value;
  alone->families = solved.families;
  Branches branches(state, scale_, alone);
  for (std::size_t c = 0; c < state.n_chains(); ++c) {
    const Cost bound = std::max(known.bound(k, c), scale_.rule * static_cast<Cost>(k));
    if (bound >= solved.value) {
      branches.leave_chain(c, bound);
    } else {
      branches.add_chain(c, solved.value);
    }
  }
  std::size_t n_logged = 0;
  Bytes log;
  while (branches.any_below(solved.value)) {
    const typename Branches::Open open = branches.take();
    if (depth_ == 1) open_bound_ = open.least;
    const StateChain<T>& chain = state.chain(open.chain);
    const Sums sums = branches.sums(open.chain);
    const auto [first, last] = open.gap.unsettled(sums, solved.value);
    const auto [cut, need] = next_cut(sums, first, last, solved.value);
    Known near{{{open.left, sums.unit * (sums.captured(cut) - sums.captured(open.gap.left))}}};
    if (open.right) near.sources.push_back({open.right, 0});
    const State<T> child(state, open.chain, cut);
    watch_.spend(child.take_work());
    const Cost own = scale_.rule + scale_.loss * chain.loss[Sums::at(cut)];
    const SolvedPtr found = solve(child, k - 1, need - own, near);
    const Cost value = own + found->value;
    const Cut rule{static_cast<std::uint32_t>(open.chain), chain.cuts[Sums::at(cut)]};
    if (value < solved.value) {
      solved.value = value;
      solved.rules.assign(1, rule);
      solved.rules.insert(solved.rules.end(), found->rules.begin(), found->rules.end());
    }
    branches.split(open, cut, value, found, solved.value);
    if (!logging_) continue;
    ++n_logged;
    for (const std::size_t number :
         {std::size_t{rule.chain}, Sums::at(rule.cut), open.left_place, open.right_place}) {
      leb128::put(log, number);
    }
    log.insert(log.end(), found->log.begin(), found->log.end());
  }
  solved.families.push_back(branches.bounds());
  if (!logging_) return;
  leb128::put(solved.log, n_logged);
  solved.log.insert(solved.log.end(), log.begin(), log.end());
}

template class Solver<std::int16_t>;
template class Solver<std::int32_t>;
template class Solver<std::int64_t>;

}  // namespace surelist::cuts
