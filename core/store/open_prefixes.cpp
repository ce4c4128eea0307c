// The reader trusts nothing: the bytes may come from a damaged file or another machine.
#include "store/open_prefixes.hpp"

#include <algorithm>

namespace surelist {

PrefixRecord OpenPrefix::record() const {
  PrefixRecord made;
  made.prefix_loss = prefix_loss;
  made.bound_loss = bound_loss;
  made.length = static_cast<Length>(antecedents.size());
  if (!antecedents.empty()) {
    made.antecedent = antecedents.back();
    made.label = labels.back();
  }
  return made;
}

void OpenPrefixWriter::add(const OpenPrefix& prefix) {
  const Prefix& path = prefix.antecedents;
  const auto differ = std::mismatch(previous_.begin(), previous_.end(), path.begin(), path.end());
  // Shared antecedents have the same labels: a rule's label depends only on the rules before it.
  const auto shared = static_cast<std::size_t>(differ.second - path.begin());
  leb128::put(bytes_, shared);
  leb128::put(bytes_, path.size() - shared);
  for (std::size_t i = shared; i < path.size(); ++i) {
    leb128::put(bytes_, path[i]);
    leb128::put(bytes_, prefix.labels[i]);
  }
  leb128::put(bytes_, static_cast<std::uint64_t>(prefix.prefix_loss));
  leb128::put(bytes_, static_cast<std::uint64_t>(prefix.bound_loss));
  previous_ = path;
  ++size_;
}

OpenPrefixReader::OpenPrefixReader(std::string_view bytes, std::size_t n_antecedents,
                                   std::size_t n_classes)
    : reader_(bytes), n_antecedents_(n_antecedents), n_classes_(n_classes) {}

bool OpenPrefixReader::next(OpenPrefix& prefix) {
  if (reader_.done()) return false;
  const std::uint64_t shared = reader_.get_below(prefix.antecedents.size() + 1);
  const std::uint64_t added = reader_.get_below(n_antecedents_ + 1);
  prefix.antecedents.resize(shared);
  prefix.labels.resize(shared);
  for (std::uint64_t i = 0; i < added; ++i) {
    const auto s = static_cast<Antecedent>(reader_.get_below(n_antecedents_));
    const Prefix& before = prefix.antecedents;
    if (std::find(before.begin(), before.end(), s) != before.end()) {
      throw InputError("the state of a search is damaged: an antecedent is there twice");
    }
    prefix.antecedents.push_back(s);
    prefix.labels.push_back(static_cast<Label>(reader_.get_below(n_classes_)));
  }
  prefix.prefix_loss = reader_.get_weight();
  prefix.bound_loss = reader_.get_weight();
  return true;
}

}  // namespace surelist
