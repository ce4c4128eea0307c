#pragma once

#include <mutex>
#include <vector>

#include "counter.hpp"
#include "problem.hpp"

namespace surelist_checker {

// For two classes: what every two antecedents share, and what each captures, in all groups. All
// threads use one table, which is made when it is first needed. With very many antecedents there is
// none, and every pair that matters is counted.
template <class Counter>
class PairTable {
 public:
  using Lane = typename Counter::Lane;

  PairTable(const Problem& problem, const Counter& counter)
      : problem_(problem), counter_(counter) {}

  bool exists() const { return problem_.n_antecedents <= most_antecedents; }
  // Whether it takes less time than so many prefixes.
  bool pays(std::size_t n_prefixes) const {
    return exists() && problem_.n_antecedents <= n_prefixes;
  }
  // By antecedent: its part `c` (up or down) in all groups.
  const Lane* whole(std::size_t c) {
    make();
    return whole_.data() + c * problem_.stride;
  }
  const Lane* shared(std::size_t antecedent, std::size_t c) {
    make();
    return shared_.data() + (antecedent * 2 + c) * problem_.stride;
  }

 private:
  static constexpr std::size_t most_antecedents = 2048;

  void make() {
    std::call_once(made_, [this] {
      const std::size_t m = problem_.n_antecedents, stride = problem_.stride;
      typename Counter::Scratch scratch;
      shared_.resize(m * 2 * stride);
      whole_.resize(2 * stride);
      for (std::size_t a = 0; a < m; ++a)
        counter_.count(problem_.captured_by(a), 0, 2, shared_.data() + a * 2 * stride, scratch);
      counter_.count(problem_.everything.data(), 0, 2, whole_.data(), scratch);
    });
  }

  const Problem& problem_;
  const Counter& counter_;
  std::once_flag made_;
  Lanes<Lane> shared_, whole_;
};

}  // namespace surelist_checker
