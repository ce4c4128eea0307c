// One search on several machines, simulated: prefixes are lent to other searches, which receive
// better lists while they run; loans are settled in any order, or lost; and in between the search
// is saved and restored. It must end with the optimum.
#pragma once

#include <thread>
#include <vector>

#include "made.hpp"

namespace fuzz {

class SharedCheck {
 public:
  SharedCheck(const Case& made, SharedProblem problem, brute::Int expected)
      : case_(made), problem_(std::move(problem)), expected_(expected), random_(made.shared) {}

  std::string run() {
    auto search = new_search(options());
    search->run({.pause = {.prefixes = random_.below(8)}});
    std::vector<surelist::Search::Loan> loans;
    while (search->n_open() > 0 || !loans.empty()) {
      if (units(*search, search->lower_bound()) > expected_) return "shared: the bound is too high";
      if (random_.chance(60)) {
        if (auto loan = search->lend(random_.between(1, 6)); loan.size > 0) loans.push_back(loan);
      } else if (!loans.empty()) {
        settle_one(*search, loans);
      } else if (random_.chance(30)) {
        search = restored(*search);
      }
    }
    const surelist::Status status = search->run({});
    if (status != surelist::Status::kOptimal) return "shared: nothing is open, but not optimal";
    if (units(*search, search->objective()) != expected_) return "shared: not the optimum";
    return "";
  }

 private:
  surelist::SearchOptions options() const {
    surelist::SearchOptions options = options_of(case_);
    options.time_limit.reset();
    options.max_prefixes.reset();
    options.memory_limit.reset();
    options.by_length = false;  // what is lent are prefixes of the tree
    return options;
  }

  std::unique_ptr<surelist::Search> new_search(surelist::SearchOptions options) const {
    return std::make_unique<surelist::Search>(problem_, std::move(options));
  }

  brute::Int units(const surelist::Search& search, surelist::Objective objective) const {
    return objective.value * (brute::scale(case_.data, case_.penalty) / search.scale().scale());
  }

  std::unique_ptr<surelist::Search> restored(const surelist::Search& search) const {
    auto again = new_search(options());
    again->restore(search.save());
    return again;
  }

  void settle_one(surelist::Search& search, std::vector<surelist::Search::Loan>& loans) {
    const std::size_t at = random_.below(loans.size());
    const surelist::Search::Loan loan = loans[at];
    loans.erase(loans.begin() + static_cast<std::ptrdiff_t>(at));
    if (random_.chance(15)) return search.reclaim(loan.ticket);
    surelist::SearchOptions own = options();
    own.policy = surelist::Policy::kBreadthFirst;
    own.beam_width = 0;
    auto other = new_search(own);
    other->begin_with(loan.prefixes);
    const surelist::Prefix best = search.best().prefix;
    std::thread teller([&] { other->offer(best); });
    other->run({.pause = {.prefixes = random_.between(1, 20)}});
    teller.join();
    search.settle(loan.ticket, other->report(), "");
  }

  const Case& case_;
  SharedProblem problem_;
  brute::Int expected_;
  Random random_;
};

}  // namespace fuzz
