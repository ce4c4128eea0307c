// Tables that depend on the problem alone are shared by all searches for it: the stages of the
// proof by length, above all.
#include "context/context.hpp"

#include <algorithm>
#include <numeric>

#include "base/bits.hpp"
#include "problem/bounds.hpp"

namespace surelist {
namespace {

// Among rules with the same label, those with more support come first, so that less is left for the
// ones that follow. Compared with the order of columns this saves a tenth of the prefixes on COMPAS
// and a twentieth on NYCLU.
Aligned<Weight> rank_by_support(const Problem& problem) {
  std::vector<Weight> support(problem.n_antecedents(), 0);
  for (Antecedent s = 0; s < problem.n_antecedents(); ++s) {
    bits::for_each(problem.captured(s), problem.group_words(),
                   [&](std::size_t g) { support[s] += problem.weight(g); });
  }
  std::vector<Antecedent> order(problem.n_antecedents());
  std::iota(order.begin(), order.end(), Antecedent{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Antecedent a, Antecedent b) { return support[a] > support[b]; });
  Aligned<Weight> rank(problem.n_antecedents());
  for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = static_cast<Weight>(i);
  return rank;
}

Length longest_allowed(const Problem& problem, const SearchOptions& options) {
  const Length most = bounds::trivial_length(problem.n_antecedents());
  return std::min(options.max_length.value_or(most), most);
}

// An upper bound on the loss of any list, surcharges included.
Weight most_loss(const Problem& problem, const SearchOptions& options) {
  const Constraints& constraints = options.constraints;
  constraints.check(problem.n_antecedents(), problem.n_classes(), options.max_length);
  return std::accumulate(constraints.surcharges.begin(), constraints.surcharges.end(),
                         problem.largest_loss());
}

}  // namespace

ProblemTables::ProblemTables(const Problem& problem, const Kernels& kernels)
    : counter(problem, kernels), pairs(problem, counter), rank(rank_by_support(problem)) {}

SearchContext::SearchContext(std::shared_ptr<const Problem> shared_problem,
                             SearchOptions search_options)
    : SearchContext(shared_problem, std::move(search_options), nullptr) {}

SearchContext::SearchContext(const SearchContext& other, SearchOptions search_options)
    : SearchContext(other.problem, std::move(search_options), other.tables) {}

SearchContext::SearchContext(std::shared_ptr<const Problem> shared_problem,
                             SearchOptions search_options,
                             std::shared_ptr<const ProblemTables> shared_tables)
    : problem(std::move(shared_problem)),
      options(std::move(search_options)),
      kernels(surelist::kernels(options.kernels)),
      scale(options.regularization, problem->total_weight(), most_loss(*problem, options),
            problem->n_antecedents()),
      max_length(longest_allowed(*problem, options)),
      infinite(scale.of(most_loss(*problem, options), max_length + 4)),
      tables(shared_tables ? std::move(shared_tables)
                           : std::make_shared<const ProblemTables>(*problem, kernels)),
      counter(tables->counter),
      pairs(tables->pairs),
      rank(tables->rank),
      usable(bits::words(problem->n_antecedents())) {
  // The checkers of certificates do not know these bounds.
  if (certifies()) {
    options.bounds = options.bounds.without(Bound::kSettledLengths).without(Bound::kReplacement);
  }
  bits::fill(usable.data(), problem->n_antecedents());
  for (const Antecedent s : options.constraints.forbidden) {
    usable[s / bits::kWord] &= ~(Word{1} << (s % bits::kWord));
  }
}

}  // namespace surelist
