// Slots of an address space, tags of pointers, and who may reach what.
#include "memory/address_space.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <fstream>
#include <utility>

#include "memory/translate.h"
#include "tests/sanitized.h"

namespace transpire::test {
namespace {

using namespace memory;

Allocation of_bytes(std::uint64_t size_bytes, Region region = Region::kBuffer) {
  Allocation allocation;
  allocation.size_bytes = size_bytes;
  allocation.region = region;
  return allocation;
}

std::uint64_t slot_of(const AddressSpace& space, std::uint64_t address) {
  const AddressMap map = space.map();
  return (address >> map.slot_shift) - map.first_slot;
}

TEST_CASE("ranges stand in their slots, with a free one between them") {
  AddressSpace space(8);
  const std::uint64_t far = *space.add_at(10, of_bytes(16), "far");
  CHECK(slot_of(space, far) == 10);
  std::vector<std::uint64_t> slots;
  for (int i = 0; i < 6; ++i)
    slots.push_back(slot_of(space, *space.add_in_gap(2, of_bytes(16), "near")));
  CHECK(slots == std::vector<std::uint64_t>{2, 4, 6, 8, 12, 14});
  CHECK(space.nearest(far)->begin == far);
}

TEST_CASE("a range that does not fit is refused") {
  AddressSpace wide(8), narrow(4);
  CHECK_FALSE(wide.add_at(0, of_bytes(~std::uint64_t{0}), "all").ok());
  CHECK_FALSE(wide.add_at(wide.slot_limit(), of_bytes(1), "behind").ok());
  CHECK_FALSE(wide.add_at(~std::uint64_t{0}, of_bytes(1), "behind").ok());
  CHECK_FALSE(narrow.add_at(narrow.slot_limit() - 1, of_bytes(1), "no gap behind").ok());
  CHECK(narrow.add_at(narrow.slot_limit() - 2, of_bytes(1), "last").ok());
  CHECK(wide.slots_of(~std::uint64_t{0}) > wide.slot_limit());
}

TEST_CASE("tags are there as long as all addresses lie below them") {
  AddressSpace space(8);
  REQUIRE(space.add_at(space.tagged_slots() - 2, of_bytes(1), "last").ok());
  CHECK(space.map().has_tags);
  REQUIRE(space.add(of_bytes(1), "above").ok());
  CHECK_FALSE(space.map().has_tags);
  CHECK_FALSE(AddressSpace(4).map().has_tags);
}

TEST_CASE("slots that are cut keep their addresses, and have room for many ranges") {
  AddressSpace space(8);
  const std::uint64_t far = *space.add_at(1024, of_bytes(16), "far");
  space.cut_slots(3);
  CHECK(space.cut_bits() == 3);
  CHECK(slot_of(space, far) == 1024 << 3);
  std::vector<std::uint64_t> near;
  for (int i = 0; i < 20000; ++i) near.push_back(*space.add_in_gap(0, of_bytes(16), "near"));
  const AddressMap map = space.map();
  CHECK(map.has_tags);
  CHECK(in_slot(map, far).begin == far);
  for (const std::uint64_t address : near) CHECK(in_slot(map, address).begin == address);
  CHECK(space.free_slots(0, 1024 << 3) == 0);
  CHECK(space.free_slots(0, space.tagged_slots()) < space.tagged_slots() - 2 * near.size());
  space.cut_slots(64);  // as far as they may be
  CHECK(space.spare_bits() == 0);
  CHECK(in_slot(space.map(), near.back()).begin == near.back());
  CHECK(AddressSpace(4).spare_bits() == 0);
  CHECK(AddressSpace(8, 20, std::uint64_t{1} << 25).spare_bits() == 0);
}

TEST_CASE("no range lies where the shadow of another one may be") {
  for (const std::uint32_t bits : {0u, 2u}) {
    AddressSpace space(8);
    space.keep_shadows_apart();
    space.cut_slots(bits);
    std::vector<std::uint64_t> ranges, shadowed;
    for (int i = 0; i < 6200; ++i) ranges.push_back(*space.add_in_gap(0, of_bytes(16), "range"));
    for (const std::uint64_t address : ranges)
      if (space.add_shadow(address, of_bytes(16))) shadowed.push_back(address);
    // Slots of 64 GiB have room for 2,048 with a shadow; cut, all have one.
    CHECK(shadowed.size() == (bits == 0 ? 2048 : 6200));
    const AddressMap map = space.map();
    for (const std::uint64_t address : ranges) CHECK(in_slot(map, address).begin == address);
    for (const std::uint64_t address : shadowed) {
      const Allocation& shadow = in_slot(map, address + shadow_distance(8));
      CHECK(shadow.is_shadow);
      CHECK(shadow.begin == address + shadow_distance(8));
    }
  }
}

TEST_CASE("lives of a variable have tags of their own, far from those of its neighbours") {
  AddressMap map;
  map.first_owner = 123456789;
  for (const std::uint64_t owner : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{99999}})
    for (const std::uint64_t life :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, kTags - 1}) {
      const std::uint64_t tag = map.tag_of(owner, life);
      CHECK(tag >= 1);
      CHECK(tag <= kTags);
      CHECK(map.life_of(tag, owner) == life);
      for (std::uint64_t other = owner + 1; other < owner + 128; ++other)
        CHECK((map.life_of(tag, other) + kTags - life) % kTags > 25);
    }
  CHECK(next_life(0) == 1);
  CHECK(next_life(kTags - 2) == kTags - 1);
  CHECK(next_life(kTags - 1) == 1);
}

/// Of the process.
std::uint64_t resident_bytes() {
  std::uint64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

TEST_CASE("shadows lie far behind, and what is between them takes no memory") {
  const std::uint64_t before = resident_bytes();
  AddressSpace space(8, 20, std::uint64_t{1} << 25);  // as beside shared virtual memory
  const std::uint64_t first = *space.add(of_bytes(16), "first");
  REQUIRE(space.add_shadow(first, of_bytes(16)));
  const std::uint64_t second = *space.add_in_gap(0, of_bytes(std::uint64_t{5} << 20), "second");
  CHECK(slot_of(space, second) == 2);
  REQUIRE(space.add_shadow(second, of_bytes(std::uint64_t{5} << 20)));
  const AddressSpace copy = space;
  AddressSpace moved = space;
  moved = AddressSpace(copy);
  for (const AddressSpace* each : {&std::as_const(space), &copy, &std::as_const(moved)}) {
    const AddressMap map = each->map();
    CHECK(map.slot_count > std::uint64_t{1} << 29);
    CHECK(map.allocation_count == 5);
    CHECK(map.has_tags);
    for (const std::uint64_t address : {first, second + (std::uint64_t{5} << 20) - 1}) {
      const Allocation* const found = allocation_at(map, address);
      const Allocation* const shadow = allocation_at(map, address + shadow_distance(8));
      REQUIRE((found != nullptr && shadow != nullptr));
      CHECK_FALSE(found->is_shadow);
      CHECK(shadow->is_shadow);
      CHECK(shadow->begin - found->begin == shadow_distance(8));
      CHECK(allocation_at(map, address + shadow_distance(8) / 2) == nullptr);
    }
  }
  if (!kSanitized) CHECK(resident_bytes() - before < std::uint64_t{16} << 20);
}

TEST_CASE("a table of slots keeps what stands in it when it grows") {
  SlotTable table;
  REQUIRE(table.grow(10));
  table.fill(2, 3, 7);
  table.fill(4, 1, 9);
  REQUIRE(table.grow(std::uint64_t{1} << 22));
  table.fill((std::uint64_t{1} << 22) - 1, 1, 5);
  const SlotTable copy = table;
  for (const SlotTable* each : {&std::as_const(table), &copy}) {
    CHECK(each->size() == std::uint64_t{1} << 22);
    CHECK(((*each)[1] == 0 && (*each)[2] == 7 && (*each)[3] == 7));
    CHECK(((*each)[4] == 9 && (*each)[5] == 0));
    CHECK((*each)[each->size() - 1] == 5);
  }
  CHECK_FALSE(table.grow(std::uint64_t{1} << 60));
  CHECK(table.size() == std::uint64_t{1} << 22);
}

TEST_CASE("owners near each other, or a power of two apart, have different tags") {
  AddressMap map;
  map.first_owner = 12345;
  for (std::uint64_t apart = 1; apart < std::uint64_t{1} << 40; apart *= 2)
    CHECK(map.tag_of(7) != map.tag_of(7 + apart));
  for (std::uint64_t owner = 0; owner < 3 * kTags; ++owner) {
    const std::uint64_t tag = map.tag_of(owner);
    REQUIRE((tag != 0 && tag >> (64 - kTagShift) == 0));
    REQUIRE(without_tag(tag << kTagShift | 0x1234) == 0x1234);
  }
}

TEST_CASE("an allocation tells by which storage classes it is read and written") {
  AddressSpace space(8);
  const auto added = [&](Allocation allocation) -> const Allocation& {
    return *space.nearest(*space.add(allocation, "a"));
  };
  constexpr PointerSpaces kGeneric = spaces_of(PointerSpace::kGeneric);
  const Allocation& local = added(of_bytes(4, Region::kWorkgroup));
  CHECK(local.loads == (kGeneric | spaces_of(PointerSpace::kWorkgroup)));
  CHECK(local.stores == local.loads);
  const Allocation& constant = added(of_bytes(4, Region::kConstant));
  CHECK(constant.loads == spaces_of(PointerSpace::kConstant));
  CHECK(constant.stores == 0);
  Allocation write_only = of_bytes(4);
  write_only.write_only = true;
  CHECK(added(write_only).loads == 0);
  CHECK(added(write_only).stores != 0);
  Allocation freed = of_bytes(4);
  freed.live = false;
  CHECK((added(freed).loads | added(freed).stores) == 0);
}

}  // namespace
}  // namespace transpire::test
