// The value of a set of groups: the least relaxed objective of any completion of prefixes that
// leave exactly this set, beyond what no label avoids in it. It depends on the set alone, not on
// who selected whom before. So what was proven once excludes every prefix that leaves the set at a
// relaxed cost that is high enough, however unfair or fair it is so far.
//
// Values are those of a problem without constraints, where each rule takes its cheaper label and a
// rule that is not worth its λ may be left out. Proofs go depth first through sets: either no
// completion is below a number, or one is.
#pragma once

#include <memory>

#include "fair/bound.hpp"

namespace surelist::fair {

class Values {
 public:
  enum class Answer : std::uint8_t { kYes, kNo, kUnknown };

  Values(const FairProblem& problem, const Relaxation& relaxation, const Gains::Index& index,
         const RelaxedScale& scale);

  // Whether every completion by up to `rules` rules has at least the relaxed objective `need`, its
  // rules included. kUnknown: the work ran out; what was proven meanwhile is kept.
  Answer reaches(const std::vector<Word>& left, const Prefix& path, Length rules, Wide need,
                 std::uint64_t most_work);

  std::uint64_t work() const { return work_; }
  std::size_t nbytes() const;

  // What a certificate says of a set: a prefix that leaves it, up to how many rules, and the value.
  struct Claim {
    Prefix path;
    Length rules;  // kAnyNumber: any
    Wide least;
  };
  std::vector<Claim> claims() const;

 private:
  using Set = std::uint32_t;
  struct Proven {
    Set set;
    Length rules;
    Wide least;
  };
  static constexpr Set kNone = std::numeric_limits<Set>::max();

  struct Entry {
    Set next = kNone;      // with the same hash
    bool proven = false;   // least is known, for up to `rules` rules
    bool limited = false;  // most is known, by a completion of `most_rules` rules
    Length rules = 0;
    Length most_rules = 0;
    Wide least = 0;
    Wide most = 0;
    std::size_t path = 0;  // position in paths_
  };
  struct Child {
    Weight slack;  // what is left of it, at most
    Weight cost;
    Antecedent antecedent;
  };
  struct Scratch {
    Gains gains;
    Slack slack;
    std::vector<Child> children;
    std::vector<Word> left;  // by a child
    Prefix path;
  };
  // A set to look at; where it is what a child leaves, that child.
  struct Place {
    const Word* left;
    const Prefix& path;
    Antecedent captured = kNoAntecedent;
    const Word* left_before = nullptr;
  };

  Set find(const Word* left, const Prefix& path);
  Answer search(const Place& place, Length rules, Wide need, std::size_t depth);
  void count(const Place& place, std::size_t depth);
  void collect(Scratch& scratch) const;
  Answer try_children(Set set, const Place& place, Length rules, Wide need, std::size_t depth);
  Answer prove(Set set, Length rules, Wide least);
  Label label_of(const Costs& captured) const;
  void grow();

  const FairProblem& problem_;
  const Relaxation& relaxation_;
  const Gains::Index& index_;
  RelaxedScale scale_;
  std::vector<Entry> entries_;
  std::vector<Word> sets_;
  std::vector<Antecedent> paths_;  // each ended by kNoAntecedent
  std::vector<Proven> log_;        // what does not follow from counts of the set alone
  std::vector<Set> heads_;
  std::vector<std::unique_ptr<Scratch>> scratch_;
  std::uint64_t work_ = 0;
  std::uint64_t stop_at_ = 0;
};

}  // namespace surelist::fair
