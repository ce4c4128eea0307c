// Chunks are sorted and written whole: neighbours share most of their antecedents, so a chunk takes
// few bytes, and a file that was cut off ends with a chunk that a reader can recognise as
// incomplete.
#include "store/closed_log.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "base/leb128.hpp"

namespace surelist {
namespace {

void put_word(std::vector<unsigned char>& bytes, std::size_t at, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<unsigned char>(value >> (8 * i));
}

}  // namespace

ClosedLog::ClosedLog(const std::string& path) : file_(std::fopen(path.c_str(), "ab")) {
  if (!file_) throw InputError("cannot write the closed prefixes to '" + path + "'");
}

void ClosedLog::Buffer::add(const Prefix& prefix) {
  antecedents_.insert(antecedents_.end(), prefix.begin(), prefix.end());
  ends_.push_back(antecedents_.size());
}

void ClosedLog::write(Buffer& buffer) {
  if (buffer.ends_.empty()) return;
  using Path = std::span<const Antecedent>;
  std::vector<Path> paths;
  std::size_t begin = 0;
  for (const std::size_t end : buffer.ends_) {
    paths.emplace_back(buffer.antecedents_.data() + begin, end - begin);
    begin = end;
  }
  std::sort(paths.begin(), paths.end(), [](Path a, Path b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  });
  std::vector<unsigned char> bytes(4);
  Path previous;
  for (const Path path : paths) {
    const auto differ = std::mismatch(previous.begin(), previous.end(), path.begin(), path.end());
    const auto shared = static_cast<std::size_t>(differ.second - path.begin());
    leb128::put(bytes, shared);
    leb128::put(bytes, path.size() - shared);
    for (const Antecedent s : path.subspan(shared)) leb128::put(bytes, s);
    previous = path;
  }
  put_word(bytes, 0, static_cast<std::uint32_t>(bytes.size() - 4));
  buffer.antecedents_.clear();
  buffer.ends_.clear();
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
