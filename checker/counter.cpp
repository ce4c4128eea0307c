#include "counter.hpp"

#include <algorithm>
#include <bit>

namespace surelist_checker {
namespace {

void two_classes(const Problem& problem, std::vector<std::vector<Number>>& parts) {
  parts.assign(3, std::vector<Number>(problem.n_groups));
  for (std::size_t u = 0; u < problem.n_groups; ++u) {
    const Number *cost = problem.costs_of(u), floor = std::min(cost[0], cost[1]);
    parts[0][u] = cost[0] - floor;
    parts[1][u] = cost[1] - floor;
    parts[2][u] = floor;
  }
}

}  // namespace

std::vector<std::vector<Number>> parts_of_groups(const Problem& problem) {
  std::vector<std::vector<Number>> parts;
  const std::size_t n = problem.n_classes;
  if (n == 2) {
    two_classes(problem, parts);
    return parts;
  }
  const auto n_labels =
      static_cast<std::size_t>(std::count(problem.is_label.begin(), problem.is_label.end(), 1));
  parts.assign(n_labels < n ? 2 * n + 2 : n + 2, std::vector<Number>(problem.n_groups));
  for (std::size_t u = 0; u < problem.n_groups; ++u) {
    const Number* cost = problem.costs_of(u);
    Number rule = problem.most_cost;  // the least cost over labels of rules
    for (std::size_t q = 0; q < n; ++q) {
      parts[q][u] = cost[q];
      if (problem.is_label[q]) rule = std::min(rule, cost[q]);
    }
    parts[n][u] = *std::min_element(cost, cost + n);
    parts[n + 1][u] = *std::max_element(cost, cost + n);
    if (n_labels < n)
      for (std::size_t q = 0; q < n; ++q) parts[n + 2 + q][u] = std::max<Number>(0, cost[q] - rule);
  }
  return parts;
}

template <class Lane>
RowCounter<Lane>::RowCounter(const Problem& problem) : problem_(problem) {
  const auto parts = parts_of_groups(problem);
  row_size_ = parts.size() * problem.stride;
  rows_.assign(problem.n_groups * row_size_, 0);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    for (std::size_t u = 0; u < problem.n_groups; ++u) {
      Lane* row = rows_.data() + u * row_size_ + part * problem.stride;
      const auto value = static_cast<Lane>(parts[part][u]);
      for (std::size_t a = 0; a < problem.n_antecedents; ++a)
        if (problem.captured_by(a)[u / word_bits] >> u % word_bits & 1) row[a] = value;
      row[problem.n_antecedents] = value;
    }
  }
}

template <class Lane>
void RowCounter<Lane>::count(const Word* set, std::size_t begin_part, std::size_t end_part,
                             Lane* sums, Scratch& scratch) const {
  auto& groups = scratch.groups;
  groups.resize(problem_.n_groups);
  std::size_t n = 0;
  for (std::size_t w = 0; w < problem_.n_words; ++w)
    for (Word word = set[w]; word; word &= word - 1)
      groups[n++] = static_cast<std::uint32_t>(w * word_bits) +
                    static_cast<std::uint32_t>(std::countr_zero(word));
  add_rows(sums, rows_.data(), row_size_, begin_part * problem_.stride, end_part * problem_.stride,
           groups.data(), n);
}

template <class Lane>
void RowCounter<Lane>::costs(const Word* set, Number* by_class, Scratch&) const {
  std::fill(by_class, by_class + problem_.n_classes, 0);
  for (std::size_t w = 0; w < problem_.n_words; ++w) {
    for (Word word = set[w]; word; word &= word - 1) {
      const std::size_t u = w * word_bits + static_cast<std::size_t>(std::countr_zero(word));
      for (std::size_t q = 0; q < problem_.n_classes; ++q) by_class[q] += problem_.costs_of(u)[q];
    }
  }
}

template <class Lane>
Range RowCounter<Lane>::range(const Word* set, Scratch&) const {
  Range range;
  for (std::size_t w = 0; w < problem_.n_words; ++w) {
    for (Word word = set[w]; word; word &= word - 1) {
      const std::size_t u = w * word_bits + static_cast<std::size_t>(std::countr_zero(word));
      const Number* cost = problem_.costs_of(u);
      const auto [least, greatest] = std::minmax_element(cost, cost + problem_.n_classes);
      range.floor += *least;
      range.ceil += *greatest;
    }
  }
  return range;
}

template class RowCounter<std::int16_t>;
template class RowCounter<std::int32_t>;
template class RowCounter<std::int64_t>;

BitCounter::BitCounter(const Problem& problem) : problem_(problem), ends_(1, 0) {
  for (const auto& part : parts_of_groups(problem)) {
    const Number most = part.empty() ? 0 : *std::max_element(part.begin(), part.end());
    for (auto digit = static_cast<Word>(std::bit_width(static_cast<Word>(most))); digit-- > 0;) {
      for (std::size_t w = 0; w < problem.n_words; ++w) {
        const std::size_t end = std::min((w + 1) * word_bits, problem.n_groups);
        Word mask = 0;
        for (std::size_t u = w * word_bits; u < end; ++u)
          mask |= static_cast<Word>(part[u] >> digit & 1) << u % word_bits;
        if (!mask) continue;
        places_.push_back(static_cast<std::uint32_t>(w));
        masks_.push_back(mask);
        shifts_.push_back(digit);
      }
    }
    ends_.push_back(places_.size());
  }
  captures_.resize(places_.size() * problem.stride);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    Word* row = captures_.data() + i * problem.stride;
    for (std::size_t a = 0; a < problem.n_antecedents; ++a)
      row[a] = problem.captured_by(a)[places_[i]];
    row[problem.n_antecedents] = ~Word{0};
  }
}

Digits BitCounter::digits(std::size_t begin_part, std::size_t end_part) const {
  return {places_.data(), masks_.data(), shifts_.data(), ends_.data() + begin_part,
          end_part - begin_part};
}

void BitCounter::count(const Word* set, std::size_t begin_part, std::size_t end_part, Lane* sums,
                       Scratch& scratch) const {
  const std::size_t stride = problem_.stride;
  const std::size_t n = (problem_.n_antecedents / columns + 1) * columns;  // and the set itself
  const Digits digits = this->digits(begin_part, end_part);
  scratch.words.resize(places_.size());
  spread_bits(digits, set, scratch.words.data());
  count_bits(digits, scratch.words.data(), captures_.data(), stride, n, stride,
             sums + begin_part * stride);
}

const std::vector<std::int32_t>& BitCounter::sum_parts(const Word* set, Scratch& scratch) const {
  const Digits digits = this->digits(0, n_parts());
  scratch.words.resize(places_.size());
  scratch.sums.resize(n_parts());
  spread_bits(digits, set, scratch.words.data());
  sum_bits(digits, scratch.words.data(), scratch.sums.data());
  return scratch.sums;
}

Range BitCounter::range(const Word* set, Scratch& scratch) const {
  const auto& sums = sum_parts(set, scratch);
  const std::size_t n = problem_.n_classes;
  if (n == 2) return {sums[2], Number{sums[0]} + sums[1] + sums[2]};
  return {sums[n], sums[n + 1]};
}

void BitCounter::costs(const Word* set, Number* by_class, Scratch& scratch) const {
  const auto& sums = sum_parts(set, scratch);
  for (std::size_t q = 0; q < problem_.n_classes; ++q)
    by_class[q] = problem_.n_classes == 2 ? sums[q] + sums[2] : sums[q];
}

}  // namespace surelist_checker
