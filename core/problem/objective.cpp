// λ is read digit by digit into a fraction: a floating-point number would already be another λ.
#include "problem/objective.hpp"

#include <algorithm>
#include <limits>

namespace surelist {
namespace {

constexpr Wide kDigitsLimit = Wide{1} << 100;  // room for 30 decimal digits

Wide gcd(Wide a, Wide b) {
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

[[noreturn]] void refuse(std::string_view text, const char* why) {
  std::string shown(text.substr(0, 60));
  for (char& c : shown) {
    if (c < ' ' || c > '~') c = '?';  // control characters do not belong into a message
  }
  throw InputError("regularization '" + shown + "' " + why +
                   "; give a number from 0 up to but not including 1, such as 0.01");
}

// Reads digits into `value`; returns how many there were.
std::size_t read_digits(std::string_view text, std::size_t& at, Wide& value,
                        std::string_view whole) {
  const std::size_t start = at;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
    value = value * 10 + (text[at] - '0');
    if (value > kDigitsLimit) refuse(whole, "has too many digits");
  }
  return at - start;
}

int read_exponent(std::string_view text, std::size_t& at, std::string_view whole) {
  if (at >= text.size() || (text[at] != 'e' && text[at] != 'E')) return 0;
  ++at;
  const bool negative = at < text.size() && text[at] == '-';
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  Wide exponent = 0;
  if (read_digits(text, at, exponent, whole) == 0) refuse(whole, "is not a number");
  if (exponent > 60) refuse(whole, "has an exponent out of range");
  return negative ? -static_cast<int>(exponent) : static_cast<int>(exponent);
}

Regularization read_decimal(std::string_view text) {
  std::size_t at = 0;
  Wide digits = 0;
  std::size_t n_digits = read_digits(text, at, digits, text);
  int exponent = 0;
  if (at < text.size() && text[at] == '.') {
    ++at;
    const std::size_t decimals = read_digits(text, at, digits, text);
    n_digits += decimals;
    exponent = -static_cast<int>(decimals);
  }
  exponent += read_exponent(text, at, text);
  if (n_digits == 0 || at != text.size()) refuse(text, "is not a number");
  Regularization result{digits, 1};
  for (; exponent > 0 && result.numerator < kDigitsLimit; --exponent) result.numerator *= 10;
  for (; exponent < 0; ++exponent) {
    result.denominator *= 10;
    if (result.denominator > kDigitsLimit) refuse(text, "has too many digits");
  }
  return result;
}

Regularization read_fraction(std::string_view text, std::size_t slash) {
  Regularization result{0, 0};
  std::size_t at = 0;
  const std::string_view below = text.substr(slash + 1);
  const bool has_top = read_digits(text.substr(0, slash), at, result.numerator, text) > 0;
  const bool top_ends = at == slash;
  at = 0;
  const bool has_below = read_digits(below, at, result.denominator, text) > 0;
  if (!has_top || !top_ends || !has_below || at != below.size() || result.denominator == 0) {
    refuse(text, "is not a fraction");
  }
  return result;
}

bool product_fits(Wide a, Wide b, Wide limit) { return a == 0 || b <= limit / a; }

}  // namespace

Regularization Regularization::parse(std::string_view text) {
  const std::size_t slash = text.find('/');
  Regularization result =
      slash == std::string_view::npos ? read_decimal(text) : read_fraction(text, slash);
  if (result.numerator >= result.denominator) refuse(text, "is not below 1");
  const Wide common = gcd(result.denominator, result.numerator);
  return {result.numerator / common, result.denominator / common};
}

ObjectiveScale::ObjectiveScale(const Regularization& regularization, Weight total_weight,
                               Weight most_loss, std::size_t n_antecedents) {
  // R = loss/W + (p/q)·K = (q·loss + p·W·K) / (q·W). With p < q, a prefix of M rules, a lookahead
  // of a few more and any loss L stay below (M + 8)·q·max(W, L), which must leave room for sums
  // and differences.
  const Wide limit = (Wide{1} << 124) / static_cast<Wide>(n_antecedents + 8);
  if (!product_fits(regularization.denominator, std::max(total_weight, most_loss), limit)) {
    throw InputError(
        "regularization has too many digits for this total weight to be computed exactly; "
        "round it, or use smaller integer weights");
  }
  loss_unit_ = regularization.denominator;
  rule_unit_ = regularization.numerator * total_weight;
  scale_ = regularization.denominator * total_weight;
  const Wide common = gcd(loss_unit_, rule_unit_);
  loss_unit_ /= common;
  rule_unit_ /= common;
  scale_ /= common;
  most_for_rule_ = static_cast<Weight>(rule_unit_ / loss_unit_);
  least_for_rule_ = most_for_rule_ + (rule_unit_ % loss_unit_ != 0 ? 1 : 0);
}

Length ObjectiveScale::rules_within(Objective slack, Length limit) const {
  if (slack.value < 0) return 0;
  if (rule_unit_ == 0) return limit;
  return static_cast<Length>(std::min(slack.value / rule_unit_, static_cast<Wide>(limit)));
}

Weight ObjectiveScale::weight_within(Objective objective) const {
  Wide quotient = objective.value / loss_unit_;
  if (quotient * loss_unit_ > objective.value) --quotient;
  constexpr Wide most = std::numeric_limits<Weight>::max();
  return static_cast<Weight>(std::clamp(quotient, -most, most));
}

double ObjectiveScale::real(Objective objective) const {
  return static_cast<double>(static_cast<long double>(objective.value) /
                             static_cast<long double>(scale_));
}

std::string to_text(Wide value) {
  const bool negative = value < 0;
  std::string digits;
  do {
    const int digit = static_cast<int>(value % 10);
    digits.push_back(static_cast<char>('0' + (digit < 0 ? -digit : digit)));
    value /= 10;
  } while (value != 0);
  if (negative) digits.push_back('-');
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace surelist
