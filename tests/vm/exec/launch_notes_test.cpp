// What checks keep of a launch: flags, samplers, memory that is reached in two ways.
#include "vm/exec/launch_notes.h"

#include <doctest/doctest.h>

#include <array>

#include "memory/image.h"
#include "vm/program/program.h"

namespace transpire::test {
namespace {

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

}  // namespace

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
  // Of one group, and of no other.
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

}  // namespace transpire::test
