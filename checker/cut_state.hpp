#pragma once

#include <memory>
#include <vector>

#include "cut_lanes.hpp"
#include "problem.hpp"

namespace surelist_checker {

// Rows of one class and a weight each, and their keys in every chain; see
// `src/surelist/cuts_checker.py`, which made them of the data.
struct CutRows {
  std::size_t n_rows = 0;
  std::size_t n_classes = 0;
  std::vector<std::vector<std::int32_t>> keys;  // by chain and row
  std::vector<std::int32_t> n_cuts;             // by chain
  std::vector<std::uint32_t> classes;
  std::vector<Number> weights;
  std::vector<std::uint32_t> groups;  // of rows with equal keys, ascending
  std::vector<std::uint32_t> last;    // chains that are counted as last ones
  Number unit = 1;                    // of a loss, in costs
  Number price = 0;                   // of a rule
};

// What is left after some cuts: sums along the chains that are asked for. Numbers of the lanes that
// count the last rule are of the type Lane, which holds the weight of all rows and every key.
template <class Lane>
class CutState {
 public:
  // The cuts of a chain that differ here, from cut 0 on.
  struct Along {
    std::vector<std::uint32_t> rows;  // those that some cut captures, by key
    std::vector<std::uint8_t> ends;   // of these rows, the last ones of their keys
    std::vector<std::int32_t> keys;   // that there are: cut p of these captures the first p
    std::vector<Number> counts;       // what a cut captures, by cut and class
    std::vector<Number> loss;         // of that
    std::vector<Number> right;        // minus what the best label gets right
    std::vector<Number> captured;
    std::vector<Lane> weights;  // of these rows, as LastRows has them
    std::vector<std::uint32_t> labels;

    // Which of these cuts a cut of the whole chain is.
    std::size_t place(std::int32_t cut) const;
    std::size_t n() const { return loss.size() - 1; }
  };

  explicit CutState(const CutRows& all);
  // What a cut leaves of another state, which has to outlive this one.
  CutState(const CutState& from, std::size_t chain, std::int32_t cut);

  const Along& along(std::size_t chain) const;
  Number loss() const { return loss_; }
  const std::vector<Number>& by_class() const { return by_class_; }
  std::size_t n_rows() const { return rows_.size(); }
  bool has_few_groups(std::size_t n) const;  // at most n
  void forget() { along_.clear(); }

 private:
  void sum_up();
  std::vector<std::uint32_t> rows_by_key(std::size_t chain) const;

  const CutRows& all_;
  const CutState* from_ = nullptr;
  std::vector<std::uint32_t> rows_;  // ascending
  std::vector<std::uint8_t> left_;   // of all rows, whether it is one of them
  std::vector<Number> by_class_;
  Number loss_ = 0;
  mutable std::vector<std::unique_ptr<Along>> along_;
};

}  // namespace surelist_checker
