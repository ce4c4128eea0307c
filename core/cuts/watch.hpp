// Counts the work of a search over all cuts, and ends it: at a limit, or when the caller says so.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "base/types.hpp"

namespace surelist::cuts {

enum class Ending { kNone, kWork, kTime, kCaller };

// Thrown out of a solver that has to end; what it was at is lost, what it found before is not.
struct Stopped {
  Ending by;
};

class Watch {
 public:
  using Clock = std::chrono::steady_clock;

  std::optional<std::uint64_t> most_work;
  std::optional<double> most_seconds;
  std::function<bool()> caller;  // called about ten times a second; true: end

  std::uint64_t work() const { return work_; }
  double seconds() const {
    return std::chrono::duration<double>(Clock::now() - began_).count();
  }

  void spend(std::uint64_t work) {
    work_ += work;
    if (most_work && work_ >= *most_work) throw Stopped{Ending::kWork};
    if (work_ >= next_look_) look();
  }

 private:
  void look() {
    constexpr std::uint64_t kBetween = 20'000'000;  // units of work, about 20 ms
    next_look_ = work_ + kBetween;
    const double now = seconds();
    if (most_seconds && now >= *most_seconds) throw Stopped{Ending::kTime};
    if (!caller || now < next_call_) return;
    next_call_ = now + 0.1;
    if (caller()) throw Stopped{Ending::kCaller};
  }

  Clock::time_point began_ = Clock::now();
  std::uint64_t work_ = 0;
  std::uint64_t next_look_ = 0;
  double next_call_ = 0.1;
};

}  // namespace surelist::cuts
