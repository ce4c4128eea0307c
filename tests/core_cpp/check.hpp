// A test framework in thirty lines: these tests need no more, and so no dependency. A test is a
// function; CHECK counts what does not hold, says where, and goes on.
#pragma once

#include <iostream>

namespace check {

inline int n_failed = 0;

inline void that(bool holds, const char* what, const char* file, int line) {
  if (holds) return;
  ++n_failed;
  std::cerr << file << ':' << line << ": does not hold: " << what << '\n';
}

template <class Exception, class Call>
bool throws(Call&& call) {
  try {
    call();
  } catch (const Exception&) {
    return true;
  }
  return false;
}

}  // namespace check

#define CHECK(condition) check::that(static_cast<bool>(condition), #condition, __FILE__, __LINE__)
