// Throttle: below one hit in N trials, run the test only every Nth call. For tests that cost time
// and on some problems hardly ever exclude anything; the calls that remain notice if that changes.
#pragma once

#include <cstdint>

namespace surelist {

class Throttle {
 public:
  // N is `trials_per_hit`. It throttles only after `warm_up` trials.
  explicit Throttle(std::uint64_t trials_per_hit, std::uint64_t warm_up = 4096)
      : trials_per_hit_(trials_per_hit), warm_up_(warm_up) {}

  // Whether to run the test now.
  bool due() {
    ++calls_;
    const bool is_rare = trials_ >= warm_up_ && hits_ * trials_per_hit_ < trials_;
    if (is_rare && calls_ % trials_per_hit_ != 0) return false;
    took(1);
    return true;
  }
  // Counts a trial that took long as so many more.
  void took(std::uint64_t trials) {
    trials_ += trials;
    if (trials_ < 2 * warm_up_) return;
    trials_ /= 2;  // so that recent trials count more
    hits_ /= 2;
  }
  void hit() { ++hits_; }

 private:
  std::uint64_t trials_per_hit_;
  std::uint64_t warm_up_;
  std::uint64_t calls_ = 0;
  std::uint64_t trials_ = 0;
  std::uint64_t hits_ = 0;
};

}  // namespace surelist
