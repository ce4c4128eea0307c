// What inserting an antecedent into a rule list gains, for all antecedents, places and labels from
// one pass over the groups.
//
// A rule inserted at place p captures, of what its antecedent captures, the groups that the list's
// rules from p on, or the default, capture now. Going through the rules from the last to the first,
// each group adds what another label would save to the sums of the antecedents that capture it; so
// the sums after each rule price an insert before it. What is left to that rule may have another
// label then: what this saves is the whole rule's saving less the sum. So prices are exact, unless
// weights are too large for a lane.
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

  // Prices all inserts from place `first` on. Returns the work, in words of antecedents.
  virtual std::uint64_t price(const AssessedList& list, std::size_t first) = 0;
  // After that: the n best inserts of antecedents that are not `excluded`, best first, each
  // antecedent at its best place. Among equals, those that come first from antecedent `from` on.
  virtual void best(std::size_t n, std::size_t from, const Word* excluded,
                    std::vector<PricedInsert>& inserts) const = 0;
  virtual std::size_t nbytes() const = 0;

  // With lanes as narrow as the weights allow.
  static std::unique_ptr<InsertPrices> make(const SearchContext& context, const SparseCosts& costs);
};

}  // namespace surelist
