// Turns a case into the engine's problem and options.
#pragma once

#include <memory>
#include <string>

#include "case.hpp"
#include "search/search.hpp"

namespace fuzz {

using SharedProblem = std::shared_ptr<const surelist::Problem>;

inline surelist::Patterns collapse_rows(const brute::Data& data, std::size_t copies) {
  const std::size_t n_rows = data.rows.size();
  const std::size_t n_columns = data.n_antecedents * copies;
  std::vector<std::uint8_t> bytes(n_rows * n_columns);
  std::vector<std::int32_t> labels;
  std::vector<surelist::Weight> weights;
  for (std::size_t n = 0; n < n_rows; ++n) {
    for (std::size_t s = 0; s < n_columns; ++s) {
      bytes[n * n_columns + s] = (data.rows[n].captures >> (s % data.n_antecedents)) & 1;
    }
    labels.push_back(static_cast<std::int32_t>(data.rows[n].label));
    weights.push_back(data.rows[n].weight);
  }
  const surelist::ByteMatrix matrix{.data = bytes.data(),
                                    .n_rows = n_rows,
                                    .n_columns = n_columns,
                                    .row_stride = static_cast<std::ptrdiff_t>(n_columns),
                                    .column_stride = 1};
  return surelist::collapse(matrix, labels.data(), weights.data(), data.n_classes);
}

inline SharedProblem problem_of(const Case& made) {
  return std::make_shared<const surelist::Problem>(collapse_rows(made.data, made.copies));
}

inline brute::Int optimum_of(const Case& made) {
  const std::size_t most = made.data.n_antecedents;
  const std::size_t longest =
      made.max_length ? std::min<std::size_t>(*made.max_length, most) : most;
  return brute::optimum(made.data, made.penalty, longest);
}

// The default, if the processor lacks the instructions.
inline std::string usable_kernels(const Case& made) {
  const std::string name(surelist::kKernelNames[made.kernels]);
  try {
    surelist::kernels(name);
    return name;
  } catch (const surelist::InputError&) {
    return "auto";
  }
}

inline surelist::SearchOptions options_of(const Case& made) {
  surelist::SearchOptions options;
  options.regularization = surelist::Regularization::parse(made.regularization);
  options.policy = static_cast<surelist::Policy>(made.policy);
  options.symmetry = static_cast<surelist::Symmetry>(made.symmetry);
  std::vector<std::string> bounds;
  for (std::size_t b = 0; b < surelist::kBounds; ++b) {
    if ((made.bounds >> b) & 1) bounds.emplace_back(surelist::kBoundNames[b]);
  }
  options.bounds = surelist::BoundSet::named(bounds);
  options.kernels = usable_kernels(made);
  options.n_jobs = made.n_jobs;
  options.max_length = made.max_length;
  options.initial_rule_list = made.initial_rule_list;
  options.beam_width = made.beam_width;
  options.by_length = made.by_length > 0;
  options.without_tree = made.by_length == 2;
  options.random_state = made.random_state;
  if (made.trace) options.trace_interval = 0;
  if (made.stop == Stop::kTime) options.time_limit = static_cast<double>(made.stop_at) * 1e-6;
  if (made.stop == Stop::kPrefixes) options.max_prefixes = made.stop_at;
  if (made.stop == Stop::kMemory) options.memory_limit = made.stop_at;
  return options;
}

}  // namespace fuzz
