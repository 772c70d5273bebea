// What the race checker notes draws from one budget: words and bytes, lists that become short, and what is given back.
#include "races/shadow.h"

#include <doctest/doctest.h>

#include "races/happens_before.h"

namespace transpire::test {
namespace {

using namespace races;

constexpr std::uint64_t kPlenty = 1 << 20;

ScopedTouch touch_of(std::uint32_t item) { return {{item, 5, 0, 0}, 1}; }

TEST_CASE("shadow: what is known of a segment is known of its cells, and of their bytes") {
  Budget budget(kPlenty);
  Shadow shadow(budget);
  Page* const page = shadow.page_of(0x10040, true);
  REQUIRE(page != nullptr);
  Segment& segment = Shadow::segment_of(*page, 0x10040);
  segment.write = {100, 7, 3, 1};  // two cells for each work-item
  segment.reads[0] = {200, 8, 4, 0};
  const Cell* const cell = shadow.cell_of(*page, segment, 0x10040 + 5 * 4);
  CHECK(cell->write.item == 102);
  CHECK(cell->reads[0].item == 205);
  CHECK(cell->reads[1].epoch == 0);
  CHECK(segment.newest == 8);
  // Something accesses less than a word.
  Segment& other = Shadow::segment_of(*page, 0x10080);
  other.write = {50, 9, 3, 0};
  CHECK(shadow.page_of(0x10041, false) == page);
  const auto byte_at = [&](std::uint64_t address) {
    return *shadow.cell_of(*page, Shadow::segment_of(*page, address), address);
  };
  CHECK(byte_at(0x10040 + 5 * 4 + 3).write.item == 102);
  CHECK(byte_at(0x10040 + 6 * 4).write.item == 103);
  CHECK(byte_at(0x10040 + 6 * 4 + 1).reads[0].item == 206);
  CHECK(byte_at(0x10080 + 3).write.item == 50);
  CHECK(byte_at(0x10080 + 13 * 4 + 1).write.item == 63);
  CHECK(byte_at(0x10080 + 64).write.epoch == 0);
}

TEST_CASE("shadow: where memory runs short, lists first shrink to their first and last touch") {
  Budget budget(60'000);
  Shadow shadow(budget);
  Page* const page = shadow.page_of(0x20000, true);
  Cell* const cell = shadow.cell_of(*page, Shadow::segment_of(*page, 0x20000), 0x20000);
  CellLists* const lists = shadow.make_lists(*cell);
  const std::uint64_t before = budget.left();
  for (std::uint32_t item = 0; item < 500; ++item) CHECK(shadow.keep(lists->reads, touch_of(item)));
  CHECK(lists->reads.size() == 500);
  std::uint64_t address = 0x30000;
  while (lists->reads.size() == 500 && shadow.page_of(address, true) != nullptr) address += 1024;
  CHECK(lists->reads.size() == 2);
  CHECK(lists->reads.front().item == 0);
  CHECK(lists->reads.back().item == 499);
  while (shadow.page_of(address, true) != nullptr) address += 1024;
  CHECK(budget.left() < 1200);
  CHECK(shadow.page_of(0x20000, true) == page);
  shadow.drop_lists(*cell);
  CHECK(shadow.lists(*cell) == nullptr);
  CHECK(before > budget.left());
}

TEST_CASE("shadow: a budget counts lists that come and go") {
  Budget budget(kPlenty);
  Shadow shadow(budget);
  Page* const page = shadow.page_of(0x20000, true);
  Segment& segment = Shadow::segment_of(*page, 0x20000);
  Cell* cell = shadow.cell_of(*page, segment, 0x20000);
  shadow.make_lists(*cell);
  const std::uint64_t before = budget.left();
  for (int round = 0; round < 3; ++round) {
    CellLists* const lists = shadow.make_lists(*cell);
    for (std::uint32_t item = 0; item < 100; ++item) shadow.keep(lists->reads, touch_of(item));
    CHECK(budget.left() < before);
    shadow.drop_cells(segment);
    CHECK(budget.left() == before);
    cell = shadow.cell_of(*page, segment, 0x20000);
    CHECK(budget.left() == before);  // the segment's cells were kept for others
  }
}

TEST_CASE("shadow: releases are counted, and those of a group alone are given back") {
  Budget budget(200'000);
  HappensBefore order(64, &budget);
  order.group_begins(0);
  order.use_item_clocks();
  HappensBefore::Atomic atomic{0x1000, Memory::kGlobal,          true,
                               true,   Semantics::decode(0x208), {1, 0}};
  order.atomic(0, atomic);
  const std::uint64_t before = budget.left();
  const Stamp stamp = order.now(1);
  order.atomic(1, atomic);
  CHECK(budget.left() < before);
  order.atomic(2, atomic);
  CHECK(order.ordered(stamp, 2, Memory::kGlobal));
  for (std::uint32_t i = 0; i < 10'000; ++i) order.atomic(i % 64, atomic);
  CHECK_FALSE(order.gave_up());  // the room for one object's is bounded
  const std::uint64_t of_global = budget.left();
  atomic.memory = Memory::kLocal;
  atomic.where = {2, 0};
  for (std::uint32_t i = 0; i < 1000; ++i) order.atomic(i % 64, atomic);
  const std::uint64_t of_both = budget.left();
  CHECK(of_both + 20'000 < of_global);
  order.group_begins(1);
  CHECK(budget.left() >
        of_global - (of_global - of_both) / 3);  // the last ones may be kept a while
  atomic.memory = Memory::kGlobal;
  atomic.where = {1, 0};
  for (std::uint32_t i = 0; !order.gave_up() && i < 10'000; ++i, atomic.address += 4)
    order.atomic(i % 64, atomic);
  CHECK(order.gave_up());
}

}  // namespace
}  // namespace transpire::test
