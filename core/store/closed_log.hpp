// The log of settled prefixes, from which a certificate is made: every prefix that the search has
// expanded, or excluded for a reason that a checker could not find at once, with that reason. The
// file is a sequence of chunks: a number of bytes and of prefixes (32 bits each, little-endian),
// then so many bytes: prefixes in rising order, each as the number of antecedents it shares with
// the one before, the number it adds, the added antecedents, the reason, and its witness, if it has
// one; all of these are LEB128 numbers. docs/certificate_format.md describes it.
#pragma once

#include <cstdio>
#include <memory>
#include <string_view>

#include "base/mutex.hpp"
#include "base/types.hpp"

namespace surelist {

// Why no list that starts with a prefix is better than the best one. The numbers are those of the
// file.
enum class Reason : std::uint8_t {
  kClosed = 0,      // its children are accounted for, or at most two rules may follow
  kDeletion = 1,    // better without one of its rules; witness: its place
  kInsertion = 2,   // better with one more in front; witness: its antecedent
  kSibling = 3,     // dominated by a sibling; witness: the sibling's last antecedent
  kRelaxation = 4,  // what any number of rules can reach
};

struct Settled {
  Reason reason = Reason::kClosed;
  std::uint32_t witness = 0;
  bool has_witness() const { return reason != Reason::kClosed && reason != Reason::kRelaxation; }
};

class ClosedLog {
 public:
  // Throws InputError where the file cannot be written.
  explicit ClosedLog(const std::string& path);

  // Prefixes of one worker that wait to be written.
  class Buffer {
   public:
    void add(const Prefix& prefix, Settled settled);
    // The same for a prefix and one antecedent more.
    void add(const Prefix& prefix, Antecedent last, Settled settled);

   private:
    friend class ClosedLog;
    struct Entry {
      std::size_t begin;
      std::size_t end;
      Settled settled;
    };
    std::vector<Antecedent> antecedents_;
    std::vector<Entry> entries_;
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
