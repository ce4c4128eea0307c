#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cut_state.hpp"

namespace surelist_checker {

// Checks a proof that no list of up to so many rules is better at any cut: what
// `src/surelist/cuts_checker.py` says in its header, and its `_Proof` does, on whole numbers.
// Precondition, which the caller checks: no cost is above 2^62.
class CutProof {
 public:
  virtual ~CutProof() = default;

  // What lists of up to so many rules cost at least. std::invalid_argument says what is wrong with
  // the proof. At intervals `watch` is called with how many bytes are read; if it returns false,
  // the check ends with CutCheckStopped.
  using Watch = std::function<bool(std::size_t)>;
  virtual Number check(std::size_t n_rules, const Watch& watch) = 0;

  std::size_t n_states = 0;
  std::size_t n_solved = 0;  // cuts that the proof names
  std::size_t n_cuts = 0;    // that these were extended to
};

struct CutCheckStopped {};

// The proof is a sequence of numbers to base 128, the lowest digit first, the last below 128.
std::unique_ptr<CutProof> make_cut_proof(CutRows rows, std::string proof);

}  // namespace surelist_checker
