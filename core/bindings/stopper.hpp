// When a run without the interpreter's lock has to stop: at a limit, or at Ctrl-C.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "bindings/casters.hpp"
#include "problem/objective.hpp"

namespace surelist::bindings {

class Stopper {
 public:
  Stopper(std::optional<double> seconds, std::optional<std::uint64_t> most_work)
      : seconds_(seconds), most_work_(most_work), began_(Clock::now()), next_look_(began_) {}

  // Whether to go on after so much work. At intervals it takes the lock to look for Ctrl-C.
  bool operator()(std::uint64_t work) {
    const auto now = Clock::now();
    if (most_work_ && work >= *most_work_) reason_ = "work_limit";
    if (seconds_ && std::chrono::duration<double>(now - began_).count() >= *seconds_) {
      reason_ = "time_limit";
    }
    if (now < next_look_) return reason_.empty();
    next_look_ = now + std::chrono::milliseconds(50);
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) {
      if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) nb::raise_python_error();
      PyErr_Clear();
      reason_ = "interrupted";
    }
    return reason_.empty();
  }
  const std::string& reason() const { return reason_; }

 private:
  using Clock = std::chrono::steady_clock;

  std::optional<double> seconds_;
  std::optional<std::uint64_t> most_work_;
  Clock::time_point began_;
  Clock::time_point next_look_;
  std::string reason_;
};

// A number of up to 120 bits from its decimal digits.
inline Wide parse_whole(const std::string& digits, const char* what) {
  Wide result = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9' || result > (Wide{1} << 123)) {
      throw InputError(std::string(what) + " is no whole number of this size");
    }
    result = 10 * result + (digit - '0');
  }
  return result;
}

inline Objective parse_objective(const std::string& digits) {
  return {parse_whole(digits, "the threshold")};
}

}  // namespace surelist::bindings
