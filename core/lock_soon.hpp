// A lock that is held for moments only.
#pragma once

#include <mutex>

namespace surelist {

inline void rest_a_moment() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Tries for some microseconds before it sleeps: to be woken takes longer than such a lock is held.
inline std::unique_lock<std::mutex> lock_soon(std::mutex& mutex) {
  constexpr int kTries = 200;
  std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
  for (int i = 0; i < kTries && !lock.owns_lock(); ++i) {
    rest_a_moment();
    lock.try_lock();
  }
  if (!lock.owns_lock()) lock.lock();
  return lock;
}

}  // namespace surelist
