// Open prefixes in a compact form: what a search hands to another, on another machine or later.
// Each is written as the number of antecedents that it shares with the one before, and then what it
// adds: antecedents, what their rules predict, and two losses. Sets of groups are re-made.
#pragma once

#include "base/leb128.hpp"
#include "store/prefix_tree.hpp"

namespace surelist {

struct OpenPrefix {
  Prefix antecedents;
  std::vector<Label> labels;  // what its rules predict
  Weight prefix_loss = 0;     // see PrefixRecord
  Weight bound_loss = 0;

  // Not yet in a tree.
  PrefixRecord record() const;
};

class OpenPrefixWriter {
 public:
  void add(const OpenPrefix& prefix);
  std::size_t size() const { return size_; }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::size_t size_ = 0;
  Prefix previous_;
};

class OpenPrefixReader {
 public:
  OpenPrefixReader(std::string_view bytes, std::size_t n_antecedents, std::size_t n_classes);

  // The next one, in place of the one before; false where there is none. Throws InputError for
  // bytes that no writer wrote.
  bool next(OpenPrefix& prefix);

 private:
  leb128::Reader reader_;
  std::size_t n_antecedents_;
  std::size_t n_classes_;
};

}  // namespace surelist
