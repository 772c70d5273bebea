// By which parameters work-items accessed which bytes.
#include "vm/exec/item_notes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

namespace transpire::test {
namespace {

using vm::exec::ItemNotes;
using vm::exec::NoteBudget;

constexpr ItemNotes::Way kReadsA{1, true, false}, kWritesA{1, true, true}, kReadsB{2, false, false},
    kWritesB{2, false, true}, kReadsC{3, false, false}, kWritesC{3, false, true};

struct ItemMemory {
  alignas(64) std::array<std::byte, 1024> bytes{};
  const std::byte* at(std::size_t offset) const { return bytes.data() + offset; }
};

/// Whether accesses to one byte, one after the other, meet.
bool meet(std::vector<ItemNotes::Way> ways) {
  const ItemMemory memory;
  ItemNotes notes(std::make_shared<NoteBudget>(1 << 20));
  bool meets = false;
  for (const ItemNotes::Way& way : ways) meets = notes.meets(0, memory.at(7), 1, way) || meets;
  return meets;
}

}  // namespace

TEST_CASE("item notes: what meets does so in every order") {
  const auto less = [](const ItemNotes::Way& a, const ItemNotes::Way& b) {
    return a.parameter < b.parameter;
  };
  // `meets`: two parameters, a promise, and a store.
  const auto check = [&](std::vector<ItemNotes::Way> ways, bool meets) {
    std::sort(ways.begin(), ways.end(), less);
    do {
      CHECK(meet(ways) == meets);
    } while (std::next_permutation(ways.begin(), ways.end(), less));
  };
  check({kReadsA, kWritesB}, true);
  check({kWritesA, kReadsB}, true);
  check({kReadsA, kReadsB, kWritesC}, true);
  check({kReadsA, kReadsB, kReadsC}, false);
  check({kReadsB, kWritesC}, false);
  check({kWritesA}, false);
}

TEST_CASE("item notes: bytes and work-items by themselves") {
  const ItemMemory memory;
  ItemNotes notes(std::make_shared<NoteBudget>(1 << 20));
  CHECK_FALSE(notes.meets(3, memory.at(60), 100, kReadsA));
  CHECK_FALSE(notes.meets(3, memory.at(59), 1, kWritesB));
  CHECK_FALSE(notes.meets(3, memory.at(160), 64, kWritesB));
  CHECK_FALSE(notes.meets(2, memory.at(60), 100, kWritesB));
  CHECK(notes.meets(3, memory.at(159), 1, kWritesB));
  CHECK(notes.meets(3, memory.at(0), 61, kWritesB));
  CHECK_FALSE(notes.meets(3, memory.at(300), 0, kWritesB));
  notes.clear();
  CHECK_FALSE(notes.meets(3, memory.at(60), 100, kWritesB));
  CHECK(notes.meets(3, memory.at(100), 1, kReadsA));
}

TEST_CASE("item notes: the budget") {
  const std::vector<std::byte> memory(1 << 20);
  const auto budget = std::make_shared<NoteBudget>(std::uint64_t{40} << 10);
  {
    ItemNotes notes(budget);
    CHECK_FALSE(notes.meets(0, memory.data(), 4096, kReadsA));
    CHECK_FALSE(budget->gave_up());
    CHECK_FALSE(notes.meets(0, memory.data() + 4096, memory.size() - 4096, kReadsA));
    CHECK(budget->gave_up());
    // What was noted is, and what was not is not told of.
    CHECK(notes.meets(0, memory.data() + 4095, 1, kWritesB));
    CHECK_FALSE(notes.meets(0, memory.data() + memory.size() - 1, 1, kWritesB));
  }
  CHECK(budget->draw(std::uint64_t{40} << 10));
  CHECK_FALSE(budget->draw(1));
}

TEST_CASE("item notes: many") {
  const std::vector<std::byte> memory(1 << 20);
  ItemNotes notes(std::make_shared<NoteBudget>(std::uint64_t{1} << 30));
  for (std::uint32_t lane = 0; lane < 8; ++lane)
    CHECK_FALSE(notes.meets(lane, memory.data() + lane, memory.size() / 2, kReadsA));
  for (std::uint32_t lane = 0; lane < 8; ++lane) {
    CHECK_FALSE(notes.meets(lane, memory.data() + lane + memory.size() / 2, 1, kWritesB));
    CHECK(notes.meets(lane, memory.data() + lane + memory.size() / 2 - 1, 1, kWritesB));
    if (lane != 0) CHECK_FALSE(notes.meets(lane, memory.data(), 1, kWritesB));
  }
}

}  // namespace transpire::test
