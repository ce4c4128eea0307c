// Chunks are sorted and written whole: neighbours share most of their antecedents, so a chunk takes
// few bytes, and a file that was cut off ends with a chunk that a reader can recognise as
// incomplete.
#include "store/closed_log.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "base/leb128.hpp"

namespace surelist {
namespace {

constexpr std::size_t kHead = 8;  // bytes of a chunk before its prefixes

void put_word(std::vector<unsigned char>& bytes, std::size_t at, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<unsigned char>(value >> (8 * i));
}

using Path = std::span<const Antecedent>;

// The numbers of n paths in rising order. Most are told apart by their first antecedents, as many
// as fit into a word: so that is what is sorted, and paths are compared where these agree.
template <class PathOf>
std::vector<std::uint32_t> rising(std::size_t n, std::uint64_t most_antecedent,
                                  const PathOf& path_of) {
  struct Sorted {
    std::uint64_t key;
    std::uint32_t number;
  };
  const auto bits = static_cast<std::size_t>(std::bit_width(most_antecedent + 1));
  std::vector<Sorted> sorted(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    const Path path = path_of(i);
    std::uint64_t key = 0;
    for (std::size_t place = 0; place < 64 / bits; ++place)
      key = key << bits | (place < path.size() ? path[place] + 1u : 0u);
    sorted[i] = {key, i};
  }
  std::sort(sorted.begin(), sorted.end(), [&](const Sorted& one, const Sorted& other) {
    if (one.key != other.key) return one.key < other.key;
    const Path a = path_of(one.number), b = path_of(other.number);
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  });
  std::vector<std::uint32_t> numbers;
  numbers.reserve(n);
  for (const Sorted& each : sorted) numbers.push_back(each.number);
  return numbers;
}

}  // namespace

ClosedLog::ClosedLog(const std::string& path) : file_(std::fopen(path.c_str(), "ab")) {
  if (!file_) throw InputError("cannot write the closed prefixes to '" + path + "'");
}

void ClosedLog::Buffer::add(const Prefix& prefix, Settled settled) {
  const std::size_t begin = antecedents_.size();
  antecedents_.insert(antecedents_.end(), prefix.begin(), prefix.end());
  entries_.push_back({begin, antecedents_.size(), settled});
}

void ClosedLog::Buffer::add(const Prefix& prefix, Antecedent last, Settled settled) {
  add(prefix, settled);
  antecedents_.push_back(last);
  ++entries_.back().end;
}

void ClosedLog::write(Buffer& buffer) {
  if (buffer.entries_.empty()) return;
  const auto path_of = [&](std::size_t i) {
    const Buffer::Entry& entry = buffer.entries_[i];
    return Path(buffer.antecedents_.data() + entry.begin, entry.end - entry.begin);
  };
  Antecedent most = 0;
  for (const Antecedent s : buffer.antecedents_) most = std::max(most, s);
  std::vector<unsigned char> bytes(kHead);
  Path previous;
  for (const std::uint32_t i : rising(buffer.entries_.size(), most, path_of)) {
    const Buffer::Entry& entry = buffer.entries_[i];
    const Path path = path_of(i);
    const auto differ = std::mismatch(previous.begin(), previous.end(), path.begin(), path.end());
    const auto shared = static_cast<std::size_t>(differ.second - path.begin());
    leb128::put(bytes, shared);
    leb128::put(bytes, path.size() - shared);
    for (const Antecedent s : path.subspan(shared)) leb128::put(bytes, s);
    leb128::put(bytes, static_cast<std::size_t>(entry.settled.reason));
    if (entry.settled.has_witness()) leb128::put(bytes, entry.settled.witness);
    previous = path;
  }
  put_word(bytes, 0, static_cast<std::uint32_t>(bytes.size() - kHead));
  put_word(bytes, 4, static_cast<std::uint32_t>(buffer.entries_.size()));
  buffer.antecedents_.clear();
  buffer.entries_.clear();
  append({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void ClosedLog::append(std::string_view chunks) {
  const MutexLock locked(mutex_);
  if (std::fwrite(chunks.data(), 1, chunks.size(), file_.get()) != chunks.size()) {
    throw std::runtime_error("the closed prefixes could not be written: the disk may be full");
  }
}

void ClosedLog::flush() {
  const MutexLock locked(mutex_);
  if (std::fflush(file_.get()) != 0) {
    throw std::runtime_error("the closed prefixes could not be written: the disk may be full");
  }
}

}  // namespace surelist
