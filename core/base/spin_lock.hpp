// A lock that is held for moments only.
#pragma once

#include <atomic>
#include <thread>

namespace surelist {

inline void rest_a_moment() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// To be put to sleep and woken takes longer than such a lock is held, so whoever waits tries again.
// Letting go is a plain store, which does not wait until all that was written before has arrived.
class SpinLock {
 public:
  void lock() {
    for (int tries = 0; taken_.exchange(true, std::memory_order_acquire);) {
      while (taken_.load(std::memory_order_relaxed)) {
        if (++tries < kTries) {
          rest_a_moment();
        } else {
          std::this_thread::yield();  // its holder may be waiting for this very core
        }
      }
    }
  }
  void unlock() { taken_.store(false, std::memory_order_release); }

 private:
  static constexpr int kTries = 200;  // some microseconds
  std::atomic<bool> taken_{false};
};

}  // namespace surelist
