// The schedule of a search that combines three methods: the tree, which is best if it can be
// searched completely; local search, which finds good lists; and the proof by length (lengths.cpp),
// which proves something about short lists where the tree would fill memory with prefixes that are
// never expanded. They take turns by counted work, so that the same data give the same result
// everywhere.
#pragma once

#include <algorithm>
#include <array>

#include "base/work.hpp"

namespace surelist {

class Turns {
 public:
  enum Kind : std::uint8_t { kTree, kLocal, kLength };
  static constexpr std::array<Kind, 3> kKinds{kTree, kLocal, kLength};
  struct Turn {
    Kind kind = kTree;
    std::uint64_t work = 0;  // after which the turn ends
  };

  // The growth of the tree: prefixes taken from its queue so far, and open prefixes.
  struct Growth {
    std::uint64_t taken = 0;
    std::uint64_t open = 0;
  };

  // Local search comes first if there is no beam, and with hundreds of antecedents, where a better
  // list saves the tree more time than it takes to find.
  void begin(std::size_t n_antecedents, bool has_beam) {
    many_ = n_antecedents >= kMany;
    if (has_beam && !many_) return;
    first_tree_ = 0;
    first_look_ = std::clamp(n_antecedents * kLookEach, kFirstLook, kLongestLook);
  }
  // As long as the proof by length can continue.
  void go_without_tree() {
    without_tree_ = true;
    first_tree_ = 0;
  }

  // The next turn. `no_length`: without the proof by length.
  Turn next(const Growth& tree, bool no_length) const {
    if (work_[kTree] < first_tree_) return {kTree, first_tree_};
    if (work_[kLocal] == 0) return {kLocal, first_look_};
    const bool alone = work_[kTree] < kAlone && !floods(tree);
    Shares shares = alone ? first_shares() : floods(tree) ? flooded(tree) : Shares{38, 1, 1};
    if (without_tree_) shares = {0, 1, 9};
    if (no_length) shares = {38, 1, 0};
    Kind kind = kTree;
    for (const Kind other : {kLocal, kLength}) {
      if (behind(shares, other, kind)) kind = other;
    }
    if (kind == kLocal) return {kind, alone ? kFirstLook : kLocalTurn};
    return {kind, kind == kTree ? kTreeTurn : kLengthTurn};
  }

  void took(Kind kind, std::uint64_t work) { work_[kind] += work; }
  std::uint64_t work(Kind kind) const { return work_[kind]; }
  void restore(const std::array<std::uint64_t, 3>& work) { work_ = work; }

 private:
  using Shares = std::array<std::uint64_t, 3>;

  // Small problems end within the first turn of the tree. Then a short local search.
  static constexpr std::uint64_t kFirstTree = work::kSecond / 100;
  static constexpr std::uint64_t kFirstLook = work::kSecond / 200;
  static constexpr std::uint64_t kMany = 200;
  static constexpr std::uint64_t kLookEach = work::kSecond / 20'000;
  static constexpr std::uint64_t kLongestLook = work::kSecond / 5;
  static constexpr std::uint64_t kAlone = work::kSecond * 3 / 10;
  static constexpr std::uint64_t kTreeTurn = work::kSecond / 10;
  static constexpr std::uint64_t kLocalTurn = work::kSecond / 10;
  static constexpr std::uint64_t kLengthTurn = work::kSecond / 4;
  static constexpr std::uint64_t kFirstLocal = work::kSecond / 2;
  // A better list is rarely found later than that, and lengths are settled faster than the bound of
  // the tree rises: the proof by length then gets nearly all.
  static constexpr std::uint64_t kMostLocal = work::kSecond;
  // With more open prefixes than this for each one taken, the tree is not expected to be completed;
  // judged once enough prefixes have been taken, or have taken long. (The paper's problems have at
  // most 15 then, tables with hundreds of antecedents 35 to 170.)
  static constexpr std::uint64_t kMostOpen = 24;
  static constexpr std::uint64_t kEnoughTaken = 512;
  static constexpr std::uint64_t kLong = 4 * kAlone;
  // For so much work of the proof by length the tree then gets hardly any turns.
  static constexpr std::uint64_t kRest = 100 * work::kSecond;

  // With so many open prefixes a lower ratio is enough: more would take hundreds of megabytes for a
  // slightly higher bound.
  static constexpr std::uint64_t kCrowd = std::uint64_t{1} << 20;
  static constexpr std::uint64_t kMostOpenInCrowd = 8;

  static bool is_crowd(const Growth& tree) {
    return tree.open > kCrowd && tree.open / kMostOpenInCrowd > tree.taken;
  }

  // Whether the tree is not expected to be completed. Early on, the ratio must be much higher.
  bool floods(const Growth& tree) const {
    if (is_crowd(tree)) return true;
    if (tree.taken < kEnoughTaken && work_[kTree] < kLong) return false;
    const std::uint64_t work = std::clamp<std::uint64_t>(work_[kTree], 1, kAlone);
    return tree.open / kMostOpen > tree.taken * (kAlone / work);
  }

  Shares flooded(const Growth& tree) const {
    if (work_[kLocal] < kFirstLocal) return {0, 1, 0};
    if (work_[kLength] >= kRest) return {9, 1, 9};
    if (work_[kLocal] >= kMostLocal) return {0, 1, 38};
    return {is_crowd(tree) ? 0u : 1u, 1, 9};
  }

  // While the tree may soon be complete. With hundreds of antecedents it rarely is, and good lists
  // are hard to find.
  Shares first_shares() const {
    const bool look = many_ && work_[kLocal] < kFirstLocal;
    return look ? Shares{1, 1, 0} : Shares{38, 2, 0};
  }

  // Whether `a` has had less of its share than `b`.
  bool behind(const Shares& shares, Kind a, Kind b) const {
    if (shares[a] == 0 || shares[b] == 0) return shares[b] == 0 && shares[a] > 0;
    return work_[a] / shares[a] < work_[b] / shares[b];
  }

  Shares work_{};
  std::uint64_t first_tree_ = kFirstTree;
  std::uint64_t first_look_ = kFirstLook;
  bool many_ = false;
  bool without_tree_ = false;
};

}  // namespace surelist
