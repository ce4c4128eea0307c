// Sets as words of bits. Plain loops over raw words, because compilers vectorise those well.
#pragma once

#include <bit>

#include "base/types.hpp"

namespace surelist::bits {

inline constexpr std::size_t kWord = 64;

constexpr std::size_t words(std::size_t n_bits) { return (n_bits + kWord - 1) / kWord; }

inline void set(Word* bits, std::size_t i) { bits[i / kWord] |= Word{1} << (i % kWord); }

inline bool test(const Word* bits, std::size_t i) { return (bits[i / kWord] >> (i % kWord)) & 1; }

// The first n_bits set, the rest of the last word clear.
inline void fill(Word* bits, std::size_t n_bits) {
  for (std::size_t w = 0; w < words(n_bits); ++w) bits[w] = ~Word{0};
  if (n_bits % kWord != 0) bits[words(n_bits) - 1] = (Word{1} << (n_bits % kWord)) - 1;
}

inline void and_not(Word* target, const Word* removed, std::size_t n_words) {
  for (std::size_t w = 0; w < n_words; ++w) target[w] &= ~removed[w];
}

inline bool intersects(const Word* a, const Word* b, std::size_t n_words) {
  for (std::size_t w = 0; w < n_words; ++w) {
    if ((a[w] & b[w]) != 0) return true;
  }
  return false;
}

inline std::size_t count(const Word* bits, std::size_t n_words) {
  std::size_t n = 0;
  for (std::size_t w = 0; w < n_words; ++w) n += static_cast<std::size_t>(std::popcount(bits[w]));
  return n;
}

template <class Visit>
inline void for_each_in_word(Word word, std::size_t base, Visit&& visit) {
  for (; word != 0; word &= word - 1)
    visit(base + static_cast<std::size_t>(std::countr_zero(word)));
}

template <class Visit>
inline void for_each(const Word* bits, std::size_t n_words, Visit&& visit) {
  for (std::size_t w = 0; w < n_words; ++w) for_each_in_word(bits[w], w * kWord, visit);
}

// Whether `holds` is true for some member; stops at the first.
template <class Holds>
inline bool any_of(const Word* bits, std::size_t n_words, Holds&& holds) {
  for (std::size_t w = 0; w < n_words; ++w) {
    for (Word word = bits[w]; word != 0; word &= word - 1) {
      if (holds(w * kWord + static_cast<std::size_t>(std::countr_zero(word)))) return true;
    }
  }
  return false;
}

// A well-mixed hash of the words (multiply and fold, 64 bits at a time).
inline std::uint64_t hash(const Word* bits, std::size_t n_words) {
  std::uint64_t h = 0x9E3779B97F4A7C15u ^ n_words;
  for (std::size_t w = 0; w < n_words; ++w) {
    h = (h ^ bits[w]) * 0xD6E8FEB86659FD93u;
    h ^= h >> 32;
  }
  h *= 0xD6E8FEB86659FD93u;
  return h ^ (h >> 29);
}

inline bool equal(const Word* a, const Word* b, std::size_t n_words) {
  for (std::size_t w = 0; w < n_words; ++w) {
    if (a[w] != b[w]) return false;
  }
  return true;
}

}  // namespace surelist::bits
