// Compares the engine with brute force on one case. Every check returns what is wrong, or nothing.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "made.hpp"
#include "mining/mine.hpp"
#include "search/search.hpp"
#include "shared.hpp"

namespace fuzz {

class SearchCheck {
 public:
  SearchCheck(const Case& made, SharedProblem problem, brute::Int expected)
      : case_(made), expected_(expected), search_(std::move(problem), options_of(made)) {}

  std::string run() {
    std::string wrong = check_state();
    for (int stops = 0; wrong.empty() && stops <= kMostStops; ++stops) {
      const surelist::Status status =
          case_.stop == Stop::kInterrupt && stops < 4 ? run_interrupted(stops) : run_undisturbed();
      wrong = check_state();
      if (!wrong.empty() || status == surelist::Status::kOptimal) break;
      if (status != expected_status()) return "stopped for a reason that was not given";
      // These limits hold for all runs together: another run would stop at once.
      if (case_.stop == Stop::kPrefixes || case_.stop == Stop::kMemory) break;
    }
    return wrong.empty() ? check_records() : wrong;
  }

 private:
  static constexpr int kMostStops = 50;  // a time limit may be too short to get anywhere

  surelist::Status run_undisturbed() { return search_.run({.with_progress = case_.trace}); }

  // Another thread reads results, which must be safe at any time, and then interrupts.
  surelist::Status run_interrupted(int stops) {
    const auto wait = std::chrono::microseconds(case_.stop_at * static_cast<std::uint64_t>(stops));
    std::thread other([&] {
      const auto until = std::chrono::steady_clock::now() + wait;
      do {
        if (seen_.empty()) seen_ = check_best();
        search_.counters();
        search_.trace();
      } while (std::chrono::steady_clock::now() < until &&
               search_.status() != surelist::Status::kOptimal);
      search_.interrupt();
    });
    const surelist::Status status = run_undisturbed();
    other.join();
    return status;
  }

  surelist::Status expected_status() const {
    switch (case_.stop) {
      case Stop::kInterrupt:
        return surelist::Status::kInterrupted;
      case Stop::kTime:
        return surelist::Status::kTimeLimit;
      case Stop::kPrefixes:
        return surelist::Status::kPrefixLimit;
      case Stop::kMemory:
        return surelist::Status::kMemoryLimit;
      default:
        return surelist::Status::kOptimal;
    }
  }

  // An objective of the engine in the units of brute force.
  brute::Int units(surelist::Objective objective) const {
    return objective.value * (brute::scale(case_.data, case_.penalty) / search_.scale().scale());
  }

  // The objective by brute force; negative if this is no rule list.
  brute::Int recomputed(const surelist::RuleListResult& list) const {
    const std::size_t n_antecedents = case_.data.n_antecedents;
    std::vector<std::uint32_t> prefix;
    for (auto s = list.prefix.begin(); s != list.prefix.end(); ++s) {
      if (*s >= n_antecedents * case_.copies) return -1;
      if (std::find(list.prefix.begin(), s, *s) != s) return -1;
      prefix.push_back(static_cast<std::uint32_t>(*s % n_antecedents));
    }
    if (list.labels.size() != prefix.size()) return -1;
    return brute::objective_of_list(case_.data, case_.penalty, prefix, list.labels,
                                    list.default_label);
  }

  // What must hold at any time.
  std::string check_best() const {
    if (brute::scale(case_.data, case_.penalty) % search_.scale().scale() != 0) {
      return "objectives are scaled by something else";
    }
    const surelist::RuleListResult best = search_.best();
    if (best.prefix.size() > case_.max_length.value_or(~0u)) return "the list is too long";
    const brute::Int objective = recomputed(best);
    if (objective < 0) return "the list is no rule list";
    if (objective < units(search_.objective())) return "the list is better than reported";
    if (objective < expected_) return "the list is better than the optimum";
    if (units(search_.lower_bound()) > expected_) return "the lower bound is above the optimum";
    return "";
  }

  // What must hold while the search does not run.
  std::string check_state() const {
    if (!seen_.empty()) return "seen by another thread: " + seen_;
    if (const std::string wrong = check_best(); !wrong.empty()) return wrong;
    const brute::Int objective = units(search_.objective());
    if (recomputed(search_.best()) != objective) return "the list has another objective";
    const bool proven = search_.lower_bound() == search_.objective();
    const surelist::Status status = search_.status();
    if (status == surelist::Status::kOptimal) {
      if (objective != expected_) return "'optimal', but the objective is not the optimum";
      if (!proven) return "'optimal', but the lower bound is lower";
    } else if (status != surelist::Status::kRunning && proven) {
      return "proven optimal, but not reported as such";
    }
    return "";
  }

  std::string check_records() const {
    for (std::size_t b = 0; b < surelist::kBounds; ++b) {
      if (((case_.bounds >> b) & 1) == 0 && search_.counters().pruned[b] != 0) {
        return "a bound that is off was counted: " + std::string(surelist::kBoundNames[b]);
      }
    }
    const std::vector<surelist::Sample> samples = search_.trace();
    if (samples.empty() == case_.trace) return "a trace where none was asked for, or none";
    const double optimum = static_cast<double>(expected_) /
                           static_cast<double>(brute::scale(case_.data, case_.penalty));
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (samples[i].lower_bound > optimum + 1e-9) return "a lower bound in the trace is wrong";
      if (samples[i].objective < optimum - 1e-9) return "an objective in the trace is wrong";
      if (samples[i].remaining_fine > samples[i].remaining_coarse + 1e-9) {
        return "more remains by the fine-grained bound than by the coarse one";
      }
      if (i == 0) continue;
      if (samples[i].counters.time < samples[i - 1].counters.time) return "time runs backwards";
      if (samples[i].objective > samples[i - 1].objective) return "the objective rises";
    }
    return "";
  }

  const Case& case_;
  brute::Int expected_;
  surelist::Search search_;
  std::string seen_;  // what the other thread found wrong
};

inline std::string check_search(const Case& made, const SharedProblem& problem,
                                brute::Int expected) {
  try {
    if (made.shared != 0) {
      const std::string wrong = SharedCheck(made, problem, expected).run();
      if (!wrong.empty()) return wrong;
    }
    return SearchCheck(made, problem, expected).run();
  } catch (const std::exception& error) {
    return std::string("exception: ") + error.what();
  }
}

// Mines the bits of the rows as features, and compares with an enumeration of all conjunctions.
class MineCheck {
 public:
  MineCheck(const Case& made, Random& random) : data_(made.data) {
    options_.max_clauses = random.between(1, 3);
    options_.negations = random.chance(50);
    const auto total = static_cast<std::size_t>(brute::total_weight(data_));
    options_.min_support = static_cast<surelist::Weight>(random.below(total / 4 + 2));
    options_.max_support = static_cast<surelist::Weight>(random.between(total / 2, total));
  }

  std::string run() {
    enumerate({}, 0);
    const surelist::Mined mined = surelist::mine(collapse_rows(data_, 1), options_);
    if (mined.antecedents.size() != names_.size()) return "mining: wrong number of antecedents";
    if (mined.problem.n_antecedents() != names_.size()) return "mining: another problem";
    for (std::uint32_t s = 0; s < mined.antecedents.size(); ++s) {
      const auto expected = names_.find(captured(mined.antecedents[s].front()));
      if (expected == names_.end()) return "mining: an antecedent too many";
      std::vector<surelist::Conjunction> sorted = mined.antecedents[s];
      std::sort(sorted.begin(), sorted.end());
      if (sorted != expected->second) return "mining: wrong names";
      if (support_in(mined.problem, s) != support(expected->first)) return "mining: wrong support";
    }
    return "";
  }

 private:
  std::vector<bool> captured(const surelist::Conjunction& conjunction) const {
    std::vector<bool> rows;
    for (const brute::Row& row : data_.rows) {
      bool all = row.weight > 0;
      for (const surelist::Literal literal : conjunction) {
        all = all && ((row.captures >> (literal / 2)) & 1) != literal % 2;
      }
      rows.push_back(all);
    }
    return rows;
  }

  surelist::Weight support(const std::vector<bool>& rows) const {
    surelist::Weight sum = 0;
    for (std::size_t n = 0; n < rows.size(); ++n) sum += rows[n] ? data_.rows[n].weight : 0;
    return sum;
  }

  static surelist::Weight support_in(const surelist::Problem& problem, std::uint32_t s) {
    surelist::Weight sum = 0;
    for (std::size_t g = 0; g < problem.n_groups(); ++g) {
      if ((problem.captured(s)[g / 64] >> (g % 64)) & 1) sum += problem.weight(g);
    }
    return sum;
  }

  // Conjunctions in lexical order, so that the names of each antecedent come out sorted.
  void enumerate(const surelist::Conjunction& conjunction, std::uint32_t first_feature) {
    if (!conjunction.empty()) {
      const std::vector<bool> rows = captured(conjunction);
      const surelist::Weight sum = support(rows);
      if (sum > 0 && sum >= options_.min_support && sum <= options_.max_support) {
        names_[rows].push_back(conjunction);
      }
    }
    if (conjunction.size() == options_.max_clauses) return;
    for (std::uint32_t f = first_feature; f < data_.n_antecedents; ++f) {
      for (std::uint32_t negated = 0; negated <= (options_.negations ? 1 : 0); ++negated) {
        surelist::Conjunction longer = conjunction;
        longer.push_back(2 * f + negated);
        enumerate(longer, f + 1);
      }
    }
  }

  const brute::Data& data_;
  surelist::MiningOptions options_;
  std::map<std::vector<bool>, std::vector<surelist::Conjunction>> names_;
};

inline std::string check_mining(const Case& made, std::uint64_t seed) {
  Random random(~seed);
  try {
    return MineCheck(made, random).run();
  } catch (const std::exception& error) {
    return std::string("exception while mining: ") + error.what();
  }
}

}  // namespace fuzz
