#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace surelist_checker {

// Cuts of a chain that are solved at once.
constexpr std::size_t cut_lanes = 16;

template <class Lane>
using CutLanes = std::array<Lane, cut_lanes>;

// Rows in the order of a last chain, and their keys in a first one. A cut of the first takes those
// with keys below it; of what it leaves, the last rule takes a beginning that ends with a key.
template <class Lane>
struct LastRows {
  std::size_t n = 0;
  const Lane* first_keys = nullptr;
  const std::uint8_t* ends = nullptr;  // whether a row is the last one of its key
  const Lane* weights = nullptr;       // of two classes: signed, plus for class 1
  const std::uint32_t* labels = nullptr;
};

// Of two classes: the most and the least, 0 at the beginning, of the signed weight up to any end.
template <class Lane>
void last_of_two(const LastRows<Lane>& rows, const CutLanes<Lane>& cuts, CutLanes<Lane>& most,
                 CutLanes<Lane>& least);

// Of any number of classes: the most that is right, of all ends and of none. `left` is by class
// what the cut leaves; `sums` is scratch for as many.
template <class Lane>
void last_of_many(const LastRows<Lane>& rows, const CutLanes<Lane>& cuts,
                  const std::vector<CutLanes<Lane>>& left, std::vector<CutLanes<Lane>>& sums,
                  CutLanes<Lane>& right);

}  // namespace surelist_checker
