// Two ways to count, by rows and by slices; which one reads fewer bytes depends on the problem, and
// is decided once for each.
#include "count/capture_counts.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "base/bits.hpp"
#include "base/work.hpp"

namespace surelist {
namespace {

constexpr std::size_t kAlign = 64;  // bytes in the widest vector

// With two classes, weight and ceiling follow from the other lanes and are not summed.
std::size_t packed_lanes(std::size_t n_classes) { return n_classes == 2 ? 3 : n_classes + 3; }

std::size_t stride_of(const Problem& problem) {
  constexpr std::size_t step = kAlign / sizeof(std::uint16_t);
  return (problem.n_antecedents() + 1 + step - 1) / step * step;
}

std::size_t lane_bytes(const Problem& problem) {
  if (problem.largest_loss() <= std::numeric_limits<std::uint16_t>::max()) return 2;
  return problem.largest_loss() <= std::numeric_limits<std::uint32_t>::max() ? 4 : 8;
}

// For each antecedent its complement, which captures exactly the other groups; itself if there is
// none.
std::vector<Antecedent> find_complements(const Problem& problem) {
  const std::size_t n_words = problem.group_words();
  std::vector<Word> all(n_words);
  bits::fill(all.data(), problem.n_groups());
  std::vector<Word> rest(n_words);
  std::unordered_map<std::uint64_t, Antecedent> by_hash;
  std::vector<Antecedent> complement(problem.n_antecedents());
  for (Antecedent s = 0; s < problem.n_antecedents(); ++s) {
    complement[s] = s;
    rest = all;
    bits::and_not(rest.data(), problem.captured(s), n_words);
    const auto found = by_hash.find(bits::hash(rest.data(), n_words));
    if (found != by_hash.end() &&
        bits::equal(problem.captured(found->second), rest.data(), n_words)) {
      complement[s] = found->second;
      complement[found->second] = s;
    }
    by_hash.emplace(bits::hash(problem.captured(s), n_words), s);
  }
  return complement;
}

}  // namespace

CaptureCounts::CaptureCounts(const CaptureCounter& counter)
    : n_antecedents_(counter.problem_.n_antecedents()),
      n_classes_(counter.problem_.n_classes()),
      stride_(stride_of(counter.problem_)),
      lanes_((n_classes_ + 3) * stride_),
      sums_(packed_lanes(n_classes_) * stride_ * lane_bytes(counter.problem_)),
      cut_(counter.slices_) {
  groups_.reserve(counter.problem_.n_groups());
}

// The matrix of values, in lanes just wide enough for the sum over all groups.
struct CaptureCounter::Rows {
  virtual ~Rows() = default;
  // Sums the rows of `groups` into `lanes`, widened; `scratch` holds as many values.
  virtual void sum(const Aligned<std::uint32_t>& groups, unsigned char* scratch,
                   Weight* lanes) const = 0;
  // The same for all groups that antecedent s does not capture, less `groups`.
  virtual void sum_left(Antecedent s, const Aligned<std::uint32_t>& groups, unsigned char* scratch,
                        Weight* lanes) const = 0;
  virtual std::size_t nbytes() const = 0;

  std::vector<std::size_t> n_left;  // by antecedent: groups not captured; empty: not stored
};

namespace {

template <class Base, class Lane>
class LaneRows final : public Base {
 public:
  using AddRows = void (*)(Lane*, const Lane*, std::size_t, const std::uint32_t*, std::size_t);
  using Widen = void (*)(const Lane*, const Lane*, std::size_t, Weight*);

  LaneRows(const Problem& problem, AddRows add_rows, Widen widen)
      : stride_(stride_of(problem)),
        n_values_(packed_lanes(problem.n_classes()) * stride_),
        add_rows_(add_rows),
        widen_(widen),
        matrix_(problem.n_groups() * n_values_, 0) {
    for (Antecedent s = 0; s < problem.n_antecedents(); ++s) {
      bits::for_each(problem.captured(s), problem.group_words(),
                     [&](std::size_t g) { put(problem, g, s); });
    }
    for (std::size_t g = 0; g < problem.n_groups(); ++g) put(problem, g, problem.n_antecedents());
    if (problem.n_antecedents() * n_values_ * sizeof(Lane) <= kMostLeft) count_left(problem);
  }

  void sum(const Aligned<std::uint32_t>& groups, unsigned char* scratch,
           Weight* lanes) const override {
    widen_(nullptr, add(groups, scratch), n_values_, lanes);
  }

  void sum_left(Antecedent s, const Aligned<std::uint32_t>& groups, unsigned char* scratch,
                Weight* lanes) const override {
    widen_(left_.data() + s * n_values_, add(groups, scratch), n_values_, lanes);
  }

  std::size_t nbytes() const override {
    return (matrix_.capacity() + left_.capacity()) * sizeof(Lane) +
           Base::n_left.capacity() * sizeof(std::size_t);
  }

 private:
  static constexpr std::size_t kMostLeft = std::size_t{1} << 20;  // bytes: should stay in the cache

  const Lane* add(const Aligned<std::uint32_t>& groups, unsigned char* scratch) const {
    Lane* sums = reinterpret_cast<Lane*>(scratch);
    std::fill_n(sums, n_values_, Lane{0});
    add_rows_(sums, matrix_.data(), n_values_, groups.data(), groups.size());
    return sums;
  }

  void count_left(const Problem& problem) {
    left_.resize(problem.n_antecedents() * n_values_);
    Aligned<Lane> whole(n_values_, 0);
    Aligned<std::uint32_t> captured(problem.n_groups());
    std::iota(captured.begin(), captured.end(), 0u);
    add_rows_(whole.data(), matrix_.data(), n_values_, captured.data(), captured.size());
    for (Antecedent s = 0; s < problem.n_antecedents(); ++s) {
      captured.clear();
      bits::for_each(problem.captured(s), problem.group_words(),
                     [&](std::size_t g) { captured.push_back(static_cast<std::uint32_t>(g)); });
      Lane* left = left_.data() + s * n_values_;
      add_rows_(left, matrix_.data(), n_values_, captured.data(), captured.size());
      for (std::size_t i = 0; i < n_values_; ++i) left[i] = static_cast<Lane>(whole[i] - left[i]);
      Base::n_left.push_back(problem.n_groups() - captured.size());
    }
  }

  void put(const Problem& problem, std::size_t g, std::size_t column) {
    Lane* row = matrix_.data() + g * n_values_ + column;
    const std::size_t n_classes = problem.n_classes();
    for (Label q = 0; q < n_classes; ++q) row[q * stride_] = static_cast<Lane>(problem.cost(g, q));
    row[n_classes * stride_] = static_cast<Lane>(problem.floor(g));
    if (n_classes == 2) return;
    row[(n_classes + 1) * stride_] = static_cast<Lane>(problem.ceiling(g));
    row[(n_classes + 2) * stride_] = static_cast<Lane>(problem.weight(g));
  }

  std::size_t stride_;
  std::size_t n_values_;
  AddRows add_rows_;
  Widen widen_;
  Aligned<Lane> matrix_;
  Aligned<Lane> left_;  // by antecedent: the sum over all groups that it does not capture
};

}  // namespace

CaptureCounter::CaptureCounter(const Problem& problem, const Kernels& kernels)
    : problem_(problem),
      kernels_(kernels),
      slices_(problem, kernels),
      all_(problem.group_words()),
      complement_(find_complements(problem)),
      columns_(problem, slices_, kernels, complement_) {
  bits::fill(all_.data(), problem.n_groups());
  if (!rows_are_cheaper()) return;
  switch (lane_bytes(problem)) {
    case 2:
      rows_ = std::make_unique<LaneRows<Rows, std::uint16_t>>(problem, kernels.add_rows_16,
                                                              kernels.widen_16);
      break;
    case 4:
      rows_ = std::make_unique<LaneRows<Rows, std::uint32_t>>(problem, kernels.add_rows_32,
                                                              kernels.widen_32);
      break;
    default:
      rows_ = std::make_unique<LaneRows<Rows, std::uint64_t>>(problem, kernels.add_rows_64,
                                                              kernels.widen_64);
  }
}

CaptureCounter::~CaptureCounter() = default;

// Compares the bytes that both ways read for a typical set (half of the groups). Adding rows costs
// about as much per byte as counting bits, as long as the rows stay in the cache.
bool CaptureCounter::rows_are_cheaper() const {
  constexpr double kCache = 1 << 20;
  const double row_bytes = static_cast<double>(packed_lanes(problem_.n_classes()) *
                                               stride_of(problem_) * lane_bytes(problem_));
  const double matrix = row_bytes * static_cast<double>(problem_.n_groups());
  const double rows = matrix / 2 * (matrix > kCache ? 3 : 1);
  const double slices = static_cast<double>((problem_.n_antecedents() + 1) * slices_.size() * 8);
  return rows < 2 * slices;
}

std::size_t CaptureCounter::nbytes() const {
  return slices_.nbytes() + columns_.nbytes() + (rows_ ? rows_->nbytes() : 0);
}

void CaptureCounter::count(const Word* set, const Prefix& prefix, const Word* viable,
                           CaptureCounts& counts) const {
  if (rows_) return count_by_rows(set, prefix, counts);
  count_by_slices(set, viable, counts);
}

void CaptureCounter::count_by_rows(const Word* set, const Prefix& prefix,
                                   CaptureCounts& counts) const {
  const std::size_t n_words = problem_.group_words();
  const std::size_t n = bits::count(set, n_words);
  std::size_t fewest = n;
  Antecedent base = kNoAntecedent;
  for (std::size_t i = 0; i < prefix.size() && !rows_->n_left.empty(); ++i) {
    const std::size_t lacking = rows_->n_left[prefix[i]] - n;
    if (lacking < fewest) base = prefix[i];
    fewest = std::min(fewest, lacking);
  }
  counts.groups_.clear();
  const auto walk = [&](std::size_t g) { counts.groups_.push_back(static_cast<std::uint32_t>(g)); };
  if (base == kNoAntecedent) {
    bits::for_each(set, n_words, walk);
    rows_->sum(counts.groups_, counts.sums_.data(), counts.lanes_.data());
  } else {
    const Word* gone = problem_.captured(base);
    for (std::size_t w = 0; w < n_words; ++w) {
      bits::for_each_in_word(all_[w] & ~gone[w] & ~set[w], w * bits::kWord, walk);
    }
    rows_->sum_left(base, counts.groups_, counts.sums_.data(), counts.lanes_.data());
  }
  counts.work_ = work::bytes(counts.groups_.size() * counts.sums_.size()) +
                 work::bytes(counts.lanes_.size() * sizeof(Weight));
  if (problem_.n_classes() == 2) {
    kernels_.derive(counts.lanes_.data(), counts.stride_, problem_.n_antecedents() + 1);
  }
}

void CaptureCounter::count_by_slices(const Word* set, const Word* viable,
                                     CaptureCounts& counts) const {
  slices_.cut(set, counts.cut_);
  const std::size_t stride = counts.stride_;
  const std::size_t n_lanes = packed_lanes(problem_.n_classes());
  const std::size_t total = counts.total();
  if (by_columns()) {
    columns_.count(counts.cut_, viable, n_lanes, counts.lanes_.data(), stride, counts.scratch_);
  } else {
    count_one_by_one(viable, counts);
  }
  const Weight* floor = counts.floor();
  for (Label q = 0; q < problem_.n_classes(); ++q) {
    Weight* cost = counts.lanes_.data() + q * stride;
    for (std::size_t s = 0; s <= total; ++s) cost[s] += floor[s];
  }
  const std::size_t n_counted =
      viable != nullptr ? bits::count(viable, bits::words(problem_.n_antecedents())) : total;
  counts.work_ = work::bytes(n_counted * slices_.size() * sizeof(Word));
  if (n_lanes == 3) kernels_.derive(counts.lanes_.data(), stride, total + 1);
}

void CaptureCounter::count_one_by_one(const Word* viable, CaptureCounts& counts) const {
  const std::size_t stride = counts.stride_;
  const std::size_t total = counts.total();
  const std::size_t n_lanes = packed_lanes(problem_.n_classes());
  const auto count_one = [&](std::size_t s) {
    Weight* at = counts.lanes_.data() + s;
    const std::size_t other = s < total ? complement_[s] : s;
    // The sums of an antecedent and its complement add up to those of the set: only the first of
    // the two is counted.
    if (other < s && (viable == nullptr || bits::test(viable, other))) {
      for (std::size_t lane = 0; lane < n_lanes; ++lane) {
        const Weight* row = counts.lanes_.data() + lane * stride;
        at[lane * stride] = row[total] - row[other];
      }
    } else {
      slices_.sums(counts.cut_, s, at, stride);
    }
  };
  count_one(total);
  if (viable != nullptr) {
    bits::for_each(viable, bits::words(problem_.n_antecedents()), count_one);
  } else {
    for (std::size_t s = 0; s < problem_.n_antecedents(); ++s) count_one(s);
  }
}

}  // namespace surelist
