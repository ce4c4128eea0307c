// See reports.hpp. The keys are those that Python sees.
#include "bindings/reports.hpp"

namespace surelist::bindings {

nb::dict pruned(const Counters& counters) {
  nb::dict result;
  for (std::size_t i = 0; i < kBounds; ++i) {
    result[nb::str(kBoundNames[i].data(), kBoundNames[i].size())] = counters.pruned[i];
  }
  result["symmetry"] = counters.pruned_by_symmetry;
  return result;
}

nb::dict counters(const Search& search) {
  const Counters c = search.counters();
  nb::dict result;
  result["expanded"] = c.expanded;
  result["evaluated"] = c.evaluated;
  result["lower_bound_evaluations"] = c.lower_bound_evaluations;
  result["queue_insertions"] = c.queue_insertions;
  result["max_queue"] = c.max_queue;
  result["last_rule_looks"] = c.last_rule_looks;
  result["longest_prefix"] = c.longest_prefix;
  result["at_once"] = c.at_once;
  result["dived"] = c.dived;
  result["improvements"] = c.improvements;
  result["work"] = c.work;
  result["garbage_collected"] = c.garbage_collected;
  result["time"] = c.time;
  result["time_to_optimum"] = c.time_to_optimum;
  result["memory"] = c.memory;
  result["max_memory"] = c.max_memory;
  return result;
}

namespace {

template <class Value>
nb::list column(const std::vector<Sample>& samples, Value&& value) {
  nb::list list;
  for (const Sample& sample : samples) list.append(value(sample));
  return list;
}

}  // namespace

nb::dict trace(const Search& search) {
  const std::vector<Sample> samples = search.trace();
  const auto put = [&](nb::dict& into, const char* name, auto&& value) {
    into[name] = column(samples, value);
  };
  nb::dict result;
  put(result, "time", [](const Sample& s) { return s.counters.time; });
  put(result, "objective", [](const Sample& s) { return s.objective; });
  put(result, "lower_bound", [](const Sample& s) { return s.lower_bound; });
  put(result, "length", [](const Sample& s) { return s.length; });
  put(result, "proven_length", [](const Sample& s) { return s.proven_length; });
  put(result, "expanded", [](const Sample& s) { return s.counters.expanded; });
  put(result, "evaluated", [](const Sample& s) { return s.counters.evaluated; });
  put(result, "insertions", [](const Sample& s) { return s.counters.queue_insertions; });
  put(result, "queue_logical", [](const Sample& s) { return nb::cast(s.queue_logical); });
  put(result, "queue_physical", [](const Sample& s) { return nb::cast(s.queue_physical); });
  put(result, "memory", [](const Sample& s) { return s.counters.memory; });
  put(result, "remaining_fine", [](const Sample& s) { return s.remaining_fine; });
  put(result, "remaining_coarse", [](const Sample& s) { return s.remaining_coarse; });
  put(result, "improved", [](const Sample& s) { return s.improved; });
  put(result, "pruned", [](const Sample& s) { return pruned(s.counters); });
  return result;
}

nb::dict progress_of(const Progress& progress, const Search& search) {
  const RuleListResult best = search.best();
  nb::dict result;
  result["time"] = progress.time;
  result["objective"] = progress.objective;
  result["lower_bound"] = progress.lower_bound;
  result["expanded"] = progress.expanded;
  result["queue"] = progress.queue;
  result["memory"] = progress.memory;
  result["remaining"] = progress.remaining;
  result["proven_length"] = progress.proven_length;
  // Prefix and labels from one call: another thread may find a better list in between.
  result["prefix"] = nb::cast(best.prefix);
  result["labels"] = nb::cast(best.labels);
  result["default_label"] = best.default_label;
  result["queue_by_length"] = nb::cast(progress.queue_by_length);
  result["pruned"] = pruned(search.counters());
  return result;
}

}  // namespace surelist::bindings
