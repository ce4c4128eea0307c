// Shrinks a failing case: tries one simplification after another and keeps those with which the
// case still fails, until none is left.
#pragma once

#include <functional>

#include "case.hpp"

namespace fuzz {

using Fails = std::function<bool(const Case&)>;

class Shrinker {
 public:
  Shrinker(Case failing, Fails fails) : best_(std::move(failing)), fails_(std::move(fails)) {}

  Case run() {
    bool progress = true;
    while (progress) {
      progress = drop_rows();
      progress |= drop_antecedents();
      progress |= lower_weights();
      progress |= simplify_labels();
      progress |= simplify_options();
      progress |= switch_bounds_off();
      progress |= simplify_regularization();
    }
    return best_;
  }

 private:
  bool keep(Case candidate) {
    if (candidate == best_ || !fails_(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }

  template <class Change>
  bool attempt(Change&& change) {
    Case candidate = best_;
    change(candidate);
    return keep(std::move(candidate));
  }

  // Halves first, then smaller and smaller runs of rows.
  bool drop_rows() {
    bool progress = false;
    for (std::size_t run = best_.data.rows.size(); run > 0; run /= 2) {
      for (std::size_t first = 0; first + run <= best_.data.rows.size();) {
        const bool dropped = attempt([&](Case& c) {
          const auto begin = c.data.rows.begin() + static_cast<std::ptrdiff_t>(first);
          c.data.rows.erase(begin, begin + static_cast<std::ptrdiff_t>(run));
        });
        if (!dropped) first += run;
        progress |= dropped;
      }
    }
    return progress;
  }

  static void drop_antecedent(Case& c, std::uint32_t dropped) {
    const std::uint32_t below = (1u << dropped) - 1;
    for (brute::Row& row : c.data.rows) {
      row.captures = (row.captures & below) | ((row.captures >> 1) & ~below);
    }
    --c.data.n_antecedents;
    if (c.data.n_antecedents == 0) c.copies = 1;
    if (!c.initial_rule_list) return;
    std::erase(*c.initial_rule_list, dropped);
    for (std::uint32_t& s : *c.initial_rule_list) s -= s > dropped ? 1 : 0;
  }

  bool drop_antecedents() {
    bool progress = false;
    for (std::size_t s = best_.data.n_antecedents; s > 0; --s) {
      progress |= attempt([&](Case& c) { drop_antecedent(c, static_cast<std::uint32_t>(s - 1)); });
    }
    return progress;
  }

  bool lower_weights() {
    bool progress = attempt([](Case& c) {
      for (brute::Row& row : c.data.rows) row.weight = 1;
    });
    for (std::size_t n = 0; n < best_.data.rows.size(); ++n) {
      const auto weight = [n](Case& c) -> std::int64_t& { return c.data.rows[n].weight; };
      const auto to_one = [&](Case& c) { weight(c) = std::min<std::int64_t>(weight(c), 1); };
      bool lowered = attempt(to_one);
      while (attempt([&](Case& c) { weight(c) -= weight(c) / 2; })) lowered = true;
      progress |= lowered;
    }
    return progress;
  }

  bool simplify_labels() {
    bool progress = false;
    for (std::size_t n = 0; n < best_.data.rows.size(); ++n) {
      const std::uint32_t label = best_.data.rows[n].label;
      for (std::uint32_t lower = 0; lower < label; ++lower) {
        if (attempt([&](Case& c) { c.data.rows[n].label = lower; })) {
          progress = true;
          break;
        }
      }
    }
    std::uint32_t highest = 1;
    for (const brute::Row& row : best_.data.rows) highest = std::max(highest, row.label);
    return attempt([&](Case& c) { c.data.n_classes = highest + 1; }) || progress;
  }

  bool simplify_options() {
    bool progress = attempt([](Case& c) { c.max_length.reset(); });
    progress |= attempt([](Case& c) { c.initial_rule_list.reset(); });
    progress |= attempt([](Case& c) { c.trace = false; });
    progress |= attempt([](Case& c) { c.shared = 0; });
    progress |= attempt([](Case& c) {
      c.stop = Stop::kNone;
      c.stop_at = 0;
    });
    progress |= attempt([](Case& c) { c.copies = 1; });
    progress |= attempt([](Case& c) { c.n_jobs = 1; });
    progress |= attempt([](Case& c) { c.kernels = 0; });
    progress |= attempt([](Case& c) { c.beam_width = 0; });
    progress |= attempt([](Case& c) { c.by_length = 0; });
    progress |= attempt([](Case& c) { c.policy = 0; });
    progress |= attempt([](Case& c) { c.symmetry = 0; });
    progress |= attempt([](Case& c) { c.random_state = 0; });
    return progress;
  }

  bool switch_bounds_off() {
    bool progress = false;
    for (std::size_t b = 0; b < surelist::kBounds; ++b) {
      progress |= attempt([b](Case& c) { c.bounds &= ~(1u << b); });
    }
    return progress;
  }

  // The first of a few plain values with which it still fails.
  bool simplify_regularization() {
    static const std::array<std::pair<const char*, brute::Penalty>, 7> simple{
        {{"0", {0, 1}},
         {"1/2", {1, 2}},
         {"1/4", {1, 4}},
         {"0.1", {1, 10}},
         {"0.05", {5, 100}},
         {"0.01", {1, 100}},
         {"0.001", {1, 1000}}}};
    for (const auto& [text, penalty] : simple) {
      if (best_.regularization == text) return false;
      const bool simpler = attempt([&, plain = std::string(text), value = penalty](Case& c) {
        c.regularization = plain;
        c.penalty = value;
      });
      if (simpler) return true;
    }
    return false;
  }

  Case best_;
  Fails fails_;
};

}  // namespace fuzz
