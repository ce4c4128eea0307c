// The words of antecedents in blocks of eight, filled once for each problem.
#include "count/columns.hpp"

#include "base/bits.hpp"
#include "base/work.hpp"

namespace surelist {
namespace {

constexpr std::size_t kColumns = SideBySide::kColumns;
// Complements share columns if that saves at least one column in so many: to map columns to
// antecedents takes about as long as to count a word or two of each.
constexpr std::size_t kWorthSharing = 4;
// Beyond a processor's cache, reading takes longer than counting.
constexpr std::size_t kCache = std::size_t{1} << 22;
constexpr std::uint64_t kFarFactor = 3;

bool is_worth_sharing(const std::vector<Antecedent>& complement) {
  std::size_t saved = 0;
  for (Antecedent s = 0; s < complement.size(); ++s) saved += complement[s] < s ? 1 : 0;
  return saved * kWorthSharing >= complement.size();
}

}  // namespace

Columns::Columns(const Problem& problem, const BitSlices& slices, const Kernels& kernels,
                 const std::vector<Antecedent>& complement)
    : slices_(slices),
      kernels_(kernels),
      n_antecedents_(problem.n_antecedents()),
      block_words_(problem.group_words() * kColumns),
      column_(n_antecedents_ + 1),
      flip_(n_antecedents_) {
  std::uint32_t n_columns = 0;
  is_plain_ = !is_worth_sharing(complement);
  for (Antecedent s = 0; s < n_antecedents_; ++s) {
    flip_[s] = !is_plain_ && complement[s] < s ? -1 : 0;
    column_[s] = flip_[s] != 0 ? column_[complement[s]] : n_columns++;
  }
  column_[n_antecedents_] = n_columns++;
  n_blocks_ = (n_columns + kColumns - 1) / kColumns;
  captured_.assign(n_blocks_ * block_words_, 0);
  const auto put = [&](std::size_t column, std::size_t w, Word word) {
    captured_[column / kColumns * block_words_ + w * kColumns + column % kColumns] = word;
  };
  for (std::size_t w = 0; w < problem.group_words(); ++w) {
    for (Antecedent s = 0; s < n_antecedents_; ++s) {
      if (flip_[s] == 0) put(column_[s], w, problem.captured(s)[w]);
    }
    put(column_[n_antecedents_], w, ~Word{0});
  }
}

void Columns::count(const BitSlices::Set& set, const Word* viable, std::size_t n_lanes,
                    Weight* sums, std::size_t stride, Scratch& scratch) const {
  slices_.list_words(set, n_lanes, scratch.words, scratch.lanes);
  find_blocks(viable, scratch.blocks);
  const std::size_t n_columns = n_blocks_ * kColumns;
  if (!is_plain_) scratch.sums.resize(n_lanes * n_columns);
  kernels_.side_by_side({.words = scratch.words.data(),
                         .lanes = scratch.lanes.data(),
                         .n_lanes = n_lanes,
                         .captured = captured_.data(),
                         .block_words = block_words_,
                         .blocks = scratch.blocks.data(),
                         .n_blocks = scratch.blocks.size(),
                         .sums = is_plain_ ? sums : scratch.sums.data(),
                         .stride = is_plain_ ? stride : n_columns});
  if (!is_plain_) spread(n_lanes, sums, stride, scratch);
}

std::uint64_t Columns::work(const Scratch& scratch) const {
  const std::uint64_t counted = work::elements(scratch.blocks.size() * scratch.words.size());
  return nbytes() > kCache ? counted + kFarFactor * work::bytes(nbytes()) : counted;
}

// Blocks without a viable antecedent are not counted; the last one has the set itself.
void Columns::find_blocks(const Word* viable, Aligned<std::uint32_t>& blocks) const {
  blocks.clear();
  if (viable == nullptr || !is_plain_) {
    for (std::uint32_t b = 0; b < n_blocks_; ++b) blocks.push_back(b);
    return;
  }
  for (std::uint32_t b = 0; b < n_blocks_; ++b) {
    const std::size_t first = b * kColumns;
    const bool any = first < n_antecedents_ &&
                     ((viable[first / bits::kWord] >> (first % bits::kWord)) & 0xFF) != 0;
    if (any || b + 1 == n_blocks_) blocks.push_back(b);
  }
}

// From columns to antecedents.
void Columns::spread(std::size_t n_lanes, Weight* sums, std::size_t stride,
                     const Scratch& scratch) const {
  const std::size_t n_columns = n_blocks_ * kColumns;
  for (std::size_t lane = 0; lane < n_lanes; ++lane) {
    const Weight* from = scratch.sums.data() + lane * n_columns;
    Weight* to = sums + lane * stride;
    const Weight total = from[column_[n_antecedents_]];
    to[n_antecedents_] = total;
    for (std::size_t s = 0; s < n_antecedents_; ++s) {
      const Weight flip = flip_[s];
      to[s] = (total & flip) + ((from[column_[s]] ^ flip) - flip);
    }
  }
}

}  // namespace surelist
