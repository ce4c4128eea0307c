// Lists of k rules that are conjunctions: boxes of the first rule's cuts, split until each is
// settled.
//
// A list that begins with a conjunction of a box costs at least what the lowest cuts lose, and what
// k - 1 rules lose at best on the rows that the highest cuts do not capture. The next rule is
// looked at family by family: by LastConjunction if it is the last one, by a tree of boxes
// otherwise. A family that no longer matters for a box does not matter for its parts: they leave
// more rows, and lose more themselves. So each part looks only at what its box left over, and not
// even at that where what is known from the box does: the rows that are left only become more, so
// that a last rule loses no less on them, and no more than that by the weight of the new ones.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <queue>

#include "cuts/last_conjunction.hpp"
#include "cuts/proof_log.hpp"

namespace surelist::cuts {

// A list, and what it costs; no rules, and a cost to be reached.
struct BestList {
  Cost value = 0;
  std::vector<Conjunction> rules;
};

// What all trees of a search share.
template <class T>
struct BoxProblem {
  // A family that waits, and what is known of it on some rows: no last rule of it loses less than
  // `least`, and one loses at most `loss`.
  struct Waiting {
    std::uint32_t family = 0;
    T least = 0;
    T loss = std::numeric_limits<T>::max();
  };
  struct Known {
    std::vector<Waiting> families;
    Weight weight = 0;  // of the rows
  };
  using Families = std::shared_ptr<const Known>;

  BoxProblem(const Table& table, const std::vector<Family>& families, Scale scale, Watch& watch,
             bool logging);
  // Families that wait, counted as memory for as long as some box has them.
  Families keep(Known own);
  // The weight that a last rule has to lose, so that it costs as much as the target.
  Weight need(Cost target) const;

  const Table& table;
  const std::vector<Family>& families;
  Scale scale;
  Watch& watch;
  bool logging;
  LastConjunction<T> last;
  Families all;
};

template <class T>
class BoxTree {
 public:
  // Of lists of k rules, 2 or more.
  BoxTree(BoxProblem<T>& problem, std::size_t k);

  // Looks for lists of k rules on some rows that begin with one of these families and cost less
  // than the best one, which they replace. Rules may capture nothing, so that k stands for fewer.
  // With `any`, the first one found ends it. True: there is none left.
  bool run(const LeftRows<T>& rows, std::span<const std::uint32_t> roots, BestList& best, bool any);
  // The price of some rules, and what is lost as they and the default predict so few labels.
  Cost least_of(std::size_t n_rules, std::span<const T> by_class) const;
  // No list that was not looked at costs less.
  Cost bound() const { return bound_; }
  // Of the last run, where nothing is left: the boxes that were split, and the families settled
  // before; see proof_log.hpp.
  void write(Bytes& log) const;

 private:
  using Families = typename BoxProblem<T>::Families;
  using Known = typename BoxProblem<T>::Known;
  using Waiting = typename BoxProblem<T>::Waiting;

  struct Open {
    Cost bound = 0;
    std::size_t node = 0;
    std::uint32_t family = 0;
    Box box;
    Families waiting;

    bool operator<(const Open& other) const {  // the least on top
      return bound != other.bound ? bound > other.bound : node < other.node;
    }
  };

  // Whether a box is split, by 1 + the axis; or what no family can change is too much.
  static constexpr std::uint8_t kUnsplit = 0;
  static constexpr std::uint8_t kTooDear = 3;
  struct Node {
    std::uint8_t split = kUnsplit;
    Key cut = 0;              // the last one of the lower part
    std::uint32_t parts = 0;  // the first of both
    std::vector<std::uint32_t> settled;
    Bytes proof;  // trees of the settled families, where the next rule is not the last
  };

  // What a look at one family says.
  struct Answer {
    bool settled = false;
    Cost least = 0;
    BestList found;  // where it is not settled
    Waiting waits;   // where it is not settled, and the rule is the last
  };

  bool goes_on() const;
  bool take(const Open& open);
  void leave(const Open& open);
  std::optional<Cost> settle(const Open& open, Cost low, Known& waiting,
                             std::vector<std::uint32_t>& settled, Bytes& proof);
  std::optional<bool> known(const Open& open, Waiting& family, Weight more, Cost low,
                            Cost high) const;
  Answer look(std::uint32_t family, Cost cutoff);
  Cost with_last(Weight loss) const {
    return problem_.scale.rule + problem_.scale.loss * static_cast<Cost>(loss);
  }
  void replace(const Open& open, Cost cost, const std::vector<Conjunction>& others);
  void split(const Open& open, Cost bound, Families waiting, std::vector<std::uint32_t> settled);
  std::pair<Weight, Key> halve(const Open& open, std::size_t axis);
  void write(std::size_t node, Bytes& log) const;
  void too_dear(std::size_t node);

  BoxProblem<T>& problem_;
  std::size_t k_;
  std::unique_ptr<BoxTree> next_;  // of k - 1 rules, from 3 on

  // Of the current run.
  const LeftRows<T>* rows_ = nullptr;
  BestList* best_ = nullptr;
  bool any_ = false;
  std::size_t n_roots_ = 0;
  Cost least_ = 0;  // of all lists of k rules, by their number and that of their labels
  Cost bound_ = 0;
  std::priority_queue<Open> open_;
  std::vector<Node> nodes_;

  LeftRows<T> left_;       // by the highest cuts of a box
  std::vector<T> lowest_;  // what its lowest cuts capture, by class
  std::vector<T> highest_;
  std::vector<Weight> between_;  // along the axis where it is split
};

extern template struct BoxProblem<std::int32_t>;
extern template struct BoxProblem<std::int64_t>;
extern template class BoxTree<std::int32_t>;
extern template class BoxTree<std::int64_t>;

}  // namespace surelist::cuts
