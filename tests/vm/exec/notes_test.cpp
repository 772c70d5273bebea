// Notes of checks: the parameters by which work-items accessed bytes; flags, samplers and memory that is reached in two
// ways; undefined bits in memory, by byte, owner and life.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "memory/image.h"
#include "vm/exec/item_notes.h"
#include "vm/exec/launch_notes.h"
#include "vm/exec/undefined_notes.h"
#include "vm/program/program.h"

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

/// True if accesses to one byte, one after the other, meet.
bool meet(std::vector<ItemNotes::Way> ways) {
  const ItemMemory memory;
  ItemNotes notes(std::make_shared<NoteBudget>(1 << 20));
  bool meets = false;
  for (const ItemNotes::Way& way : ways) meets = notes.meets(0, memory.at(7), 1, way) || meets;
  return meets;
}

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
    // Only noted bytes are told of.
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

using memory::Allocation;
using memory::Region;
using vm::exec::LaunchNotes;
using Way = LaunchNotes::Way;

constexpr std::uint64_t kBytes = std::uint64_t{1} << 20;

/// Two buffers, and an image in the second one's memory.
struct Memory {
  Memory() {
    first = add(bytes.data(), 64, Region::kBuffer);
    second = add(bytes.data() + 64, 64, Region::kBuffer);
    image.texels = bytes.data() + 64;
    image.size_bytes = 32;
    add(image.texels, 32, Region::kImage);
  }
  std::uint64_t add(std::byte* host, std::uint64_t size_bytes, Region region) {
    Allocation added;
    added.host = host;
    added.size_bytes = size_bytes;
    added.region = region;
    if (region == Region::kImage) added.image = &image;
    return *space.add(added, "memory");
  }
  std::array<std::byte, 128> bytes{};
  memory::Image image;
  memory::AddressSpace space{8};
  std::uint64_t first = 0, second = 0;
};

vm::Parameter pointer(std::uint32_t slot, bool no_alias) {
  vm::Parameter parameter;
  parameter.kind = vm::Parameter::Kind::kPointer;
  parameter.first_slot = slot;
  parameter.no_alias = no_alias;
  return parameter;
}

TEST_CASE("launch notes: a flag is where an access touches one of its bytes") {
  const Memory memory;
  LaunchNotes notes(memory.space.map(), vm::Program{}, {}, kBytes);
  notes.add_flag(0, 1000);
  notes.add_flag(3, 2000);
  for (const std::uint64_t address : {997u, 1000u, 1003u}) {
    CAPTURE(address);
    CHECK(notes.holds_flag(0, address, 4));
  }
  CHECK_FALSE(notes.holds_flag(0, 996, 4));
  CHECK_FALSE(notes.holds_flag(0, 1004, 4));
  CHECK(notes.holds_flag(0, 0x100, 0x1000));
  // One group has the notes, no other one.
  CHECK(notes.holds_flag(3, 2000, 1));
  CHECK_FALSE(notes.holds_flag(4, 2000, 1));
  CHECK_FALSE(notes.holds_flag(0, 2000, 1));
}

TEST_CASE("launch notes: samplers of an image agree with its first one") {
  const Memory memory;
  LaunchNotes notes(memory.space.map(), vm::Program{}, {}, kBytes);
  CHECK(notes.agrees(8, true));
  CHECK(notes.agrees(16, false));
  CHECK(notes.agrees(8, true));
  CHECK_FALSE(notes.agrees(8, false));
  CHECK_FALSE(notes.agrees(16, true));
}

TEST_CASE("launch notes: memory of an image that is a buffer, too") {
  const Memory memory;
  LaunchNotes notes(memory.space.map(), vm::Program{}, {}, kBytes);
  REQUIRE(notes.has_views());
  const std::byte* const texels = memory.image.texels;
  SUBCASE("only read") {
    CHECK_FALSE(notes.mixes(texels, 4, Way::kImage, false));
    CHECK_FALSE(notes.mixes(texels + 4, 4, Way::kBuffer, false));
  }
  SUBCASE("written as a buffer") {
    CHECK_FALSE(notes.mixes(texels, 4, Way::kBuffer, true));
    CHECK_FALSE(notes.mixes(texels, 4, Way::kBuffer, false));
    CHECK(notes.mixes(texels, 4, Way::kImage, false));
  }
  SUBCASE("written as an image") {
    CHECK_FALSE(notes.mixes(texels + 8, 4, Way::kBuffer, false));
    CHECK(notes.mixes(texels, 4, Way::kImage, true));
  }
  SUBCASE("beside the image") {
    CHECK_FALSE(notes.mixes(texels, 4, Way::kImage, true));
    CHECK_FALSE(notes.mixes(texels + 32, 4, Way::kBuffer, true));
    CHECK_FALSE(notes.mixes(texels - 4, 4, Way::kBuffer, true));
  }
}

TEST_CASE("launch notes: restrict pointers to memory that another argument has") {
  const Memory memory;
  vm::Program program;
  program.parameters = {pointer(0, true), pointer(1, false)};
  const std::array<std::uint64_t, 2> apart{memory.first, memory.second},
      same{memory.first, memory.first};
  CHECK_FALSE(LaunchNotes(memory.space.map(), program, apart, kBytes).has_aliases());
  const LaunchNotes notes(memory.space.map(), program, same, kBytes);
  REQUIRE(notes.has_aliases());
  CHECK(notes.has_alias(0));
  CHECK(notes.has_alias(1));
  // One that leads elsewhere is not looked at.
  program.parameters.push_back(pointer(2, true));
  const std::array<std::uint64_t, 3> third{memory.first, memory.first, memory.second};
  CHECK_FALSE(LaunchNotes(memory.space.map(), program, third, kBytes).has_alias(2));
  program.parameters[0].no_alias = false;
  CHECK_FALSE(LaunchNotes(memory.space.map(), program, third, kBytes).has_aliases());
}

TEST_CASE("launch notes: flags beyond the budget") {
  const Memory memory;
  LaunchNotes notes(memory.space.map(), vm::Program{}, {}, 128);
  notes.add_flag(0, 1000);
  notes.add_flag(0, 1000);
  notes.add_flag(0, 2000);
  CHECK_FALSE(notes.gave_up());
  notes.add_flag(0, 3000);
  CHECK(notes.gave_up());
  CHECK(notes.holds_flag(0, 2000, 4));
  CHECK_FALSE(notes.holds_flag(0, 3000, 4));
}

using namespace vm;
using namespace vm::exec;
constexpr OriginNote kFirst{{UndefinedOrigin::What::kValue, 1}},
    kSecond{{UndefinedOrigin::What::kValue, 2}};

TEST_CASE("equal notes have one number") {
  UndefinedNotes notes;
  const std::uint32_t first = notes.number(kFirst), second = notes.number(kSecond);
  CHECK(first != 0);
  CHECK(first != second);
  CHECK(notes.number(kFirst) == first);
  CHECK(notes.note(second) == kSecond);
  OriginNote stored = kSecond;
  stored.stored = 5;
  CHECK(notes.number(stored) != second);
  CHECK(notes.note(notes.number(stored)).stored == 5);
}

TEST_CASE("each byte of a word has a note of its own, and the last one counts") {
  UndefinedNotes notes;
  CHECK_FALSE(notes.has_any());
  notes.set({0, 0x1002, 0}, 7, 1);  // to 0x1009
  notes.set({0, 0x1003, 0}, 2, 2);
  CHECK(notes.has_any());
  std::string found;
  for (std::uint64_t address = 0x1000; address < 0x100c; ++address)
    found += std::to_string(notes.find({0, address, 0}));
  CHECK(found == "001221111000");
}

TEST_CASE("others have other memory at the same address, and a variable in each of its lives") {
  UndefinedNotes notes;
  notes.set({3, 0x2000, 1}, 4, 1);
  CHECK(notes.find({3, 0x2000, 1}) == 1);
  CHECK(notes.find({4, 0x2000, 1}) == 0);
  CHECK(notes.find({3, 0x2000, 2}) == 0);
}

TEST_CASE("what comes when much is noted takes the place of the oldest, which is told") {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 18;
  UndefinedNotes notes;
  const auto set = [&](std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t word = from; word < to; ++word) notes.set({0, 4 * word, 0}, 4, 1);
  };
  set(0, 2 * kHalf);
  CHECK_FALSE(notes.has_lost());
  CHECK(notes.find({0, 0, 0}) == 1);
  notes.set({0, 4 * (kHalf - 1), 0}, 2, 2);
  CHECK(notes.has_lost());
  CHECK(notes.find({0, 0, 0}) == 0);
  CHECK(notes.find({0, 4 * kHalf, 0}) == 1);
  set(2 * kHalf, 3 * kHalf - 1);
  CHECK(notes.find({0, 4 * (2 * kHalf - 1), 0}) == 1);
  CHECK(notes.find({0, 4 * (3 * kHalf - 2), 0}) == 1);
}

}  // namespace
}  // namespace transpire::test
