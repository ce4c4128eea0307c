// A child: a prefix that extends the one being expanded by one rule, before it is in the tree.
#pragma once

#include "store/prefix_tree.hpp"

namespace surelist {

struct Child {
  Antecedent antecedent = 0;
  Label label = 0;
  Weight captured = 0;  // weight its last rule captures
  Weight prefix_loss = 0;
  Weight minority = 0;      // equivalent-points loss of what it leaves
  Weight default_loss = 0;  // of what it leaves
  Weight bound_loss = 0;    // see PrefixRecord

  // As a prefix of this length, not yet in the tree.
  PrefixRecord record(Length length) const {
    PrefixRecord made;
    made.prefix_loss = prefix_loss;
    made.bound_loss = bound_loss;
    made.antecedent = antecedent;
    made.label = label;
    made.length = length;
    return made;
  }
};

}  // namespace surelist
