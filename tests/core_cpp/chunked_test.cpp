// ChunkedRecords and ChunkedVector: what they hold never moves, and they never take more memory
// than they said they would. The search's memory limit rests on that.
#include "base/chunked.hpp"

#include "check.hpp"

using surelist::ChunkedRecords;
using surelist::ChunkedVector;

namespace {

void records_never_move() {
  ChunkedRecords<int> records(3);
  std::vector<int*> places;
  for (int i = 0; i < 5000; ++i) {
    CHECK(records.append() == static_cast<std::size_t>(i));
    places.push_back(records[static_cast<std::size_t>(i)]);
    for (int j = 0; j < 3; ++j) places.back()[j] = 3 * i + j;
  }
  CHECK(records.size() == 5000);
  CHECK(records.record_size() == 3);
  for (std::size_t i = 0; i < places.size(); ++i) {
    CHECK(records[i] == places[i]);
    for (std::size_t j = 0; j < 3; ++j) CHECK(records[i][j] == static_cast<int>(3 * i + j));
  }
}

void growth_is_announced() {
  ChunkedRecords<std::uint64_t> records(2);
  CHECK(records.nbytes() == 0);
  CHECK(records.growth(0) == 0);
  for (const std::size_t n : {1, 255, 1, 700, 3}) {
    const std::size_t before = records.nbytes();
    const std::size_t announced = records.growth(n);
    for (std::size_t i = 0; i < n; ++i) records.append();
    CHECK(records.nbytes() == before + announced);
    CHECK(records.nbytes() >= records.size() * 2 * sizeof(std::uint64_t));
  }
}

// The last chunk but one is given back, not the last: taking and giving in turns costs nothing.
void memory_is_given_back() {
  ChunkedVector<int> values;
  for (int i = 0; i < 10'000; ++i) values.push_back(i);
  const std::size_t full = values.nbytes();
  for (int i = 10'000; i-- > 0;) {
    CHECK(values.back() == i);
    values.pop_back();
  }
  CHECK(values.empty());
  CHECK(values.nbytes() > 0);
  CHECK(values.nbytes() < full / 10);
  values.push_back(7);
  CHECK(values[0] == 7);
}

}  // namespace

void test_chunked() {
  records_never_move();
  growth_is_announced();
  memory_is_given_back();
}
