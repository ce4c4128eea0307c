// Spin lock: critical sections are shorter than a context switch, so a thread that waits tries
// again instead of going to sleep.
#pragma once

#include <atomic>
#include <thread>

#include "base/thread_annotations.hpp"

namespace surelist {

// Tells the processor that this is a loop that waits.
inline void spin_pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Unlocking is a plain store with release order. A mutex would use an atomic exchange, which waits
// until all earlier writes are visible to other cores.
class SURELIST_CAPABILITY("spin lock") SpinLock {
 public:
  void lock() SURELIST_ACQUIRE() {
    for (int tries = 0; taken_.exchange(true, std::memory_order_acquire);) {
      while (taken_.load(std::memory_order_relaxed)) {
        if (++tries < kTries) {
          spin_pause();
        } else {
          std::this_thread::yield();  // the holder may have been descheduled
        }
      }
    }
  }
  void unlock() SURELIST_RELEASE() { taken_.store(false, std::memory_order_release); }

 private:
  static constexpr int kTries = 200;  // some microseconds
  std::atomic<bool> taken_{false};
};

class SURELIST_SCOPED_CAPABILITY SpinLockGuard {
 public:
  explicit SpinLockGuard(SpinLock& lock) SURELIST_ACQUIRE(lock) : lock_(lock) { lock_.lock(); }
  ~SpinLockGuard() SURELIST_RELEASE() { lock_.unlock(); }
  SpinLockGuard(const SpinLockGuard&) = delete;
  SpinLockGuard& operator=(const SpinLockGuard&) = delete;

 private:
  SpinLock& lock_;
};

}  // namespace surelist
