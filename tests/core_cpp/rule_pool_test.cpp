// The pool of rules: a list of no rules needs no block, wherever the last list ended.
#include "near_optimal/rule_pool.hpp"

#include "check.hpp"

using surelist::LabelledRule;
using surelist::RulePool;

void test_rule_pool() {
  RulePool pool;
  CHECK(pool.append({}) == 0);
  CHECK(pool.nbytes() == 0);
  const std::vector<LabelledRule> block(1 << 12, LabelledRule{3, 1});
  CHECK(pool.append(block) == 0);
  CHECK(pool.append({}) == block.size());  // just behind the last block
  const std::vector<LabelledRule> one{{5, 0}};
  CHECK(pool.append(one) == block.size());
  CHECK(pool.data(block.size())->antecedent == 5);
}
