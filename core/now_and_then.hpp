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
    constexpr std::uint64_t kTrials = 4096;  // before anything is concluded
    ++trials_;
    return trials_ <= kTrials || hits_ * rarely_ >= trials_ || trials_ % rarely_ == 0;
  }
  void hit() { ++hits_; }

 private:
  std::uint64_t rarely_;
  std::uint64_t trials_ = 0;
  std::uint64_t hits_ = 0;
};

}  // namespace surelist
