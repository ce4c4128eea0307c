// A test that costs time and, on some problems, hardly ever helps: there it is tried only now and
// then, in case that changes.
#pragma once

#include <cstdint>

namespace surelist {

class NowAndThen {
 public:
  // Fewer than one hit in `rarely` trials is not worth the time.
  explicit NowAndThen(std::uint64_t rarely) : rarely_(rarely) {}

  bool due() {
    ++asked_;
    if (trials_ >= kTrials && hits_ * rarely_ < trials_ && asked_ % rarely_ != 0) return false;
    if (++trials_ == 2 * kTrials) {  // what happened lately counts
      trials_ /= 2;
      hits_ /= 2;
    }
    return true;
  }
  void hit() { ++hits_; }

 private:
  static constexpr std::uint64_t kTrials = 4096;  // before anything is concluded

  std::uint64_t rarely_;
  std::uint64_t asked_ = 0;
  std::uint64_t trials_ = 0;
  std::uint64_t hits_ = 0;
};

}  // namespace surelist
