// The log of closed prefixes, from which a certificate is made: every prefix that the search has
// expanded, or excluded by a bound that the checker does not know. The file is a sequence of
// chunks: the number of bytes that follow (32 bits, little-endian), then prefixes in rising order,
// each as the number of antecedents it shares with the one before, the number it adds, and the
// added antecedents; all of these are LEB128 numbers.
#pragma once

#include <cstdio>
#include <memory>
#include <string_view>

#include "base/mutex.hpp"
#include "base/types.hpp"

namespace surelist {

class ClosedLog {
 public:
  // Throws InputError where the file cannot be written.
  explicit ClosedLog(const std::string& path);

  // Prefixes of one worker that wait to be written.
  class Buffer {
   public:
    void add(const Prefix& prefix);

   private:
    friend class ClosedLog;
    std::vector<Antecedent> antecedents_;
    std::vector<std::size_t> ends_;
  };

  void write(Buffer& buffer);            // and clears it
  void append(std::string_view chunks);  // of another search
  void flush();
  static bool is_full(const Buffer& buffer) { return buffer.antecedents_.size() >= kMost; }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 16;  // antecedents in a chunk, about
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  Mutex mutex_;
  std::unique_ptr<std::FILE, Close> file_ SURELIST_GUARDED_BY(mutex_);
};

}  // namespace surelist
