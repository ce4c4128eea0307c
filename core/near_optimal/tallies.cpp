// Open addressing; a key may have several records, for budgets that do not overlap.
#include "near_optimal/tallies.hpp"

#include <algorithm>

#include "base/bits.hpp"

namespace surelist {
namespace {

constexpr std::size_t kLeastSlots = 1024;

void write(Word* at, Tally value) {
  at[0] = static_cast<Word>(value);
  at[1] = static_cast<Word>(value >> 64);
}

Tally read(const Word* at) { return (Tally{at[1]} << 64) | at[0]; }

}  // namespace

TallyTable::TallyTable(std::size_t key_words)
    : key_words_(key_words), records_(kNumbers + key_words), slots_(kLeastSlots, 0) {}

std::optional<CountedCompletions> TallyTable::find(const Word* key, Objective budget) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = bits::hash(key, key_words_) & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const Word* record = records_[slots_[slot] - 1];
    if (!bits::equal(record + kNumbers, key, key_words_)) continue;
    const CountedCompletions known{
        {static_cast<Wide>(read(record))}, {static_cast<Wide>(read(record + 2))}, read(record + 4)};
    if (known.dearest <= budget && budget <= known.budget) return known;
  }
  return std::nullopt;
}

void TallyTable::record(const Word* key, const CountedCompletions& counted,
                        std::size_t most_bytes) {
  if (nbytes() + records_.growth(1) > most_bytes ||
      records_.size() + 1 >= std::numeric_limits<std::uint32_t>::max()) {
    return;
  }
  const std::size_t number = records_.append();
  Word* record = records_[number];
  write(record, static_cast<Tally>(counted.dearest.value));
  write(record + 2, static_cast<Tally>(counted.budget.value));
  write(record + 4, counted.count);
  std::copy(key, key + key_words_, record + kNumbers);
  if (3 * records_.size() > 2 * slots_.size()) return grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = bits::hash(key, key_words_) & mask;
  while (slots_[slot] != 0) slot = (slot + 1) & mask;
  slots_[slot] = static_cast<std::uint32_t>(number + 1);
}

void TallyTable::grow() {
  slots_.assign(2 * slots_.size(), 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    std::size_t slot = bits::hash(records_[i] + kNumbers, key_words_) & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

// The slots will be twice as many before they are full.
std::size_t TallyTable::nbytes() const {
  return records_.nbytes() + 2 * slots_.size() * sizeof(std::uint32_t);
}

}  // namespace surelist
