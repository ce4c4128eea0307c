// LEB128: every number reads back as it was written, in as few bytes as it needs; bytes that no
// writer wrote are refused, because snapshots and reports come from files and other machines.
#include "base/leb128.hpp"

#include "check.hpp"

using surelist::InputError;
using surelist::leb128::put;
using surelist::leb128::Reader;

namespace {

std::vector<std::uint64_t> edges() {
  std::vector<std::uint64_t> numbers{0, 1};
  for (unsigned bit = 1; bit < 64; ++bit) {
    const std::uint64_t power = std::uint64_t{1} << bit;
    numbers.insert(numbers.end(), {power - 1, power, power + 1});
  }
  numbers.push_back(~std::uint64_t{0});
  return numbers;
}

void numbers_read_back() {
  std::string bytes;
  for (const std::uint64_t number : edges()) put(bytes, number);
  Reader reader(bytes);
  for (const std::uint64_t number : edges()) CHECK(reader.get() == number);
  CHECK(reader.done());
}

void bytes_are_few_and_known() {
  const auto written = [](std::uint64_t number) {
    std::vector<unsigned char> bytes;
    put(bytes, number);
    return bytes;
  };
  CHECK((written(0) == std::vector<unsigned char>{0}));
  CHECK((written(127) == std::vector<unsigned char>{127}));
  CHECK((written(128) == std::vector<unsigned char>{0x80, 0x01}));
  CHECK((written(624485) == std::vector<unsigned char>{0xE5, 0x8E, 0x26}));  // the usual example
  CHECK(written(~std::uint64_t{0}).size() == 10);
}

void damage_is_refused() {
  const auto read = [](std::string_view bytes) { return [bytes] { Reader(bytes).get(); }; };
  CHECK(check::throws<InputError>(read("")));
  CHECK(check::throws<InputError>(read("\x80")));  // another byte should follow
  CHECK(check::throws<InputError>(read("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01")));
  CHECK(check::throws<InputError>([] { Reader("\x05").get_below(5); }));
  CHECK(Reader("\x04").get_below(5) == 4);
  CHECK(check::throws<InputError>([] { Reader("abc").take(4); }));
  std::string heavy;
  put(heavy, static_cast<std::uint64_t>(surelist::kMostWeight) * 4);
  CHECK(check::throws<InputError>([&] { Reader(heavy).get_weight(); }));
}

void parts_are_taken_in_turn() {
  Reader reader("abcde");
  CHECK(reader.take(2) == "ab");
  CHECK(reader.take(0).empty());
  CHECK(reader.take(3) == "cde");
  CHECK(reader.done());
}

}  // namespace

void test_leb128() {
  numbers_read_back();
  bytes_are_few_and_known();
  damage_is_refused();
  parts_are_taken_in_turn();
}
