// Counts the work of a search over all cuts, and ends it: at a limit, or when the caller says so.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "base/types.hpp"

namespace surelist::cuts {

enum class Ending { kNone, kWork, kTime, kMemory, kCaller };

// Thrown to end a solver: the step under way is lost, earlier results are kept.
struct Stopped {
  Ending by;
};

class Watch {
 public:
  using Clock = std::chrono::steady_clock;

  std::function<bool()> caller;  // called about ten times a second; true: end

  void begin(std::optional<std::uint64_t> work, std::optional<double> seconds,
             std::optional<std::size_t> memory) {
    most_work_ = work;
    most_seconds_ = seconds;
    most_memory_ = memory;
    began_ = Clock::now();
  }

  std::uint64_t work() const { return work_; }
  std::size_t memory() const { return memory_; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

  void spend(std::uint64_t work) {
    work_ += work;
    if (most_work_ && work_ >= *most_work_) throw Stopped{Ending::kWork};
    if (work_ >= next_look_) look();
  }

  // Bytes that are kept, until they are let go.
  void keep(std::size_t bytes) {
    memory_ += bytes;
    if (most_memory_ && memory_ > *most_memory_) throw Stopped{Ending::kMemory};
  }
  void let_go(std::size_t bytes) { memory_ -= bytes; }

 private:
  void look() {
    constexpr std::uint64_t kBetween = 20'000'000;  // units of work, about 20 ms
    next_look_ = work_ + kBetween;
    const double now = seconds();
    if (most_seconds_ && now >= *most_seconds_) throw Stopped{Ending::kTime};
    if (!caller || now < next_call_) return;
    next_call_ = now + 0.1;
    if (caller()) throw Stopped{Ending::kCaller};
  }

  std::optional<std::uint64_t> most_work_;
  std::optional<double> most_seconds_;
  std::optional<std::size_t> most_memory_;
  Clock::time_point began_ = Clock::now();
  std::size_t memory_ = 0;
  std::uint64_t work_ = 0;
  std::uint64_t next_look_ = 0;
  double next_call_ = 0.1;
};

}  // namespace surelist::cuts
