// Prices of inserts: what inserting a rule into a list gains, for all antecedents, places and
// labels, from one pass over the groups.
//
// A rule inserted at place p captures those groups of its antecedent that the list's rules from p
// on, or the default, capture now. The pass goes through the rules from the last to the first. Each
// group adds what another label would save to the sums of the antecedents that capture it, so that
// the sums after each rule are the prices of inserting before it. The groups that are left to that
// rule may then get another label: that saves the whole rule's saving less the sum. So prices are
// exact, unless weights are too large for a lane.
#pragma once

#include <memory>

#include "heuristics/assessed_list.hpp"

namespace surelist {

struct PricedInsert {
  Weight gain = 0;  // loss that it saves, surcharge included; weights may have been rounded
  Antecedent antecedent = kNoAntecedent;
  std::size_t place = 0;
};

class InsertPrices {
 public:
  virtual ~InsertPrices() = default;

  // Computes the prices of all inserts from place `first` on. Returns the work, in words of
  // antecedents.
  virtual std::uint64_t price(const AssessedList& list, std::size_t first) = 0;
  // Then: the n best inserts of antecedents that are not `excluded`, best first, each antecedent at
  // its best place. Ties are broken by the order of antecedents from `from` on.
  virtual void best(std::size_t n, std::size_t from, const Word* excluded,
                    std::vector<PricedInsert>& inserts) const = 0;
  virtual std::size_t nbytes() const = 0;

  // With the narrowest lanes that hold the weights.
  static std::unique_ptr<InsertPrices> make(const SearchContext& context, const SparseCosts& costs);
};

}  // namespace surelist
