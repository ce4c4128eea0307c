// Vectors aligned to cache lines that they share with nothing else. Vector loads then cross as few
// lines as possible, and there is no false sharing between threads.
#pragma once

#include <new>
#include <vector>

#include "base/types.hpp"

namespace surelist {

// Two cache lines: processors fetch them in pairs.
inline constexpr std::size_t kApart = 128;

template <class T>
struct AlignedAllocator {
  using value_type = T;

  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}  // NOLINT(*-explicit-*): allocators convert

  T* allocate(std::size_t n) {
    if (n > (std::numeric_limits<std::ptrdiff_t>::max() - kApart) / sizeof(T)) {
      throw std::bad_array_new_length();
    }
    const std::size_t whole = (n * sizeof(T) + kApart - 1) / kApart * kApart;
    return static_cast<T*>(::operator new(whole, std::align_val_t{kApart}));
  }
  void deallocate(T* values, std::size_t) { ::operator delete(values, std::align_val_t{kApart}); }
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

template <class T>
using Aligned = std::vector<T, AlignedAllocator<T>>;

}  // namespace surelist
