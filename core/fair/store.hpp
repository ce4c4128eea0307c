// The prefixes that the search keeps, and which of them dominate others.
//
// Two prefixes that leave the same groups have the same completions. The one dominates the other if
// it costs no more, has all demanded antecedents that the other has, is no longer where length is
// limited, and is fair after every completion after which the other is: for a linear constraint, if
// its value is no greater, or if no completion can break it any more; for the others, if both
// select the same, or, again, if nothing can break it. So for one set of groups there may be
// several prefixes, of which none dominates another.
#pragma once

#include <optional>

#include "fair/problem.hpp"

namespace surelist::fair {

using Node = std::uint32_t;
inline constexpr Node kNoNode = std::numeric_limits<Node>::max();

// One stored prefix: the last rule, and the prefix before it.
struct Entry {
  Node before = kNoNode;
  Node next = kNoNode;  // with the same hash of its groups
  Antecedent antecedent = kNoAntecedent;
  Label label = 0;
  Length length = 0;
  Demands demands = 0;
  Length shortest = 0;  // of the lists that continue it and may beat the incumbent
  Weight loss = 0;
  Objective lower;  // of these lists
  bool open = true;
  bool dominates = false;  // another prefix was dropped because of this one
  bool closed = false;     // expanded, or needed by the proof
};

// A lower bound on the lists that continue a prefix.
struct Reach {
  Objective least;
  Length rules = 1;  // with fewer further rules none beats the incumbent
};

class Store {
 public:
  explicit Store(const FairProblem& problem);

  std::size_t size() const { return entries_.size(); }
  const Entry& operator[](Node node) const { return entries_[node]; }
  Entry& operator[](Node node) { return entries_[node]; }
  std::size_t nbytes() const;

  // Stores a state that no stored one dominates; kNoNode where one does. Open ones that it
  // dominates are no longer open.
  Node add(const State& state, Node before, const Reach& reach);
  State state(Node node) const;
  // How many stored prefixes were looked at to find those that leave the same groups.
  std::uint64_t looked_at() const { return looked_at_; }

 private:
  const Word* left(Node node) const { return left_.data() + node * problem_.words(); }
  const Weight* selected(Node node) const { return selected_.data() + node * problem_.n_counts(); }
  bool dominated(const State& state, std::size_t bucket);
  bool no_dearer(Weight loss_a, Length a, Weight loss_b, Length b) const;
  std::size_t bucket_of(const Word* left) const;
  void grow();

  const FairProblem& problem_;
  std::vector<Entry> entries_;
  std::vector<Word> left_;
  std::vector<Weight> selected_;
  std::vector<Node> heads_;
  std::uint64_t looked_at_ = 0;
};

}  // namespace surelist::fair
