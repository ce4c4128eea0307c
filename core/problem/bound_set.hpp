// The bounds by name. Each can be switched off, so that the paper's ablations can be repeated.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "base/types.hpp"

namespace surelist {

enum class Bound : std::uint8_t {
  kHierarchical,
  kLookahead,
  kLengthTrivial,
  kLengthObjective,
  kLengthPrefix,
  kSupport,
  kAccurateSupport,
  kExcessiveSupport,
  kRejection,
  kEquivalentPoints,
  kSimilarSupport,
  kOneSidedSupport,
  kLastRule,
  kSameLabelOrder,
  kGainPotential,
  kRuleWorth,
  kDeletion,
  kInsertion,
  kLastPair,
  kRelaxation,
  kPairCount,
  kSettledLengths,
  kReplacement,
  kSimilarSets,
};

inline constexpr std::array<std::string_view, 24> kBoundNames{
    "hierarchical",  "lookahead",         "length_trivial",   "length_objective",
    "length_prefix", "support",           "accurate_support", "excessive_support",
    "rejection",     "equivalent_points", "similar_support",  "one_sided_support",
    "last_rule",     "same_label_order",  "gain_potential",   "rule_worth",
    "deletion",      "insertion",         "last_pair",        "relaxation",
    "pair_count",    "settled_lengths",   "replacement",      "similar_sets"};

inline constexpr std::size_t kBounds = kBoundNames.size();

class BoundSet {
 public:
  static constexpr BoundSet all() { return BoundSet((1u << kBounds) - 1); }
  static constexpr BoundSet none() { return BoundSet(0); }
  static BoundSet named(std::span<const std::string> names) {
    BoundSet set = none();
    for (const std::string& name : names) set.mask_ |= 1u << index_of(name);
    return set;
  }

  constexpr bool operator[](Bound bound) const {
    return (mask_ >> static_cast<unsigned>(bound)) & 1u;
  }
  constexpr BoundSet without(Bound bound) const {
    return BoundSet(mask_ & ~(1u << static_cast<unsigned>(bound)));
  }

 private:
  constexpr explicit BoundSet(std::uint32_t mask) : mask_(mask) {}
  static std::size_t index_of(std::string_view name) {
    for (std::size_t i = 0; i < kBounds; ++i) {
      if (kBoundNames[i] == name) return i;
    }
    throw InputError("there is no bound named '" + std::string(name) + "'");
  }

  std::uint32_t mask_;
};

}  // namespace surelist
