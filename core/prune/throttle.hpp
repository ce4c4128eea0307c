// A test that costs time and, on some problems, hardly ever helps: there it is tried only now and
// then, in case that changes.
#pragma once

#include <cstdint>

namespace surelist {

class Throttle {
 public:
  // Fewer than one hit in `rarely` trials is not worth the time; there are a few before anything is
  // concluded.
  explicit Throttle(std::uint64_t rarely, std::uint64_t few = 4096) : rarely_(rarely), few_(few) {}

  bool due() {
    ++asked_;
    if (trials_ >= few_ && hits_ * rarely_ < trials_ && asked_ % rarely_ != 0) return false;
    took(1);
    return true;
  }
  // For trials that take longer than others: as long as so many more.
  void took(std::uint64_t trials) {
    trials_ += trials;
    if (trials_ < 2 * few_) return;
    trials_ /= 2;  // what happened lately counts
    hits_ /= 2;
  }
  void hit() { ++hits_; }

 private:
  std::uint64_t rarely_;
  std::uint64_t few_;
  std::uint64_t asked_ = 0;
  std::uint64_t trials_ = 0;
  std::uint64_t hits_ = 0;
};

}  // namespace surelist
