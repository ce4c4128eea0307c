// Constraints are checked once, before a search, so that nothing later has to handle impossible
// ones.
#include "problem/constraints.hpp"

namespace surelist {

void check_distinct(const Prefix& prefix, std::size_t n_antecedents, std::string_view what) {
  std::vector<bool> seen(n_antecedents, false);
  for (const Antecedent s : prefix) {
    if (s >= n_antecedents) {
      throw InputError(std::string(what) + " names an antecedent that does not exist");
    }
    if (seen[s]) throw InputError(std::string(what) + " has the same antecedent twice");
    seen[s] = true;
  }
}

void Constraints::check(std::size_t n_antecedents, std::size_t n_classes,
                        std::optional<Length> max_length) const {
  check_distinct(first, n_antecedents, "first");
  check_distinct(required, n_antecedents, "required");
  check_distinct(forbidden, n_antecedents, "forbidden");
  if (!surcharges.empty() && surcharges.size() != n_antecedents) {
    throw InputError("there must be one surcharge for each antecedent");
  }
  Weight sum = 0;
  for (const Weight surcharge : surcharges) {
    if (surcharge < 0) throw InputError("a surcharge is negative");
    if (__builtin_add_overflow(sum, surcharge, &sum) || sum > kMostWeight) {
      throw InputError("the antecedents' costs are too large to be computed exactly");
    }
  }
  if (rule_label && *rule_label >= n_classes) throw InputError("rule_label is no class");
  const Prefix least = shortest();
  if (max_length && least.size() > *max_length) {
    throw InputError("max_length is " + std::to_string(*max_length) + ", but first and required " +
                     "together have " + std::to_string(least.size()) + " antecedents");
  }
  for (const Antecedent s : forbidden) {
    if (std::find(least.begin(), least.end(), s) != least.end()) {
      throw InputError("an antecedent is forbidden and required at the same time");
    }
  }
}

}  // namespace surelist
