// Open addressing; the records themselves lie in chunks.
#include "near_optimal/completions.hpp"

#include <algorithm>

#include "base/bits.hpp"

namespace surelist {
namespace {

constexpr std::size_t kLeastSlots = 1024;

}  // namespace

CompletionTable::CompletionTable(std::size_t key_words)
    : key_words_(key_words), records_(kKey + key_words), slots_(kLeastSlots, 0) {}

std::size_t CompletionTable::slot_of(const Word* set) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = bits::hash(set, key_words_) & mask;
  while (slots_[slot] != 0 && !bits::equal(records_[slots_[slot] - 1] + kKey, set, key_words_)) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

std::optional<LeastCompletion> CompletionTable::find(const Word* set) const {
  const std::uint32_t number = slots_[slot_of(set)];
  if (number == 0) return std::nullopt;
  const Word* record = records_[number - 1];
  // Two halves of 64 bits, the upper one with the sign.
  const Wide high = static_cast<std::int64_t>(record[kHigh]);
  const Wide value = high * (Wide{1} << 64) + static_cast<Wide>(record[kLow]);
  return LeastCompletion{{value}, static_cast<Length>(record[kMore])};
}

void CompletionTable::record(const Word* set, const LeastCompletion& known,
                             std::size_t most_bytes) {
  std::size_t slot = slot_of(set);
  if (slots_[slot] == 0) {
    if (nbytes() + records_.growth(1) > most_bytes ||
        records_.size() + 1 >= std::numeric_limits<std::uint32_t>::max()) {
      return;
    }
    const std::size_t number = records_.append();
    std::copy(set, set + key_words_, records_[number] + kKey);
    slots_[slot] = static_cast<std::uint32_t>(number + 1);
  }
  Word* record = records_[slots_[slot] - 1];
  record[kLow] = static_cast<Word>(known.least.value);
  record[kHigh] = static_cast<Word>(known.least.value >> 64);
  record[kMore] = known.most_more;
  if (3 * records_.size() > 2 * slots_.size()) grow();
}

void CompletionTable::grow() {
  const std::size_t n_slots = 2 * slots_.size();
  slots_.assign(n_slots, 0);
  for (std::size_t i = 0; i < records_.size(); ++i) {
    slots_[slot_of(records_[i] + kKey)] = static_cast<std::uint32_t>(i + 1);
  }
}

// The slots will be twice as many before they are full.
std::size_t CompletionTable::nbytes() const {
  return records_.nbytes() + 2 * slots_.size() * sizeof(std::uint32_t);
}

}  // namespace surelist
