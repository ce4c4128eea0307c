// Open prefixes as bytes, for another search: on another machine (loans.cpp) or later
// (snapshot.cpp). Each is written as the number of antecedents that it shares with the one before,
// then the antecedents it adds with the labels of their rules, then two losses. Sets of groups are
// not written: the reader computes them from the antecedents.
#pragma once

#include "base/leb128.hpp"
#include "store/prefix_tree.hpp"

namespace surelist {

struct OpenPrefix {
  Prefix antecedents;
  std::vector<Label> labels;  // what its rules predict
  Weight prefix_loss = 0;     // see PrefixRecord
  Weight bound_loss = 0;

  // As a record that is not yet in a tree.
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

  // Overwrites `prefix`, which must be the one that was read before, with the next; false at the
  // end. Throws InputError for bytes that no writer wrote.
  bool next(OpenPrefix& prefix);

 private:
  leb128::Reader reader_;
  std::size_t n_antecedents_;
  std::size_t n_classes_;
};

}  // namespace surelist
