// What completing a set of groups costs at least. What may follow a prefix depends only on the set
// that it leaves, and prefixes with the same set are met again and again, in all orders of their
// rules. A set that was visited once is entered again only if a list beyond it is within the
// threshold. Keys are the sets themselves: a collision of hashes costs a comparison.
#pragma once

#include <optional>

#include "base/chunked.hpp"
#include "problem/objective.hpp"

namespace surelist {

// No completion by one to `most_more` rules costs less than `least`.
struct LeastCompletion {
  Objective least;
  Length most_more = 0;
};

class CompletionTable {
 public:
  explicit CompletionTable(std::size_t key_words);

  std::optional<LeastCompletion> find(const Word* set) const;
  // Replaces what is known of the set. Beyond `most_bytes`, sets that are new are left out.
  void record(const Word* set, const LeastCompletion& known, std::size_t most_bytes);
  std::size_t nbytes() const;

 private:
  static constexpr std::size_t kLow = 0;
  static constexpr std::size_t kHigh = 1;
  static constexpr std::size_t kMore = 2;
  static constexpr std::size_t kKey = 3;

  // The slot of the set, or the free one where it belongs.
  std::size_t slot_of(const Word* set) const;
  void grow();

  std::size_t key_words_;
  ChunkedRecords<Word> records_;
  std::vector<std::uint32_t> slots_;  // a record's number plus one; 0 is free
};

}  // namespace surelist
