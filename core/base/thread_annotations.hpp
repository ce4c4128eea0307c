// Clang's thread-safety annotations: which lock guards a member, and which functions must be called
// with it held. `make thread-safety` has Clang check them; other compilers see nothing of them.
#pragma once

#if defined(__clang__)
#define SURELIST_THREAD_ANNOTATION(attribute) __attribute__((attribute))
#else
#define SURELIST_THREAD_ANNOTATION(attribute)
#endif

// On a class that is a lock, and on one that holds a lock as long as it lives.
#define SURELIST_CAPABILITY(name) SURELIST_THREAD_ANNOTATION(capability(name))
#define SURELIST_SCOPED_CAPABILITY SURELIST_THREAD_ANNOTATION(scoped_lockable)
// On a member: only to be read or written with the lock held.
#define SURELIST_GUARDED_BY(lock) SURELIST_THREAD_ANNOTATION(guarded_by(lock))
// On a function: called with the lock held; takes it; gives it back; may assume that it is held.
#define SURELIST_REQUIRES(...) SURELIST_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define SURELIST_ACQUIRE(...) SURELIST_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define SURELIST_RELEASE(...) SURELIST_THREAD_ANNOTATION(release_capability(__VA_ARGS__))
#define SURELIST_ASSERT_CAPABILITY(lock) SURELIST_THREAD_ANNOTATION(assert_capability(lock))
