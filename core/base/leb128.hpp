// Whole numbers in as few bytes as they need (LEB128): seven bits a byte, the lowest first, the
// high bit set where another byte follows. Snapshots, reports and closed prefixes consist of these.
#pragma once

#include <string_view>

#include "base/types.hpp"

namespace surelist::leb128 {

template <class Bytes>
void put(Bytes& bytes, std::uint64_t value) {
  using Byte = typename Bytes::value_type;
  for (; value >= 128; value >>= 7) bytes.push_back(static_cast<Byte>(value | 128));
  bytes.push_back(static_cast<Byte>(value));
}

// Reads what `put` wrote; throws InputError where bytes are missing or no writer wrote them.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  bool done() const { return at_ == bytes_.size(); }

  std::uint64_t get() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      value |= static_cast<std::uint64_t>(byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw InputError("the state of a search is damaged: a number is too long");
  }

  // A number that must be below `end`.
  std::uint64_t get_below(std::uint64_t end) {
    const std::uint64_t value = get();
    if (value >= end) throw InputError("the state of a search is damaged: a number is too large");
    return value;
  }

  // A loss: with surcharges it may be more than the weight of all rows.
  Weight get_weight() { return static_cast<Weight>(get_below(4 * kMostWeight)); }

  std::string_view take(std::uint64_t n) {
    if (n > bytes_.size() - at_) throw InputError("the state of a search is cut short");
    const std::string_view taken = bytes_.substr(at_, n);
    at_ += n;
    return taken;
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

}  // namespace surelist::leb128
