// Random problems from seeds, searched in random ways, against brute force.
//
//   surelist_fuzz --problems N --seed S        problems S, S+1, …, S+N−1
//   surelist_fuzz --threads T …                each problem searched in T threads at once
//   surelist_fuzz --replay FILE                a failure again
//   surelist_fuzz --self-test                  the fuzzer itself: oracle, shrinking, files
//
// A failing problem is shrunk as long as it still fails, and written to fuzz-failure-SEED.txt. Exit
// code: 0 without failures, 1 with one, 2 for wrong usage.
#include <fstream>
#include <iostream>
#include <mutex>

#include "check.hpp"
#include "shrink.hpp"

namespace fuzz {
namespace {

struct Arguments {
  std::uint64_t problems = 1000;
  std::uint64_t seed = 0;
  std::uint64_t threads = 1;
  std::string replay;
  bool self_test = false;
};

std::string check(const Case& made) {
  try {
    return check_search(made, problem_of(made), optimum_of(made));
  } catch (const std::exception& error) {
    return std::string("exception: ") + error.what();
  }
}

// With stops and threads the timing differs from run to run, so the case is run several times.
bool fails(const Case& made) {
  if (brute::total_weight(made.data) == 0) return false;
  const std::size_t chances =
      made.stop == Stop::kInterrupt || made.stop == Stop::kTime ? 20 : made.n_jobs;
  for (std::size_t i = 0; i < chances; ++i) {
    if (!check(made).empty()) return true;
  }
  return false;
}

void report(std::uint64_t seed, const Case& failing, const std::string& wrong) {
  const Case shrunk = fails(failing) ? Shrinker(failing, fails).run() : failing;
  const std::string now = check(shrunk);
  const std::string path = "fuzz-failure-" + std::to_string(seed) + ".txt";
  std::ofstream out(path);
  out << "# " << wrong << " (seed " << seed << ")\n";
  if (now.empty()) {
    out << "# It did not fail again: a matter of timing.\n";
  } else if (now != wrong) {
    out << "# After shrinking: " << now << '\n';
  }
  write(out, shrunk);
  std::cerr << "FAILED: seed " << seed << ": " << wrong << "; written to " << path << '\n';
}

bool passes(std::uint64_t seed) {
  const Case made = make_case(seed);
  if (const std::string wrong = check(made); !wrong.empty()) {
    report(seed, made, wrong);
    return false;
  }
  if (made.data.n_antecedents > 6 || seed % 4 != 0) return true;
  const std::string wrong = check_mining(made, seed);
  if (!wrong.empty()) std::cerr << "FAILED: seed " << seed << ": " << wrong << '\n';
  return wrong.empty();
}

// Searches in parallel: first all on one shared problem, then each on its own.
bool passes_in_threads(std::uint64_t seed, std::uint64_t n_threads) {
  const Case shared = make_case(seed);
  const SharedProblem problem = problem_of(shared);
  std::mutex mutex;
  bool good = true;
  const auto work = [&](std::uint64_t t) {
    Random random(seed * n_threads + t);
    Case variant;
    variant.data = shared.data;
    variant.copies = shared.copies;
    variant.regularization = shared.regularization;
    variant.penalty = shared.penalty;
    make_options(variant, random);
    const Case own = make_case(random.next());
    for (const Case* made : std::array<const Case*, 2>{&variant, &own}) {
      const SharedProblem used = made == &variant ? problem : problem_of(own);
      const std::string wrong = check_search(*made, used, optimum_of(*made));
      if (wrong.empty()) continue;
      const std::lock_guard lock(mutex);
      good = false;
      report(seed, *made, wrong);
    }
  };
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < n_threads; ++t) threads.emplace_back(work, t);
  for (std::thread& thread : threads) thread.join();
  return good;
}

int run_problems(const Arguments& arguments) {
  const auto started = std::chrono::steady_clock::now();
  auto last = started;
  for (std::uint64_t i = 0; i < arguments.problems; ++i) {
    const std::uint64_t seed = arguments.seed + i;
    const bool good =
        arguments.threads > 1 ? passes_in_threads(seed, arguments.threads) : passes(seed);
    if (!good) return 1;
    const auto now = std::chrono::steady_clock::now();
    if (now - last > std::chrono::seconds(10)) {
      last = now;
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - started).count();
      std::cerr << i + 1 << " of " << arguments.problems << " problems, " << seconds << " s\n";
    }
  }
  std::cout << arguments.problems << " problems from seed " << arguments.seed << ": no failure\n";
  return 0;
}

int replay(const std::string& path) {
  std::ifstream in(path);
  if (!in) {
    std::cerr << "cannot open " << path << '\n';
    return 2;
  }
  const Case made = read(in);
  for (int i = 0; i < 20; ++i) {
    if (const std::string wrong = check(made); !wrong.empty()) {
      std::cout << "FAILED: " << wrong << '\n';
      return 1;
    }
  }
  std::cout << "no failure\n";
  return 0;
}

bool expect(bool holds, const char* what) {
  std::cout << (holds ? "ok      " : "FAILED  ") << what << '\n';
  return holds;
}

// A check that is wrong for every problem of at least three rows must fail, and shrink to three
// rows without antecedents.
bool shrinks() {
  const Fails wrong_by_one = [](const Case& made) {
    if (made.data.rows.size() < 3 || brute::total_weight(made.data) == 0) return false;
    return !check_search(made, problem_of(made), optimum_of(made) + 1).empty();
  };
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Case made = make_case(seed);
    // A search that is stopped early may rightly not notice.
    if (made.data.rows.size() < 3 || made.stop != Stop::kNone) continue;
    if (!wrong_by_one(made)) return false;
    const Case shrunk = Shrinker(made, wrong_by_one).run();
    const bool tiny = shrunk.data.rows.size() == 3 && shrunk.data.n_antecedents == 0 &&
                      shrunk.data.n_classes == 2 && shrunk.bounds == 0 &&
                      shrunk.regularization == "0" && shrunk.stop == Stop::kNone;
    if (!tiny) return false;
    for (const brute::Row& row : shrunk.data.rows) {
      if (row.weight > 1 || row.label != 0) return false;
    }
  }
  return true;
}

int self_test() {
  bool brute_force_agrees = true;
  bool files_read_back = true;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Case made = make_case(seed);
    if (made.data.n_antecedents <= 5) {
      const std::size_t longest = made.max_length.value_or(5);
      brute_force_agrees &= brute::optimum(made.data, made.penalty, longest) ==
                            brute::optimum_by_enumeration(made.data, made.penalty, longest);
    }
    std::stringstream file;
    write(file, made);
    files_read_back &= read(file) == made;
  }
  bool good = expect(brute_force_agrees, "both brute forces give the same optimum");
  good &= expect(files_read_back, "a written case reads back as it was");
  good &= expect(shrinks(), "a wrong expectation is noticed and shrinks to three empty rows");
  return good ? 0 : 1;
}

int usage() {
  std::cerr << "usage: surelist_fuzz [--problems N] [--seed S] [--threads T]\n"
               "       surelist_fuzz --replay FILE\n"
               "       surelist_fuzz --self-test\n";
  return 2;
}

bool parse(const std::vector<std::string>& words, Arguments& into) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--self-test") {
      into.self_test = true;
      continue;
    }
    if (i + 1 == words.size()) return false;
    const std::string& value = words[++i];
    if (words[i - 1] == "--replay") {
      into.replay = value;
      continue;
    }
    std::uint64_t* number = words[i - 1] == "--problems"  ? &into.problems
                            : words[i - 1] == "--seed"    ? &into.seed
                            : words[i - 1] == "--threads" ? &into.threads
                                                          : nullptr;
    if (number == nullptr || value.empty()) return false;
    if (value.find_first_not_of("0123456789") != std::string::npos) return false;
    *number = std::stoull(value);
  }
  return true;
}

}  // namespace
}  // namespace fuzz

int main(int argc, char** argv) {
  fuzz::Arguments arguments;
  if (!fuzz::parse({argv + 1, argv + argc}, arguments)) return fuzz::usage();
  if (arguments.self_test) return fuzz::self_test();
  if (!arguments.replay.empty()) return fuzz::replay(arguments.replay);
  return fuzz::run_problems(arguments);
}
