// Constraints on rule lists. They only exclude lists, so every lower bound stays valid. A bound
// that *replaces* one list by another must not replace an allowed list by an excluded one: how each
// of them sees to that is said where it is used, and collected in docs/constraints.md.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/types.hpp"

namespace surelist {

// Throws InputError, naming `what`, unless a prefix has distinct antecedents that exist.
void check_distinct(const Prefix& prefix, std::size_t n_antecedents, std::string_view what);

struct Constraints {
  std::vector<Weight> surcharges;     // what each antecedent costs beyond λ, as a loss; empty: none
  std::optional<Label> rule_label;    // the one label that rules may predict
  Prefix first;                       // every list begins with these
  std::vector<Antecedent> required;   // every list contains these
  std::vector<Antecedent> forbidden;  // no list contains these

  Weight surcharge(Antecedent s) const { return surcharges.empty() ? 0 : surcharges[s]; }

  bool requires_antecedent(Antecedent s) const {
    return std::find(required.begin(), required.end(), s) != required.end();
  }

  // How many of the required antecedents a prefix does not have yet.
  std::size_t missing(const Prefix& prefix) const {
    return static_cast<std::size_t>(std::count_if(
        required.begin(), required.end(),
        [&](Antecedent s) { return std::find(prefix.begin(), prefix.end(), s) == prefix.end(); }));
  }

  // The shortest list that is allowed: `first`, then what else is required.
  Prefix shortest() const {
    Prefix prefix = first;
    for (const Antecedent s : required) {
      if (std::find(prefix.begin(), prefix.end(), s) == prefix.end()) prefix.push_back(s);
    }
    return prefix;
  }

  // Whether a prefix of distinct antecedents is allowed.
  bool allow(const Prefix& prefix) const {
    const bool begins =
        prefix.size() >= first.size() && std::equal(first.begin(), first.end(), prefix.begin());
    const bool avoids = std::none_of(prefix.begin(), prefix.end(), [&](Antecedent s) {
      return std::find(forbidden.begin(), forbidden.end(), s) != forbidden.end();
    });
    return begins && avoids && missing(prefix) == 0;
  }

  // Throws InputError if no list satisfies them.
  void check(std::size_t n_antecedents, std::size_t n_classes,
             std::optional<Length> max_length) const;
};

}  // namespace surelist
