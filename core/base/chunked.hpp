// Growing storage in chunks. It never moves what it holds, and never takes much more than it needs:
// a search can keep to its memory limit because growth comes in small chunks, not by doubling.
#pragma once

#include <memory>

#include "base/types.hpp"

namespace surelist {

// An array of records of `record_size` values each.
template <class T>
class ChunkedRecords {
 public:
  explicit ChunkedRecords(std::size_t record_size = 1) : record_size_(record_size) {}

  std::size_t size() const { return size_; }
  std::size_t record_size() const { return record_size_; }
  std::size_t nbytes() const { return chunks_.size() * kChunk * record_size_ * sizeof(T); }

  // The most that nbytes() can grow by when `n` records are appended.
  std::size_t growth(std::size_t n) const {
    const std::size_t free = chunks_.size() * kChunk - size_;
    return n <= free ? 0 : (n - free + kChunk - 1) / kChunk * kChunk * record_size_ * sizeof(T);
  }

  T* operator[](std::size_t i) { return chunks_[i / kChunk].get() + i % kChunk * record_size_; }
  const T* operator[](std::size_t i) const {
    return chunks_[i / kChunk].get() + i % kChunk * record_size_;
  }

  std::size_t append() {
    if (size_ == chunks_.size() * kChunk) {
      chunks_.push_back(std::make_unique<T[]>(kChunk * record_size_));
    }
    return size_++;
  }

  void pop_back() {
    --size_;
    if (chunks_.size() * kChunk >= size_ + 2 * kChunk) chunks_.pop_back();
  }

 private:
  static constexpr std::size_t kChunk = 256;
  std::size_t record_size_;
  std::size_t size_ = 0;
  std::vector<std::unique_ptr<T[]>> chunks_;
};

// The same for single values, with a plain interface.
template <class T>
class ChunkedVector {
 public:
  std::size_t size() const { return records_.size(); }
  bool empty() const { return size() == 0; }
  std::size_t nbytes() const { return records_.nbytes(); }
  std::size_t growth(std::size_t n) const { return records_.growth(n); }
  T& operator[](std::size_t i) { return *records_[i]; }
  const T& operator[](std::size_t i) const { return *records_[i]; }
  void push_back(const T& value) { *records_[records_.append()] = value; }
  T& back() { return (*this)[size() - 1]; }
  void pop_back() { records_.pop_back(); }

 private:
  ChunkedRecords<T> records_;
};

}  // namespace surelist
