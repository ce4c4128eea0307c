// Exact objectives. The paper's R = loss + λ·K is a rational number: λ is a fraction from its
// decimal text and loss a whole weight over the total weight. We multiply by the common denominator
// once, so that every objective and every lower bound is a whole number and "optimal" never rests
// on rounding. Objectives are compared here and nowhere else.
#pragma once

#include <compare>
#include <string_view>

#include "base/types.hpp"

namespace surelist {

// λ as the user wrote it: 0 ≤ numerator/denominator < 1, in lowest terms.
struct Regularization {
  Wide numerator = 0;
  Wide denominator = 1;

  // Decimal text ("0.005", "1e-05") or a fraction ("1/3"); throws InputError on anything else.
  static Regularization parse(std::string_view text);
};

struct Objective {
  Wide value = 0;

  constexpr auto operator<=>(const Objective&) const = default;
  constexpr Objective operator+(Objective other) const { return {value + other.value}; }
  constexpr Objective operator-(Objective other) const { return {value - other.value}; }
};

// Turns weights and lengths into objectives: loss/W + λ·K, scaled by `scale` to a whole number.
class ObjectiveScale {
 public:
  // Throws InputError where an objective of this problem could leave 127 bits.
  // `most_loss` is the largest loss that occurs: the total weight, if nothing costs more than it.
  ObjectiveScale(const Regularization& regularization, Weight total_weight, Weight most_loss,
                 std::size_t n_antecedents);

  constexpr Objective of(Weight loss, Length length = 0) const {
    return {loss_unit_ * loss + rule_unit_ * static_cast<Wide>(length)};
  }
  constexpr Objective rule() const { return {rule_unit_}; }  // the price λ of one rule
  constexpr Objective loss(Weight weight) const { return {loss_unit_ * weight}; }
  constexpr Wide scale() const { return scale_; }  // objective 1 in these units

  // Whether `weight` pays at most for one rule.
  constexpr bool within_rule(Weight weight) const { return weight <= most_for_rule_; }
  // The price of a rule as a whole weight, rounded up and down.
  constexpr Weight least_for_rule() const { return least_for_rule_; }
  constexpr Weight most_for_rule() const { return most_for_rule_; }
  // The largest whole number of rules whose price fits into `slack`, at most `limit`.
  Length rules_within(Objective slack, Length limit) const;
  // The largest whole weight whose loss is at most `objective` (rounded towards minus infinity).
  Weight weight_within(Objective objective) const;
  double real(Objective objective) const;

 private:
  Wide loss_unit_ = 1;
  Wide rule_unit_ = 0;
  Wide scale_ = 1;
  Weight least_for_rule_ = 0;
  Weight most_for_rule_ = 0;
};

std::string to_text(Wide value);

}  // namespace surelist
