#include "cut_lanes.hpp"

#include <algorithm>

#include "instruction_sets.hpp"

namespace surelist_checker {
namespace {

struct LastOfTwo {
  template <class Lane>
  INLINE static void run(const LastRows<Lane>* rows, const CutLanes<Lane>* cuts,
                         CutLanes<Lane>* most, CutLanes<Lane>* least) {
    Lane sum[cut_lanes] = {}, high[cut_lanes] = {}, low[cut_lanes] = {}, from[cut_lanes];
    std::copy(cuts->begin(), cuts->end(), from);
    for (std::size_t i = 0; i < rows->n; ++i) {
      const Lane key = rows->first_keys[i], weight = rows->weights[i];
      for (std::size_t l = 0; l < cut_lanes; ++l) sum[l] += key >= from[l] ? weight : Lane{0};
      if (rows->ends[i] == 0) continue;
      for (std::size_t l = 0; l < cut_lanes; ++l) {
        high[l] = sum[l] > high[l] ? sum[l] : high[l];
        low[l] = sum[l] < low[l] ? sum[l] : low[l];
      }
    }
    std::copy(high, high + cut_lanes, most->begin());
    std::copy(low, low + cut_lanes, least->begin());
  }
};

struct LastOfMany {
  template <class Lane>
  INLINE static void run(const LastRows<Lane>* rows, const CutLanes<Lane>* cuts,
                         const CutLanes<Lane>* left, CutLanes<Lane>* sums, std::size_t n_classes,
                         CutLanes<Lane>* right) {
    take_end(left, sums, n_classes, right);
    for (std::size_t i = 0; i < rows->n; ++i) {
      const Lane key = rows->first_keys[i], weight = rows->weights[i];
      CutLanes<Lane>& sum = sums[rows->labels[i]];
      for (std::size_t l = 0; l < cut_lanes; ++l) {
        sum[l] += key >= (*cuts)[l] ? weight : Lane{0};
      }
      if (rows->ends[i] != 0) take_end(left, sums, n_classes, right);
    }
  }

  template <class Lane>
  INLINE static void take_end(const CutLanes<Lane>* left, const CutLanes<Lane>* sums,
                              std::size_t n_classes, CutLanes<Lane>* right) {
    Lane captured[cut_lanes] = {}, rest[cut_lanes] = {};
    for (std::size_t label = 0; label < n_classes; ++label) {
      for (std::size_t l = 0; l < cut_lanes; ++l) {
        captured[l] = std::max(captured[l], sums[label][l]);
        rest[l] = std::max<Lane>(rest[l], left[label][l] - sums[label][l]);
      }
    }
    for (std::size_t l = 0; l < cut_lanes; ++l) {
      (*right)[l] = std::max<Lane>((*right)[l], captured[l] + rest[l]);
    }
  }
};

}  // namespace

template <class Lane>
void last_of_two(const LastRows<Lane>& rows, const CutLanes<Lane>& cuts, CutLanes<Lane>& most,
                 CutLanes<Lane>& least) {
  run<LastOfTwo>(&rows, &cuts, &most, &least);
}

template <class Lane>
void last_of_many(const LastRows<Lane>& rows, const CutLanes<Lane>& cuts,
                  const std::vector<CutLanes<Lane>>& left, std::vector<CutLanes<Lane>>& sums,
                  CutLanes<Lane>& right) {
  sums.assign(left.size(), {});
  right.fill(0);
  run<LastOfMany>(&rows, &cuts, left.data(), sums.data(), left.size(), &right);
}

template void last_of_two(const LastRows<std::int32_t>&, const CutLanes<std::int32_t>&,
                          CutLanes<std::int32_t>&, CutLanes<std::int32_t>&);
template void last_of_two(const LastRows<std::int64_t>&, const CutLanes<std::int64_t>&,
                          CutLanes<std::int64_t>&, CutLanes<std::int64_t>&);
template void last_of_many(const LastRows<std::int32_t>&, const CutLanes<std::int32_t>&,
                           const std::vector<CutLanes<std::int32_t>>&,
                           std::vector<CutLanes<std::int32_t>>&, CutLanes<std::int32_t>&);
template void last_of_many(const LastRows<std::int64_t>&, const CutLanes<std::int64_t>&,
                           const std::vector<CutLanes<std::int64_t>>&,
                           std::vector<CutLanes<std::int64_t>>&, CutLanes<std::int64_t>&);

}  // namespace surelist_checker
