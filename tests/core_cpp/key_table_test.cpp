// The key table: exact keys whatever their hashes, prices and prefixes by key, memory as announced;
// and, with one thread that writes and others that read, no price that was never there.
#include "store/key_table.hpp"

#include <atomic>
#include <map>
#include <random>
#include <thread>

#include "base/bits.hpp"
#include "check.hpp"

using surelist::KeyTable;
using surelist::kNoEntry;
using surelist::kNoPrefix;
using surelist::PrefixPrice;
using surelist::Word;

namespace {

using Key = std::vector<Word>;

bool equal(PrefixPrice a, PrefixPrice b) {
  return a.prefix_loss == b.prefix_loss && a.length == b.length;
}

// Hashes of a few bits, so that most keys collide with others.
std::uint32_t hash_of(const Key& key, std::uint32_t mask) {
  return static_cast<std::uint32_t>(surelist::bits::hash(key.data(), key.size())) & mask;
}

void agrees_with_map(std::size_t key_words, std::uint32_t mask) {
  std::mt19937_64 random(key_words);
  KeyTable table(key_words);
  std::map<Key, std::uint32_t> entries;
  std::map<Key, PrefixPrice> prices;
  for (int i = 0; i < 3000; ++i) {
    Key key(key_words);
    for (Word& word : key) word = random() % 5;
    const std::uint32_t hash = hash_of(key, mask);
    const PrefixPrice price{static_cast<surelist::Weight>(random() % 1000),
                            static_cast<surelist::Length>(random() % 7)};
    const std::uint32_t found = table.find(key.data(), hash);
    CHECK((found == kNoEntry) == !entries.contains(key));
    if (found == kNoEntry) {
      const std::size_t announced = table.nbytes() + table.growth(1);
      entries[key] = table.insert(key.data(), hash, price);
      CHECK(table.nbytes() == announced);
      CHECK(table.prefix(entries[key]) == kNoPrefix);
    } else {
      CHECK(found == entries[key]);
      table.set_price(found, price);
    }
    prices[key] = price;
    table.set_prefix(entries[key], static_cast<surelist::PrefixId>(i));
    CHECK(table.prefix(entries[key]) == static_cast<surelist::PrefixId>(i));
  }
  CHECK(table.size() == entries.size());
  for (const auto& [key, e] : entries) {
    CHECK(table.find(key.data(), hash_of(key, mask)) == e);
    CHECK(equal(table.price(e), prices[key]));
    CHECK(table.read_price(e) && equal(*table.read_price(e), prices[key]));
    CHECK(surelist::bits::equal(table.key(e), key.data(), key_words));
  }
}

// Of any number of keys at once, also where arrays double several times on the way.
void memory_grows_as_announced() {
  for (std::size_t n = 0; n < 5000; n = 2 * n + 1) {
    KeyTable table(3);
    Word next = 0;
    for (const std::size_t batch : {n, std::size_t{1}, n + 7, std::size_t{64}, 3 * n}) {
      const std::size_t announced = table.nbytes() + table.growth(batch);
      for (std::size_t i = 0; i < batch; ++i) {
        const Key key{next++, 0, n};
        table.insert(key.data(), hash_of(key, ~0u), {});
      }
      CHECK(table.nbytes() == announced);
    }
  }
}

void retired_arrays_are_counted() {
  KeyTable table(1);
  for (Word key = 0; key < 1000; ++key) {
    table.insert(&key, static_cast<std::uint32_t>(surelist::bits::hash(&key, 1)), {});
  }
  CHECK(table.has_retired());
  const std::size_t with_retired = table.nbytes();
  const surelist::Retired retired = table.take_retired();
  CHECK(retired.nbytes > 0);
  CHECK(!table.has_retired());
  CHECK(table.nbytes() + retired.nbytes == with_retired);
}

}  // namespace

void test_key_table() {
  agrees_with_map(1, ~0u);
  agrees_with_map(5, ~0u);
  agrees_with_map(3, 7u);
  memory_grows_as_announced();
  retired_arrays_are_counted();
}

// The writer keeps loss and length of each price equal; a reader that sees two different numbers
// has seen half of one price and half of another. Retired arrays are kept until all threads have
// ended.
void test_key_table_read_while_written() {
  constexpr Word kKeys = 2000;
  KeyTable table(1);
  std::atomic<bool> done{false};
  std::atomic<bool> torn{false};
  std::atomic<std::uint64_t> n_seen{0};
  const auto hash = [](Word key) {
    return static_cast<std::uint32_t>(surelist::bits::hash(&key, 1));
  };
  std::vector<std::thread> readers;
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    readers.emplace_back([&, seed] {
      std::mt19937_64 random(seed);
      while (!done) {
        const Word key = random() % kKeys;
        const std::uint32_t e = table.find(&key, hash(key));
        if (e == kNoEntry) continue;
        const std::optional<PrefixPrice> price = table.read_price(e);
        if (!price) continue;
        n_seen.fetch_add(1, std::memory_order_relaxed);
        if (price->prefix_loss != static_cast<surelist::Weight>(price->length)) torn = true;
      }
    });
  }
  std::vector<surelist::Retired> kept;
  std::mt19937_64 random(9);
  for (int i = 0; i < 200'000 || n_seen == 0; ++i) {
    const Word key = random() % kKeys;
    const auto number = static_cast<surelist::Length>(random() % 1'000'000);
    const std::uint32_t e = table.find(&key, hash(key));
    const PrefixPrice price{static_cast<surelist::Weight>(number), number};
    e == kNoEntry ? static_cast<void>(table.insert(&key, hash(key), price))
                  : table.set_price(e, price);
    if (table.has_retired()) kept.push_back(table.take_retired());
  }
  done = true;
  for (std::thread& reader : readers) reader.join();
  CHECK(!torn);
  CHECK(n_seen > 0);
}
