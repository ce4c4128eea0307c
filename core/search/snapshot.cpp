// Snapshots: the whole state of a search as bytes. Numbers are LEB128; large parts have their
// length in front:
//
//   version, counters, whether the beam search is done, the proven lower bound (low and high word),
//   the best prefix, the proven length, the turns (work of each kind, prefixes taken), the open
//   prefixes, their keys (in reports alone), the map, the state of the current stage (or nothing).
//
// The reader must be a search for the same problem with the same options; the caller has to ensure
// that. Any change to the format, or to the map's keys or their meaning, needs a new version.
#include "search/snapshot.hpp"

#include <bit>

namespace surelist {
namespace {

constexpr std::uint64_t kStateVersion = 3;

// Calls visit with every counter that is a whole number.
template <class Visit>
void for_each_count(Counters& counters, Visit&& visit) {
  visit(counters.expanded);
  visit(counters.evaluated);
  visit(counters.lower_bound_evaluations);
  visit(counters.queue_insertions);
  visit(counters.max_queue);
  visit(counters.last_rule_looks);
  visit(counters.at_once);
  visit(counters.dived);
  visit(counters.improvements);
  visit(counters.work);
  visit(counters.garbage_collected);
  visit(counters.longest_prefix);
  visit(counters.max_memory);
  for (std::uint64_t& pruned : counters.pruned) visit(pruned);
  visit(counters.pruned_by_symmetry);
}

void put_counters(std::string& bytes, Counters counters) {
  leb128::put(bytes, kBounds);
  for_each_count(counters, [&](auto value) { leb128::put(bytes, value); });
  leb128::put(bytes, std::bit_cast<std::uint64_t>(counters.time));
  leb128::put(bytes, std::bit_cast<std::uint64_t>(counters.time_to_optimum));
}

Counters get_counters(leb128::Reader& reader) {
  if (reader.get() != kBounds) throw InputError("the state of a search knows other bounds");
  Counters counters;
  for_each_count(counters, [&](auto& value) {
    value = static_cast<std::remove_reference_t<decltype(value)>>(reader.get());
  });
  counters.time = std::bit_cast<double>(reader.get());
  counters.time_to_optimum = std::bit_cast<double>(reader.get());
  return counters;
}

// A part that takes room, with its length in front.
void put_part(std::string& bytes, const std::string& part) {
  leb128::put(bytes, part.size());
  bytes += part;
}

}  // namespace

std::string Search::save() const { return write_state(StateKind::kSnapshot); }

// Without the map's entries of open prefixes: those claim their keys when the loan is settled.
std::string Search::report() const { return write_state(StateKind::kReport); }

std::string Search::write_state(StateKind kind) const {
  const Lock locked(mutex_);
  check_at_rest_locked();
  std::string bytes;
  leb128::put(bytes, kStateVersion);
  put_counters(bytes, counters_);
  leb128::put(bytes, beam_done_ ? 1 : 0);
  leb128::put(bytes, static_cast<std::uint64_t>(proven_.value));
  leb128::put(bytes, static_cast<std::uint64_t>(proven_.value >> 64));
  leb128::put(bytes, best_prefix_.size());
  for (const Antecedent s : best_prefix_) leb128::put(bytes, s);
  leb128::put(bytes, proven_length_);
  for (const Turns::Kind turn : Turns::kKinds) leb128::put(bytes, turns_.work(turn));
  leb128::put(bytes, n_taken_of_tree_);
  put_open_prefixes_locked(kind, bytes);
  put_part(bytes, stage_ ? stage_->save() : std::string());
  return bytes;
}

// The open prefixes, their keys and the map. A report has the keys of the open prefixes apart from
// the map's, because the lender claims them one by one.
void Search::put_open_prefixes_locked(StateKind kind, std::string& bytes) const {
  OpenPrefixWriter writer;
  std::vector<bool> open_entries;
  std::string keys;
  OpenPrefix open;
  tree_.for_each_open_path(
      [&](const PrefixRecord& record, const Prefix& antecedents, const std::vector<Label>& labels) {
        open = {antecedents, labels, record.prefix_loss, record.bound_loss};
        writer.add(open);
        if (kind == StateKind::kSnapshot) return;
        keys.push_back(record.map_entry == kNoEntry ? 0 : 1);
        if (record.map_entry == kNoEntry) return;
        map_.append_key(record.map_entry, keys);
        if (open_entries.size() <= record.map_entry) {
          open_entries.resize(record.map_entry + 1, false);
        }
        open_entries[record.map_entry] = true;
      });
  std::string known;
  map_.save(open_entries, known);
  put_part(bytes, writer.bytes());
  put_part(bytes, keys);
  put_part(bytes, known);
}

Search::SavedState Search::read_state(std::string_view state) const {
  leb128::Reader reader(state);
  const std::uint64_t version = reader.get();
  if (version != kStateVersion) {
    throw InputError("the state of a search has version " + std::to_string(version) +
                     "; this engine reads version " + std::to_string(kStateVersion));
  }
  SavedState reported;
  reported.counters = get_counters(reader);
  reported.beam_done = reader.get() != 0;
  const std::uint64_t low = reader.get();
  reported.proven.value = static_cast<Wide>(reader.get_below(std::uint64_t{1} << 63)) << 64 | low;
  const std::size_t n_antecedents = context_.problem->n_antecedents();
  reported.best.resize(reader.get_below(n_antecedents + 1));
  for (Antecedent& s : reported.best) s = static_cast<Antecedent>(reader.get());
  reported.proven_length = static_cast<Length>(reader.get_below(n_antecedents + 1));
  for (std::uint64_t& work : reported.turns) work = reader.get();
  reported.n_taken = reader.get();
  reported.open = reader.take(reader.get());
  reported.keys = reader.take(reader.get());
  reported.known = reader.take(reader.get());
  reported.stage = reader.take(reader.get());
  if (!reader.done()) throw InputError("the state of a search is longer than it should be");
  return reported;
}

void Search::restore(std::string_view state) {
  const SavedState reported = read_state(state);
  check_allowed(reported.best);
  const Objective best = objective_of(reported.best);
  const Lock locked(mutex_);
  check_at_rest_locked();
  if (counters_.expanded > 0) throw std::logic_error("only a new search can be restored");
  replant_locked(reported.open, PlantOrder::kByPolicy);
  map_.learn(reported.known);
  counters_ = reported.counters;
  beam_done_ = reported.beam_done;
  proven_ = reported.proven;
  proven_length_ = reported.proven_length;
  skip_settled_lengths_locked();
  turns_.restore(reported.turns);
  n_taken_of_tree_ = reported.n_taken;
  // Not counted as an improvement: it was counted when it was found.
  if (best < incumbent_.objective) {
    incumbent_.reset(context_, best);
    best_prefix_ = reported.best;
  }
  if (reported.stage.empty()) return;
  begin_stage_locked();
  stage_->restore(reported.stage);
}

}  // namespace surelist
