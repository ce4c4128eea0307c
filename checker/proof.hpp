#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "problem.hpp"
#include "settler.hpp"

namespace surelist_checker {

// A proof: the closed prefixes of a certificate's blocks. First all blocks are read, then checked.
class Proof {
 public:
  virtual ~Proof() = default;

  // Take an unpacked block; std::invalid_argument says what is wrong with it.
  virtual void read(const std::uint8_t* bytes, std::size_t size) = 0;

  // Rules (S), (R) and (C). At intervals `watch` is called with the number of states that are done;
  // if it returns false, nothing is decided, and `stopped` is true.
  struct Outcome {
    std::optional<Failure> failure;
    bool stopped = false;
  };
  using Watch = std::function<bool(std::size_t)>;
  virtual Outcome check(std::size_t n_threads, const Watch& watch) = 0;

  virtual std::size_t n_closed() const = 0;  // prefixes that were read
  virtual std::size_t n_states() const = 0;  // different ones
  virtual std::vector<std::uint32_t> path(std::uint32_t node) const = 0;
};

// `counting` is "rows", "digits", or "" for whichever takes less time.
std::unique_ptr<Proof> make_proof(Problem problem, const char* counting);

}  // namespace surelist_checker
