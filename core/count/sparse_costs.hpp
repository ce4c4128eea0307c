// The costs of labels, by group, in a sparse form: one usual cost, and the few labels with another
// one. With many classes, nearly all labels are wrong for a group and cost the same.
#pragma once

#include <span>

#include "problem/problem.hpp"

namespace surelist {

class SparseCosts {
 public:
  struct Saving {
    Label label = 0;
    Weight weight = 0;  // usual cost less this label's
  };

  explicit SparseCosts(const Problem& problem);

  Weight usual(std::size_t group) const { return usual_[group]; }
  std::span<const Saving> savings(std::size_t group) const {
    return {savings_.data() + begin_[group], begin_[group + 1] - begin_[group]};
  }
  std::size_t nbytes() const;

 private:
  std::vector<Weight> usual_;
  std::vector<std::size_t> begin_;  // of a group's savings
  std::vector<Saving> savings_;
};

}  // namespace surelist
