// A case: a small random problem with random search options. Cases are made from seeds, and can be
// written to a text file and read back.
#pragma once

#include <array>
#include <istream>
#include <optional>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "brute_force.hpp"
#include "context/options.hpp"
#include "count/kernels.hpp"
#include "problem/bound_set.hpp"

namespace fuzz {

inline constexpr std::array<std::string_view, 5> kStopNames{"none", "interrupt", "time", "prefixes",
                                                            "memory"};
enum class Stop : std::uint8_t { kNone, kInterrupt, kTime, kPrefixes, kMemory };

inline constexpr std::uint32_t kAllBounds = (1u << surelist::kBounds) - 1;

struct Case {
  brute::Data data;
  std::size_t copies = 1;            // of each antecedent, in the engine's problem
  std::string regularization = "0";  // λ as the engine reads it
  brute::Penalty penalty;            // and as brute force takes it
  std::uint32_t bounds = 0;          // a bit for each bound that is on
  std::size_t policy = 0;            // indices into the tables of names
  std::size_t symmetry = 0;
  std::size_t kernels = 0;
  std::size_t n_jobs = 1;
  Stop stop = Stop::kNone;
  std::uint64_t stop_at = 0;  // microseconds, prefixes or bytes
  std::size_t beam_width = 0;
  std::size_t by_length = 0;  // 1: in turns with the tree, 2: alone
  std::optional<std::uint32_t> max_length;
  std::optional<std::vector<std::uint32_t>> initial_rule_list;
  bool trace = false;
  std::uint64_t shared = 0;  // seed of a search that lends to others (shared.hpp); 0: none
  std::uint64_t random_state = 0;

  bool operator==(const Case&) const = default;
};

// SplitMix64: the same numbers on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }
  std::size_t between(std::size_t low, std::size_t high) { return low + below(high - low + 1); }
  bool chance(std::size_t percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

inline void make_regularization(Case& made, Random& random) {
  const auto total = static_cast<std::int64_t>(brute::total_weight(made.data));
  auto& [numerator, denominator] = made.penalty;
  const auto decimal = [&](std::int64_t digits, std::size_t places) {
    numerator = digits;
    denominator = 1;
    for (std::size_t i = 0; i < places; ++i) denominator *= 10;
    std::string text = std::to_string(digits);
    text.insert(0, places - std::min(places, text.size()), '0');
    made.regularization = "0." + text;
  };
  const auto fraction = [&](std::int64_t top, std::int64_t below) {
    made.penalty = {top, below};
    made.regularization = std::to_string(top) + "/" + std::to_string(below);
  };
  switch (random.below(7)) {
    case 0:
      return decimal(0, 1);
    case 1:  // tiny
      return decimal(static_cast<std::int64_t>(random.between(1, 9)), 12);
    case 2:
      return decimal(static_cast<std::int64_t>(random.between(1, 99)), 3);
    case 3:  // larger than most rules are worth
      return decimal(static_cast<std::int64_t>(random.between(1, 9)), 1);
    case 4:  // more digits than a floating-point number has
      return decimal(static_cast<std::int64_t>(random.between(1, 200'000'000'000'000'000)), 18);
    case 5: {
      const auto below = static_cast<std::int64_t>(random.between(2, 40));
      return fraction(static_cast<std::int64_t>(random.below(static_cast<std::size_t>(below))),
                      below);
    }
    default: {  // worth a whole number of rows (or halves): bounds meet with equality
      const auto rows = static_cast<std::int64_t>(random.between(1, 6));
      return rows < 2 * total ? fraction(rows, 2 * total) : decimal(0, 1);
    }
  }
}

inline void make_rows(brute::Data& data, std::size_t n_rows, Random& random) {
  const std::size_t density = 10 + random.below(81);
  const std::size_t noise = random.below(60);
  const std::size_t weights = random.below(5);
  for (std::size_t n = 0; n < n_rows; ++n) {
    brute::Row row;
    for (std::size_t s = 0; s < data.n_antecedents; ++s) {
      if (random.chance(density)) row.captures |= 1u << s;
    }
    row.label = static_cast<std::uint32_t>(random.below(data.n_classes));
    if (!random.chance(noise)) row.label = (row.captures & 1) ^ ((row.captures >> 1) & 1);
    if (weights == 1) row.weight = static_cast<std::int64_t>(random.between(1, 5));
    if (weights == 2) row.weight = static_cast<std::int64_t>(random.between(n > 0 ? 0 : 1, 3));
    if (weights == 3) row.weight = static_cast<std::int64_t>(random.between(1, 30'000));
    if (weights == 4 && random.chance(50)) {
      row.weight = static_cast<std::int64_t>(random.between(1, 3'000'000'000));
    }
    data.rows.push_back(row);
  }
}

// Makes a column constant, equal to another or its complement, or the union or intersection of two.
// Mining produces such columns; random bits rarely do.
inline void relate_column(brute::Data& data, Random& random) {
  if (data.n_antecedents < 2) return;
  const std::size_t target = random.below(data.n_antecedents);
  const std::size_t first = random.below(data.n_antecedents);
  const std::size_t second = random.below(data.n_antecedents);
  const std::size_t kind = random.below(6);
  for (brute::Row& row : data.rows) {
    const std::uint32_t a = (row.captures >> first) & 1;
    const std::uint32_t b = (row.captures >> second) & 1;
    const std::array<std::uint32_t, 6> made{0, 1, a, 1 - a, a | b, a & b};
    row.captures = (row.captures & ~(1u << target)) | (made[kind] << target);
  }
}

inline std::uint32_t make_bounds(Random& random) {
  switch (random.below(4)) {
    case 0:
      return kAllBounds;
    case 1:
      return 0;
    case 2:
      return kAllBounds & ~(1u << random.below(surelist::kBounds));
    default:
      return static_cast<std::uint32_t>(random.next()) & kAllBounds;
  }
}

// The search options of a case that has its problem.
inline void make_options(Case& made, Random& random) {
  const bool large = made.data.n_antecedents > 6;
  made.bounds = make_bounds(random);
  made.policy = random.below(surelist::kPolicyNames.size());
  // Without map and bounds, the tree contains all permutations: only for few antecedents. Only the
  // map of captures recognises copies.
  made.symmetry = large ? random.between(1, 2) : random.below(surelist::kSymmetryNames.size());
  if (made.copies > 1) made.symmetry = static_cast<std::size_t>(surelist::Symmetry::kCaptured);
  if (random.chance(30)) made.kernels = random.below(surelist::kKernelNames.size());
  if (random.chance(20)) made.n_jobs = random.between(2, 4);
  if (random.chance(30)) made.beam_width = random.chance(50) ? 100 : random.between(1, 4);
  // Without the tree, each copy of an antecedent would be one more stage.
  if (random.chance(30)) made.by_length = random.between(1, made.copies > 1 ? 1 : 2);
  if (random.chance(30)) made.max_length = static_cast<std::uint32_t>(random.below(5));
  if (random.chance(20)) {
    made.initial_rule_list.emplace();
    for (std::uint32_t s = 0; s < made.data.n_antecedents; ++s) {
      if (!random.chance(50)) continue;
      auto& list = *made.initial_rule_list;
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(random.below(list.size() + 1)), s);
    }
  }
  made.trace = random.chance(10);
  made.random_state = random.next();
  if (random.chance(15)) made.shared = random.next() | 1;
  if (random.chance(large ? 20 : 70)) return;
  made.stop = static_cast<Stop>(random.between(1, 4));
  switch (made.stop) {
    case Stop::kPrefixes:
      made.stop_at = random.below(60);
      break;
    case Stop::kMemory:
      made.stop_at = random.between(20'000, 400'000);
      // With little memory the map does not grow, so that only bounds keep the search short.
      if (large || made.copies > 1) made.bounds = kAllBounds;
      break;
    default:
      made.stop_at = random.below(large ? 2000 : 60);
  }
}

inline Case make_case(std::uint64_t seed) {
  Random random(seed);
  Case made;
  const bool large = random.chance(4);
  made.data.n_antecedents = large ? random.between(7, 9) : random.below(7);
  made.data.n_classes = random.chance(50) ? 2 : random.between(2, 4);
  make_rows(made.data, large ? random.between(50, 600) : random.between(1, 30), random);
  while (random.chance(40)) relate_column(made.data, random);
  make_regularization(made, random);
  if (made.data.n_antecedents > 0 && random.chance(5)) made.copies = random.between(2, 40);
  make_options(made, random);
  return made;
}

inline void write(std::ostream& out, const Case& written) {
  out << "regularization " << written.regularization << ' ' << written.penalty.numerator << ' '
      << written.penalty.denominator << '\n';
  out << "policy " << surelist::kPolicyNames[written.policy] << '\n';
  out << "symmetry " << surelist::kSymmetryNames[written.symmetry] << '\n';
  out << "kernels " << surelist::kKernelNames[written.kernels] << '\n';
  out << "n_jobs " << written.n_jobs << '\n';
  for (std::size_t b = 0; b < surelist::kBounds; ++b) {
    if ((written.bounds >> b) & 1) out << "bound " << surelist::kBoundNames[b] << '\n';
  }
  if (written.stop != Stop::kNone) {
    out << "stop " << kStopNames[static_cast<std::size_t>(written.stop)] << ' ' << written.stop_at
        << '\n';
  }
  out << "beam_width " << written.beam_width << '\n';
  out << "by_length " << written.by_length << '\n';
  if (written.max_length) out << "max_length " << *written.max_length << '\n';
  if (written.initial_rule_list) {
    out << "initial_rule_list";
    for (const std::uint32_t s : *written.initial_rule_list) out << ' ' << s;
    out << '\n';
  }
  if (written.trace) out << "trace\n";
  if (written.shared != 0) out << "shared " << written.shared << '\n';
  out << "random_state " << written.random_state << '\n';
  out << "antecedents " << written.data.n_antecedents << '\n';
  out << "copies " << written.copies << '\n';
  out << "classes " << written.data.n_classes << '\n';
  out << "# row: a bit per antecedent in brackets, label, weight\n";
  for (const brute::Row& row : written.data.rows) {
    out << "row [";
    for (std::size_t s = 0; s < written.data.n_antecedents; ++s) out << ((row.captures >> s) & 1);
    out << "] " << row.label << ' ' << row.weight << '\n';
  }
}

template <std::size_t N>
std::size_t index_of(const std::array<std::string_view, N>& names, const std::string& name) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) throw std::runtime_error("unknown name '" + name + "'");
  return static_cast<std::size_t>(at - names.begin());
}

inline brute::Row read_row(std::istream& words) {
  brute::Row row;
  std::string bits;
  words >> bits >> row.label >> row.weight;
  for (std::size_t i = 1; i + 1 < bits.size(); ++i) {
    if (bits[i] == '1') row.captures |= 1u << (i - 1);
  }
  return row;
}

inline void read_line(std::istream& words, const std::string& key, Case& into) {
  std::string name;
  if (key == "regularization") {
    words >> into.regularization >> into.penalty.numerator >> into.penalty.denominator;
  } else if (key == "policy" && words >> name) {
    into.policy = index_of(surelist::kPolicyNames, name);
  } else if (key == "symmetry" && words >> name) {
    into.symmetry = index_of(surelist::kSymmetryNames, name);
  } else if (key == "kernels" && words >> name) {
    into.kernels = index_of(surelist::kKernelNames, name);
  } else if (key == "n_jobs") {
    words >> into.n_jobs;
  } else if (key == "bound" && words >> name) {
    into.bounds |= 1u << index_of(surelist::kBoundNames, name);
  } else if (key == "stop" && words >> name >> into.stop_at) {
    into.stop = static_cast<Stop>(index_of(kStopNames, name));
  } else if (key == "beam_width") {
    words >> into.beam_width;
  } else if (key == "by_length") {
    words >> into.by_length;
  } else if (key == "max_length") {
    words >> into.max_length.emplace();
  } else if (key == "initial_rule_list") {
    into.initial_rule_list.emplace();
    for (std::uint32_t s; words >> s;) into.initial_rule_list->push_back(s);
    words.clear();
  } else if (key == "trace") {
    into.trace = true;
  } else if (key == "shared") {
    words >> into.shared;
  } else if (key == "random_state") {
    words >> into.random_state;
  } else if (key == "antecedents") {
    words >> into.data.n_antecedents;
  } else if (key == "copies") {
    words >> into.copies;
  } else if (key == "classes") {
    words >> into.data.n_classes;
  } else if (key == "row") {
    into.data.rows.push_back(read_row(words));
  } else {
    throw std::runtime_error("unknown line '" + key + "'");
  }
  if (!words) throw std::runtime_error("the line '" + key + "' cannot be read");
}

inline Case read(std::istream& in) {
  Case result;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string key;
    if (words >> key && key[0] != '#') read_line(words, key, result);
  }
  return result;
}

}  // namespace fuzz
