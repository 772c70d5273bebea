// Footprints: which bytes two launches have in common.
#include "races/footprint.h"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace transpire::test {
namespace {

using namespace races;
using vm::AccessKind;

constexpr std::uint64_t kEnough = 1 << 24;

/// Memory that begins with a page.
struct SomePages {
  alignas(Footprint::kPageBytes) std::array<std::byte, 4 * Footprint::kPageBytes> bytes{};
  const std::byte* at(std::size_t offset) const { return bytes.data() + offset; }
};

TEST_CASE("what both touch is a conflict where one writes") {
  const auto memory = std::make_unique<SomePages>();
  Footprint a(false, kEnough), b(false, kEnough);
  a.add(1, AccessKind::kLoad, memory->at(0), 100, {});
  b.add(2, AccessKind::kLoad, memory->at(50), 100, {});
  CHECK(a.conflicts(b).empty());
  b.add(3, AccessKind::kStore, memory->at(99), 8, {});
  const std::vector<Footprint::Conflict> found = a.conflicts(b);
  REQUIRE(found.size() == 1);
  CHECK(found[0].place == 1);
  CHECK(found[0].other_place == 3);
  CHECK(found[0].kind == AccessKind::kLoad);
  CHECK(found[0].other_kind == AccessKind::kStore);
  CHECK(found[0].first == memory->at(99));
  CHECK(found[0].bytes == 1);
  CHECK(!found[0].are_atomic());
}

TEST_CASE("pieces reach over pages and words") {
  const auto memory = std::make_unique<SomePages>();
  Footprint a(false, kEnough), b(false, kEnough);
  a.add(1, AccessKind::kStore, memory->at(60), 2 * Footprint::kPageBytes, {});
  b.add(2, AccessKind::kStore, memory->at(61), 3 * Footprint::kPageBytes, {});
  const std::vector<Footprint::Conflict> found = a.conflicts(b);
  REQUIRE(found.size() == 1);
  CHECK(found[0].first == memory->at(61));
  CHECK(found[0].bytes == 2 * Footprint::kPageBytes - 1);
  a.forget({memory->at(0), Footprint::kPageBytes});
  REQUIRE(a.conflicts(b).size() == 1);
  CHECK(a.conflicts(b)[0].first == memory->at(Footprint::kPageBytes));
  a.forget(memory->bytes);
  CHECK(a.conflicts(b).empty());
}

TEST_CASE("atomics of both are told apart") {
  const auto memory = std::make_unique<SomePages>();
  Footprint a(false, kEnough), b(false, kEnough);
  a.add(1, AccessKind::kAtomic, memory->at(4), 4, {});
  b.add(1, AccessKind::kAtomicLoad, memory->at(4), 4, {});
  REQUIRE(a.conflicts(b).size() == 1);
  CHECK(a.conflicts(b)[0].are_atomic());
  CHECK(a.uses_atomics());
}

TEST_CASE("a range has who touches it, or writes to it") {
  const auto memory = std::make_unique<SomePages>();
  Footprint a(false, kEnough);
  a.add(1, AccessKind::kLoad, memory->at(0), 64, {});
  a.add(2, AccessKind::kStore, memory->at(64), 64, {});
  CHECK(a.in_range({memory->at(32), 64}, false).size() == 2);
  REQUIRE(a.in_range({memory->at(32), 64}, true).size() == 1);
  CHECK(a.in_range({memory->at(32), 64}, true)[0].place == 2);
  CHECK(a.in_range({memory->at(128), 64}, false).empty());
}

TEST_CASE("words are of who touched them, or of many") {
  const auto memory = std::make_unique<SomePages>();
  Footprint parent(true, kEnough), child(false, kEnough);
  parent.add(1, AccessKind::kStore, memory->at(0), 8, {3, 0});
  parent.add(1, AccessKind::kStore, memory->at(4), 8, {4, 1});
  child.add(2, AccessKind::kLoad, memory->at(0), 12, {});
  const auto of_others = [&](std::uint32_t group) {
    std::uint64_t bytes = 0;
    for (const Footprint::Conflict& each :
         parent.conflicts(child, [group](const Toucher& by) { return by.group != group; }))
      bytes += each.bytes;
    return bytes;
  };
  CHECK(of_others(0) == 8);  // the word of both, and that of group 1
  CHECK(of_others(1) == 8);
  CHECK(of_others(2) == 12);
}

TEST_CASE("touchers are those of the last segment, by byte where a byte is touched") {
  const auto memory = std::make_unique<SomePages>();
  Footprint parent(true, kEnough), child(false, kEnough);
  child.add(2, AccessKind::kLoad, memory->at(0), 4, {});
  const auto first = [&] {
    Toucher toucher;
    parent.conflicts(child, [&](const Toucher& by) {
      toucher = by;
      return false;
    });
    return toucher;
  };
  parent.add(1, AccessKind::kStore, memory->at(0), 4, {3, 0, 1, 0});
  parent.add(1, AccessKind::kStore, memory->at(0), 4, {4, 0, 1, 0});
  CHECK(first().item == Toucher::kMany);
  parent.add(1, AccessKind::kStore, memory->at(0), 4, {5, 0, 2, 1});
  CHECK(first().item == 5);
  CHECK(first().segment == 2);
  CHECK(first().commands == 1);
  const std::uint64_t words = parent.size_bytes();
  parent.add(1, AccessKind::kStore, memory->at(1), 1, {6, 0, 2, 1});
  CHECK(parent.size_bytes() ==
        words + (Footprint::kPageBytes - Footprint::kWords) * sizeof(Toucher));
  const auto bytes_of = [&](std::uint32_t item) {
    std::uint64_t bytes = 0;
    for (const Footprint::Conflict& each :
         parent.conflicts(child, [item](const Toucher& by) { return by.item == item; }))
      bytes += each.bytes;
    return bytes;
  };
  CHECK(bytes_of(5) == 3);
  CHECK(bytes_of(Toucher::kMany) == 1);
  parent.note_commands(2, 4);
  parent.note_commands(3, 5);
  CHECK(parent.segment_of(1) == 4);
  CHECK(parent.segment_of(2) == 5);
  CHECK(parent.segment_of(3) == 0);
}

TEST_CASE("what several touched meets what writes there, or reads what they wrote") {
  const auto memory = std::make_unique<SomePages>();
  const auto touched = [&](AccessKind kind, std::uint64_t at, std::uint64_t bytes) {
    Footprint footprint(false, kEnough);
    footprint.add(1, kind, memory->at(at), bytes, {});
    return footprint;
  };
  TouchedTogether together;
  together.add(touched(AccessKind::kLoad, 8, 4));
  together.add(touched(AccessKind::kStore, 200, 1));
  CHECK(together.size_bytes() != 0);
  CHECK(!together.meets(touched(AccessKind::kLoad, 8, 4)));
  CHECK(together.meets(touched(AccessKind::kStore, 11, 1)));
  CHECK(!together.meets(touched(AccessKind::kStore, 12, 4)));
  CHECK(together.meets(touched(AccessKind::kAtomic, 10, 1)));
  CHECK(together.meets(touched(AccessKind::kLoad, 200, 4)));
  CHECK(!together.meets(touched(AccessKind::kStore, Footprint::kPageBytes + 8, 4)));
}

TEST_CASE("ranges of more pages than were touched are looked at and forgotten as others are") {
  const auto memory = std::make_unique<SomePages>();
  Footprint footprint(false, kEnough);
  footprint.add(1, AccessKind::kStore, memory->at(Footprint::kPageBytes - 2), 4, {});
  const auto bytes_in = [&](std::uint64_t at, std::uint64_t bytes) {
    std::uint64_t found = 0;
    for (const Footprint::Conflict& each : footprint.in_range({memory->at(at), bytes}, true))
      found += each.bytes;
    return found;
  };
  constexpr std::uint64_t kFar = std::uint64_t{1} << 40;
  CHECK(bytes_in(0, kFar) == 4);
  CHECK(bytes_in(Footprint::kPageBytes - 1, kFar) == 3);
  CHECK(bytes_in(Footprint::kPageBytes + 2, kFar) == 0);
  CHECK(bytes_in(0, Footprint::kPageBytes) == 2);
  footprint.forget({memory->at(Footprint::kPageBytes), kFar});
  CHECK(bytes_in(0, kFar) == 2);
}

TEST_CASE("what is beyond the limit is given up") {
  const auto memory = std::make_unique<SomePages>();
  Footprint a(false, sizeof(Footprint::Touched));
  a.add(1, AccessKind::kStore, memory->at(0), 4, {});
  CHECK(!a.gave_up());
  a.add(1, AccessKind::kStore, memory->at(Footprint::kPageBytes), 4, {});
  CHECK(a.gave_up());
  CHECK(a.size_bytes() == sizeof(Footprint::Touched));
}

}  // namespace
}  // namespace transpire::test
