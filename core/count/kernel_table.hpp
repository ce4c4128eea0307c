// The table of the plain loops (kernel_loops.hpp), for the instruction set of the file that
// includes this.
#pragma once

#include "count/kernel_loops.hpp"
#include "count/kernels.hpp"

namespace surelist::loops {
namespace {

constexpr Kernels make_kernels(std::string_view name) {
  return {.name = name,
          .add_rows_16 = add_rows<std::uint16_t>,
          .add_rows_32 = add_rows<std::uint32_t>,
          .add_rows_64 = add_rows<std::uint64_t>,
          .add_masked_16 = add_masked<std::int16_t>,
          .add_masked_32 = add_masked<std::int32_t>,
          .relabel_16 = relabel<std::int16_t>,
          .relabel_32 = relabel<std::int32_t>,
          .raise_16 = raise<std::int16_t>,
          .raise_32 = raise<std::int32_t>,
          .widen_16 = widen<std::uint16_t>,
          .widen_32 = widen<std::uint32_t>,
          .widen_64 = widen<std::uint64_t>,
          .derive = derive,
          .lane_overlaps = overlaps,
          .side_by_side = side_by_side,
          .triple_overlap = triple,
          .walk = walk_along,
          .cut = cut_words,
          .subtract = subtract,
          .leave = leave_all,
          .narrow_gains = narrow,
          .largest_reach = largest_reach<RuleAfter>,
          .reaching = reaching<RuleAfter>,
          .rules_after = rules_after,
          .largest_beside = largest_reach<RuleBeside>,
          .reaching_beside = reaching<RuleBeside>,
          .relax = relax,
          .largest_gains = gains,
          .rank_savings = rank_savings,
          .net_savings = net_savings,
          .savings_after = savings_after,
          .spread_above = spread,
          .within_shared = within_shared,
          .largest_nets = largest_nets,
          .raise_by_set = raise_by_set,
          .raise_by_row = raise_by_row,
          .consider_label = consider,
          .judge = judge_all};
}

}  // namespace
}  // namespace surelist::loops
