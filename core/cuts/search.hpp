// A search over all cuts: the best list, and the proof by length that no list of up to 1, 2, 3, ...
// rules is better, until a limit, the greatest length, or no longer list can pay for its rules.
// A rule asks one cut, or two at once of a pair of chains.
#pragma once

#include <memory>
#include <optional>

#include "cuts/conjunctions.hpp"
#include "cuts/proof_log.hpp"
#include "cuts/watch.hpp"
#include "problem/objective.hpp"

namespace surelist::cuts {

struct Options {
  Regularization regularization;
  std::optional<Length> max_length;
  bool logging = false;  // whether there is to be a proof
  // Pairs of chains whose cuts a rule may ask together; none: a rule asks one cut.
  std::vector<Family> families;
  std::string kernels = "auto";
};

struct Limits {
  std::optional<std::uint64_t> work;
  std::optional<double> seconds;
  std::optional<std::size_t> memory;
};

// What a search has found and proven so far. Costs are in units of 1 / scale.
struct Found {
  std::vector<std::vector<Cut>> rules;  // what each asks
  Cost objective = 0;
  Cost lower_bound = 0;
  std::optional<Length> proven_length;  // nothing where it is optimal
};

class Solving;

class CutSearch {
 public:
  // Throws InputError where numbers are out of range.
  CutSearch(Table table, const Options& options);
  ~CutSearch();

  // Runs to the end or to a limit, once. `report` is called about ten times a second; true ends it.
  void run(const Limits& limits, std::function<bool(const Found&, const Watch&)> report);

  Ending ending() const { return ending_; }
  Found found() const;
  // The proof that no list of up to proven_length rules, or max_length if optimal, is better; and
  // that length.
  const Bytes& proof() const { return proof_; }
  Length proof_length() const { return proven_; }
  Wide scale() const { return Wide{scale_.loss} * table_.total; }
  const Table& table() const { return table_; }
  const Watch& watch() const { return watch_; }

 private:
  bool may_pay(Length length) const;

  Table table_;
  std::size_t n_groups_;  // of rows that a list may get right
  Scale scale_;
  std::vector<Family> families_;
  std::optional<Length> max_length_;
  Watch watch_;
  std::unique_ptr<Solving> solving_;
  Length proven_ = 0;
  bool done_ = false;
  Ending ending_ = Ending::kNone;
  Bytes proof_;
};

}  // namespace surelist::cuts
