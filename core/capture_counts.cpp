#include "capture_counts.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "bits.hpp"

// One binary runs everywhere: the same loop is compiled for several instruction sets and the best
// one the processor has is chosen when a counter is made.
#if defined(__x86_64__) && defined(__GNUC__)
#define SURELIST_X86 1
#define SURELIST_AVX2 __attribute__((target("avx2")))
#define SURELIST_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,prefer-vector-width=512")))
#else
#define SURELIST_X86 0
#endif

namespace surelist {
namespace {

constexpr std::size_t kAlign = 64;  // bytes in the widest vector

enum class Sign { kAdd, kSubtract };

template <class Lane>
[[gnu::always_inline]] inline void add_rows(Lane* __restrict sums, const Lane* __restrict matrix,
                                            std::size_t n_values, const std::uint32_t* groups,
                                            std::size_t n_groups, Sign sign) {
  std::size_t g = 0;
  // Four rows a pass, so that the accumulators are loaded and stored a quarter as often.
  for (; g + 4 <= n_groups; g += 4) {
    const Lane* __restrict a = matrix + groups[g] * n_values;
    const Lane* __restrict b = matrix + groups[g + 1] * n_values;
    const Lane* __restrict c = matrix + groups[g + 2] * n_values;
    const Lane* __restrict d = matrix + groups[g + 3] * n_values;
    if (sign == Sign::kAdd) {
      for (std::size_t i = 0; i < n_values; ++i) {
        sums[i] = static_cast<Lane>(sums[i] + a[i] + b[i] + c[i] + d[i]);
      }
    } else {
      for (std::size_t i = 0; i < n_values; ++i) {
        sums[i] = static_cast<Lane>(sums[i] - a[i] - b[i] - c[i] - d[i]);
      }
    }
  }
  for (; g < n_groups; ++g) {
    const Lane* __restrict a = matrix + groups[g] * n_values;
    for (std::size_t i = 0; i < n_values; ++i) {
      sums[i] = static_cast<Lane>(sign == Sign::kAdd ? sums[i] + a[i] : sums[i] - a[i]);
    }
  }
}

template <class Lane>
using AddRows = void (*)(Lane*, const Lane*, std::size_t, const std::uint32_t*, std::size_t, Sign);

template <class Lane>
void add_rows_baseline(Lane* sums, const Lane* matrix, std::size_t n_values,
                       const std::uint32_t* groups, std::size_t n_groups, Sign sign) {
  add_rows(sums, matrix, n_values, groups, n_groups, sign);
}

#if SURELIST_X86
template <class Lane>
SURELIST_AVX2 void add_rows_avx2(Lane* sums, const Lane* matrix, std::size_t n_values,
                                 const std::uint32_t* groups, std::size_t n_groups, Sign sign) {
  add_rows(sums, matrix, n_values, groups, n_groups, sign);
}

template <class Lane>
SURELIST_AVX512 void add_rows_avx512(Lane* sums, const Lane* matrix, std::size_t n_values,
                                     const std::uint32_t* groups, std::size_t n_groups, Sign sign) {
  add_rows(sums, matrix, n_values, groups, n_groups, sign);
}
#endif

template <class Lane>
AddRows<Lane> best_add_rows() {
#if SURELIST_X86
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
    return add_rows_avx512<Lane>;
  }
  if (__builtin_cpu_supports("avx2")) return add_rows_avx2<Lane>;
#endif
  return add_rows_baseline<Lane>;
}

// Two classes need no lanes of their own for weight and ceiling: they follow from the others.
std::size_t packed_lanes(std::size_t n_classes) { return n_classes == 2 ? 3 : n_classes + 3; }

std::size_t stride_of(const Problem& problem) {
  constexpr std::size_t step = kAlign / sizeof(std::uint16_t);
  return (problem.n_antecedents() + 1 + step - 1) / step * step;
}

}  // namespace

CaptureCounts::CaptureCounts(const Problem& problem)
    : n_antecedents_(problem.n_antecedents()),
      n_classes_(problem.n_classes()),
      stride_(stride_of(problem)),
      lanes_((n_classes_ + 3) * stride_),
      packed_(packed_lanes(n_classes_) * stride_) {}

// The matrix of values in lanes just wide enough for the sum over all groups.
struct CaptureCounter::Kernel {
  virtual ~Kernel() = default;
  virtual void add(void* sums, const std::vector<std::uint32_t>& groups, Sign sign) const = 0;
  virtual void widen(const void* sums, Weight* lanes, std::size_t n) const = 0;
  virtual std::size_t nbytes() const = 0;
  std::size_t lane_bytes = 0;
  std::size_t n_values = 0;
};

namespace {

template <class Base, class Lane>
struct LaneKernel final : Base {
  explicit LaneKernel(const Problem& problem)
      : stride_(stride_of(problem)), add_rows_(best_add_rows<Lane>()) {
    this->lane_bytes = sizeof(Lane);
    this->n_values = packed_lanes(problem.n_classes()) * stride_;
    matrix_.assign(problem.n_groups() * this->n_values, 0);
    for (Antecedent s = 0; s < problem.n_antecedents(); ++s) {
      bits::for_each(problem.captured(s), problem.group_words(),
                     [&](std::size_t g) { put(problem, g, s); });
    }
    for (std::size_t g = 0; g < problem.n_groups(); ++g) put(problem, g, problem.n_antecedents());
  }

  void add(void* sums, const std::vector<std::uint32_t>& groups, Sign sign) const override {
    add_rows_(static_cast<Lane*>(sums), matrix_.data(), this->n_values, groups.data(),
              groups.size(), sign);
  }

  void widen(const void* sums, Weight* lanes, std::size_t n) const override {
    const Lane* from = static_cast<const Lane*>(sums);
    for (std::size_t i = 0; i < n; ++i) lanes[i] = static_cast<Weight>(from[i]);
  }

  std::size_t nbytes() const override { return matrix_.capacity() * sizeof(Lane); }

 private:
  void put(const Problem& problem, std::size_t g, std::size_t column) {
    Lane* row = matrix_.data() + g * this->n_values + column;
    const std::size_t n_classes = problem.n_classes();
    for (Label q = 0; q < n_classes; ++q) row[q * stride_] = static_cast<Lane>(problem.cost(g, q));
    row[n_classes * stride_] = static_cast<Lane>(problem.floor(g));
    if (n_classes == 2) return;
    row[(n_classes + 1) * stride_] = static_cast<Lane>(problem.ceiling(g));
    row[(n_classes + 2) * stride_] = static_cast<Lane>(problem.weight(g));
  }

  std::size_t stride_;
  AddRows<Lane> add_rows_;
  std::vector<Lane> matrix_;
};

}  // namespace

CaptureCounter::CaptureCounter(const Problem& problem) : problem_(problem) {
  if (problem.total_weight() <= std::numeric_limits<std::uint16_t>::max()) {
    kernel_ = std::make_unique<LaneKernel<Kernel, std::uint16_t>>(problem);
  } else if (problem.total_weight() <= std::numeric_limits<std::uint32_t>::max()) {
    kernel_ = std::make_unique<LaneKernel<Kernel, std::uint32_t>>(problem);
  } else {
    kernel_ = std::make_unique<LaneKernel<Kernel, std::uint64_t>>(problem);
  }
  groups_.reserve(problem.n_groups());
}

CaptureCounter::~CaptureCounter() = default;

std::size_t CaptureCounter::nbytes() const {
  return kernel_->nbytes() + groups_.capacity() * sizeof(std::uint32_t);
}

void CaptureCounter::list_groups(const Word* set, const Word* captured, bool inside) {
  groups_.clear();
  for (std::size_t w = 0; w < problem_.group_words(); ++w) {
    const Word chosen = captured == nullptr ? set[w]
                        : inside            ? set[w] & captured[w]
                                            : set[w] & ~captured[w];
    bits::for_each(chosen, w * bits::kWord,
                   [&](std::size_t g) { groups_.push_back(static_cast<std::uint32_t>(g)); });
  }
}

void CaptureCounter::count(const Word* set, CaptureCounts& counts) {
  list_groups(set, nullptr, true);
  std::memset(counts.packed_.data(), 0, kernel_->n_values * kernel_->lane_bytes);
  kernel_->add(counts.packed_.data(), groups_, Sign::kAdd);
  widen(counts);
}

void CaptureCounter::count_without(const Word* set, const CaptureCounts& counts, Antecedent s,
                                   CaptureCounts& result) {
  const Word* captured = problem_.captured(s);
  std::size_t n_inside = 0;
  std::size_t n_set = 0;
  for (std::size_t w = 0; w < problem_.group_words(); ++w) {
    n_inside += static_cast<std::size_t>(std::popcount(set[w] & captured[w]));
    n_set += static_cast<std::size_t>(std::popcount(set[w]));
  }
  const bool subtract = 2 * n_inside <= n_set;
  list_groups(set, captured, subtract);
  const std::size_t n_bytes = kernel_->n_values * kernel_->lane_bytes;
  if (subtract) {
    std::memcpy(result.packed_.data(), counts.packed_.data(), n_bytes);
  } else {
    std::memset(result.packed_.data(), 0, n_bytes);
  }
  kernel_->add(result.packed_.data(), groups_, subtract ? Sign::kSubtract : Sign::kAdd);
  widen(result);
}

void CaptureCounter::widen(CaptureCounts& counts) const {
  kernel_->widen(counts.packed_.data(), counts.lanes_.data(), kernel_->n_values);
  if (problem_.n_classes() != 2) return;
  const Weight* cost0 = counts.lane(0);
  const Weight* cost1 = counts.lane(1);
  const Weight* floor = counts.lane(2);
  Weight* ceiling = counts.lanes_.data() + 3 * counts.stride_;
  Weight* weight = counts.lanes_.data() + 4 * counts.stride_;
  for (std::size_t s = 0; s <= counts.n_antecedents_; ++s) {
    weight[s] = cost0[s] + cost1[s];
    ceiling[s] = weight[s] - floor[s];
  }
}

}  // namespace surelist
