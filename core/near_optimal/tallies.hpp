// How many ways there are to complete a set of groups within a budget. The number is the same for
// all budgets from the costliest completion counted up to the one it was counted for, so one record
// serves all of them: prefixes that leave the same set and have paid about the same share it.
#pragma once

#include <optional>

#include "base/chunked.hpp"
#include "problem/objective.hpp"

namespace surelist {

// A number of lists, below 2^127.
using Tally = unsigned __int128;

struct CountedCompletions {
  Objective dearest;  // the costliest one counted; below every budget if there is none
  Objective budget;   // all up to here were counted
  Tally count = 0;
};

class TallyTable {
 public:
  explicit TallyTable(std::size_t key_words);

  // What was counted for a key, valid for this budget.
  std::optional<CountedCompletions> find(const Word* key, Objective budget) const;
  // Beyond `most_bytes` nothing is recorded.
  void record(const Word* key, const CountedCompletions& counted, std::size_t most_bytes);
  std::size_t nbytes() const;
  std::size_t size() const { return records_.size(); }

 private:
  static constexpr std::size_t kNumbers = 6;  // words before the key: three numbers of 128 bits

  void grow();

  std::size_t key_words_;
  ChunkedRecords<Word> records_;
  std::vector<std::uint32_t> slots_;  // a record's number plus one; 0 is free
};

}  // namespace surelist
