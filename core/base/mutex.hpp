// std::mutex and std::unique_lock with thread-safety annotations, which the standard library lacks.
#pragma once

#include <condition_variable>
#include <mutex>

#include "base/thread_annotations.hpp"

namespace surelist {

class SURELIST_CAPABILITY("mutex") Mutex {
 private:
  friend class MutexLock;
  std::mutex mutex_;
};

class SURELIST_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) SURELIST_ACQUIRE(mutex) : lock_(mutex.mutex_) {}
  ~MutexLock() SURELIST_RELEASE() {}
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void lock() SURELIST_ACQUIRE() { lock_.lock(); }
  void unlock() SURELIST_RELEASE() { lock_.unlock(); }
  // Gives the lock back, sleeps until it is notified, and takes the lock again.
  void wait(std::condition_variable& changed) { changed.wait(lock_); }

 private:
  std::unique_lock<std::mutex> lock_;
};

}  // namespace surelist
