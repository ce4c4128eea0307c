// Runs the tests of the core's containers, by themselves: `core_tests`, or `core_tests NAME`.
// Prints the name of each; exits with 1 if something does not hold, with 2 if there is no such
// test.
#include <array>
#include <string_view>

#include "check.hpp"

void test_chunked();
void test_key_table();
void test_key_table_read_while_written();
void test_leb128();
void test_queue();
void test_queue_keys();
void test_rule_pool();

namespace {

struct Test {
  std::string_view name;
  void (*run)();
};

constexpr std::array<Test, 7> kTests{
    {{"chunked", test_chunked},
     {"key_table", test_key_table},
     {"key_table_read_while_written", test_key_table_read_while_written},
     {"leb128", test_leb128},
     {"queue", test_queue},
     {"queue_keys", test_queue_keys},
     {"rule_pool", test_rule_pool}}};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view wanted = argc > 1 ? argv[1] : "";
  bool any = false;
  for (const Test& test : kTests) {
    if (!wanted.empty() && test.name != wanted) continue;
    any = true;
    const int before = check::n_failed;
    test.run();
    std::cout << (check::n_failed == before ? "ok      " : "FAILED  ") << test.name << '\n';
  }
  if (!any) return 2;
  return check::n_failed > 0 ? 1 : 0;
}
