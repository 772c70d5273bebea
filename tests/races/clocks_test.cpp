// Vector clocks against maps, and what they take.
#include "races/clocks.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace transpire::test {
namespace {

using namespace races;
using Model = std::map<std::uint64_t, std::uint32_t>;

void raise(Model& model, std::uint64_t key, std::uint32_t value) {
  std::uint32_t& known = model[key];
  known = std::max(known, value);
}

/// Whether both say the same of the keys that the model has, and of their neighbours.
bool agree(const Clocks& clocks, const Model& model) {
  const auto wanted = [&](std::uint64_t key) {
    const auto found = model.find(key);
    return found == model.end() ? 0 : found->second;
  };
  for (const auto& [key, value] : model)
    for (const std::uint64_t near : {key, key + 1, key - 1, key ^ 0x10, key ^ 0x1000, key << 4})
      if (clocks.at(near) != wanted(near)) return false;
  return true;
}

TEST_CASE("clocks: what is raised and joined in any order is as in a map, of keys of any size") {
  std::mt19937_64 random(1);
  Budget budget(1 << 26);
  {
    ClockStore store(&budget);
    std::vector<Clocks> clocks(12);
    std::vector<Model> models(clocks.size());
    for (int step = 0; step < 20'000; ++step) {
      const std::size_t to = random() % clocks.size(), from = random() % clocks.size();
      const std::uint64_t key = random() >> random() % 64;
      const auto value = static_cast<std::uint32_t>(1 + random() % 5);
      switch (random() % 16) {
        case 0:
          clocks[to] = clocks[from];
          models[to] = models[from];
          break;
        case 1:
          clocks[to] = {};
          models[to].clear();
          break;
        case 2:
        case 3:
          clocks[to].join(store, clocks[from]);
          for (const auto& [each, most] : models[from]) raise(models[to], each, most);
          break;
        default:
          clocks[to].raise(store, key, value);
          raise(models[to], key, value);
      }
      CHECK(clocks[to].empty() == models[to].empty());
      if (step % 50 == 0) CHECK(agree(clocks[to], models[to]));
    }
    for (std::size_t i = 0; i < clocks.size(); ++i) CHECK(agree(clocks[i], models[i]));
    CHECK(budget.left() < 1 << 26);
    CHECK_FALSE(store.ran_out());
  }
  CHECK(budget.left() == 1 << 26);
}

TEST_CASE("clocks: those with the same numbers have one id, however they came by them") {
  ClockStore store(nullptr);
  Clocks a, b;
  CHECK(a.id() == 0);
  for (std::uint64_t key = 0; key < 1000; ++key) a.raise(store, key, 2);
  for (std::uint64_t key = 1000; key-- > 0;) {
    CHECK(a.id() != b.id());
    b.raise(store, key, 2);
  }
  const std::uint64_t id = a.id();
  CHECK(b.id() == id);
  b.raise(store, 7, 2);  // no more than it is
  b.join(store, {});
  CHECK(b.id() == id);
  Clocks less;
  less.raise(store, 500, 1);
  for (int again = 0; again < 2; ++again) {
    Clocks joined = less;
    joined.join(store, b);
    CHECK(joined.id() == id);
    joined.join(store, less);
    CHECK(joined.id() == id);
  }
  b.raise(store, 7, 3);
  CHECK(b.id() != id);
  CHECK(a.at(7) == 2);
  CHECK(a.id() == id);
  a.raise(store, 7, 3);
  CHECK(a.id() == b.id());
}

TEST_CASE("clocks: a low tree that is a part of a higher one has its own keys alone") {
  ClockStore store(nullptr);
  Clocks low, high;
  low.raise(store, 5, 4);
  high.raise(store, 0x123456, 1);
  high.join(store, low);
  for (const std::uint64_t key : {0x15u, 0x105u, 0x1005u, 0x10005u, 0x100005u, 0x120005u})
    CHECK(high.at(key) == 0);
  CHECK(high.at(5) == 4);
  CHECK(high.at(0x123456) == 1);
  low.join(store, high);
  CHECK(low.id() == high.id());
}

TEST_CASE("clocks: what differs in little takes little, and room that there is not is told of") {
  Budget budget(1 << 20);
  {
    ClockStore store(&budget);
    Clocks first;
    for (std::uint32_t key = 0; key < 10'000; ++key) first.raise(store, key, 1 + key);
    const std::uint64_t full = (1 << 20) - budget.left();
    std::vector<Clocks> copies(50, first);
    for (std::size_t i = 0; i < copies.size(); ++i) copies[i].raise(store, 100 * i, 20'000);
    const std::uint64_t beside = (1 << 20) - budget.left() - full;
    CHECK(full > 10'000 * sizeof(std::uint32_t));
    CHECK(beside < full);
    CHECK_FALSE(store.ran_out());
    Clocks more;
    for (std::uint32_t key = 0; key < 1'000'000; key += 10) more.raise(store, key, 1 + key);
    CHECK(store.ran_out());
  }
  CHECK(budget.left() == 1 << 20);
}

}  // namespace
}  // namespace transpire::test
