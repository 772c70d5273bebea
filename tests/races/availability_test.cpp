// Ordered accesses lack an availability or visibility operation of the Vulkan memory model, by a barrier of a group or by a work-item.
#include "races/availability.h"

#include <doctest/doctest.h>

namespace transpire::test {
namespace {

using namespace races;
using vm::AccessKind;
using vm::Sharing;
using vm::exec::Unshared;

constexpr std::uint32_t kBuffers = 0x40, kWorkgroup = 0x100, kAvailable = 0x2000, kVisible = 0x4000;
constexpr std::uint32_t kWide = 1, kGroup = 2;
constexpr Sharing kPlain{Sharing::Kind::kShared}, kOfGroup{Sharing::Kind::kShared, kGroup},
    kOfDevice{Sharing::Kind::kShared, kWide}, kPrivate{Sharing::Kind::kPrivate}, kAtomic{};

/// An access of work-item `item` after so many barriers, counted from 1, and releases; groups have ten work-items.
Availability::End end(std::uint32_t item, AccessKind kind, Sharing sharing,
                      std::uint32_t barriers = 1, std::uint32_t clock = 0) {
  return {{item, clock, barriers}, item / 10, kind, sharing};
}

Unshared between(const Availability& known, const Availability::End& earlier,
                 const Availability::End& later, Memory memory = Memory::kGlobal) {
  return known.missing(earlier, later, memory);
}

TEST_CASE("availability: the accesses themselves make available and visible") {
  const Availability none;
  const auto store = [](Sharing sharing) { return end(0, AccessKind::kStore, sharing); };
  const auto load = [](Sharing sharing, std::uint32_t item = 1) {
    return end(item, AccessKind::kLoad, sharing, 2);
  };
  CHECK(between(none, store(kOfGroup), load(kOfGroup)) == Unshared::kNone);
  CHECK(between(none, store(kOfGroup), load(kPlain)) == Unshared::kNotVisible);
  CHECK(between(none, store(kPlain), load(kOfGroup)) == Unshared::kNotAvailable);
  CHECK(between(none, store(kPrivate), load(kOfGroup)) == Unshared::kOtherPrivate);
  CHECK(between(none, store(kOfGroup), load(kPrivate)) == Unshared::kOwnPrivate);
  CHECK(between(none, store(kOfGroup), load(kOfDevice, 11)) == Unshared::kNotAvailable);
  CHECK(between(none, store(kOfDevice), load(kOfDevice, 11)) == Unshared::kNone);
  CHECK(between(none, end(0, AccessKind::kAtomic, kAtomic), load(kOfGroup)) == Unshared::kNone);
  CHECK(between(none, end(0, AccessKind::kAtomic, kAtomic), load(kPrivate)) ==
        Unshared::kOwnPrivate);
  // A store behind a store or a load needs no visibility.
  const Availability::End next = end(1, AccessKind::kStore, kPlain, 2);
  CHECK(between(none, store(kOfGroup), next) == Unshared::kNone);
  CHECK(between(none, store(kPlain), next) == Unshared::kNotAvailable);
  CHECK(between(none, end(0, AccessKind::kLoad, kPlain), next) == Unshared::kNone);
  CHECK(between(none, end(0, AccessKind::kLoad, kPrivate), next) == Unshared::kOtherPrivate);
}

TEST_CASE("availability: barriers of the group, in their order and for their memory") {
  Availability known;
  known.group_met(0, 1, kBuffers | kVisible, kGroup);
  known.group_met(0, 2, kBuffers | kAvailable, kGroup);
  const auto store = [](std::uint32_t barriers) {
    return end(0, AccessKind::kStore, kPlain, barriers);
  };
  const Availability::End load = end(1, AccessKind::kLoad, kPlain, 4);
  CHECK(between(known, store(1), load) == Unshared::kNotVisible);
  CHECK(between(known, store(3), load) == Unshared::kNotAvailable);
  CHECK(between(known, store(1), load, Memory::kLocal) == Unshared::kNotAvailable);
  known.group_met(0, 3, kBuffers | kVisible, kGroup);
  CHECK(between(known, store(1), load) == Unshared::kNone);
  CHECK(between(known, store(3), load) == Unshared::kNotAvailable);
  known.group_met(0, 4, kBuffers | kWorkgroup | kAvailable | kVisible, kGroup);
  CHECK(between(known, store(3), end(1, AccessKind::kLoad, kPlain, 5)) == Unshared::kNone);
  CHECK(between(known, store(1), end(11, AccessKind::kLoad, kOfDevice)) == Unshared::kNotAvailable);
  known.group_met(0, 5, kBuffers | kAvailable, kWide);
  known.group_ends(0);
  CHECK(between(known, store(1), end(11, AccessKind::kLoad, kOfDevice)) == Unshared::kNone);
  CHECK(between(known, store(6), end(11, AccessKind::kLoad, kOfDevice)) == Unshared::kNotAvailable);
}

TEST_CASE("availability: fences and atomics of work-items, for their scope") {
  Availability known;
  known.fence(0, {0, 3, 1}, kBuffers | kAvailable, kWide);
  known.fence(1, {11, 0, 1}, kBuffers | kVisible, kGroup);
  const auto store = [](std::uint32_t clock) {
    return end(0, AccessKind::kStore, kPlain, 1, clock);
  };
  const Availability::End load = end(11, AccessKind::kLoad, kPlain);
  CHECK(between(known, store(3), load) == Unshared::kNotVisible);
  CHECK(between(known, store(4), load) == Unshared::kNotAvailable);
  known.fence(1, {11, 0, 1}, kBuffers | kVisible, kWide);
  CHECK(between(known, store(3), load) == Unshared::kNone);
  CHECK(between(known, store(4), load) == Unshared::kNotAvailable);
}

TEST_CASE(
    "availability: chains from a group to the device and back, and the last barrier of which all "
    "is shared") {
  Availability known;
  const auto store = [](std::uint32_t barriers) {
    return end(0, AccessKind::kStore, kPlain, barriers);
  };
  const auto load = [](std::uint32_t item) { return end(item, AccessKind::kLoad, kPlain, 9); };
  known.fence(0, {5, 0, 1}, kBuffers | kAvailable, kWide);
  known.group_met(0, 1, kBuffers | kAvailable | kVisible, kGroup);
  CHECK(known.shares_until(0, Memory::kGlobal) == 1);
  CHECK(known.shares_until(0, Memory::kLocal) == 0);
  CHECK(between(known, store(1), end(11, AccessKind::kLoad, kOfDevice)) == Unshared::kNotAvailable);
  known.fence(0, {5, 0, 2}, kBuffers | kAvailable, kWide);
  known.group_ends(0);
  CHECK(between(known, store(1), end(11, AccessKind::kLoad, kOfDevice)) == Unshared::kNone);
  CHECK(between(known, store(2), end(11, AccessKind::kLoad, kOfDevice)) == Unshared::kNotAvailable);
  known.group_met(1, 1, kBuffers | kVisible, kGroup);
  known.fence(1, {15, 0, 2}, kBuffers | kVisible, kWide);
  CHECK(between(known, store(1), load(15)) == Unshared::kNone);
  CHECK(between(known, store(1), load(11)) == Unshared::kNotVisible);
  CHECK(between(known, store(1), end(11, AccessKind::kLoad, kOfGroup)) == Unshared::kNone);
  known.group_met(1, 2, kBuffers | kVisible, kGroup);
  CHECK(between(known, store(1), load(11)) == Unshared::kNone);
  CHECK(known.shares_until(1, Memory::kGlobal) == 0);
}

TEST_CASE("availability: atomics, for their own scope") {
  const Availability none;
  const auto atomic = [](Sharing sharing, std::uint32_t item = 0) {
    return end(item, AccessKind::kAtomic, sharing);
  };
  CHECK(between(none, atomic(kOfGroup), end(1, AccessKind::kLoad, kOfGroup)) == Unshared::kNone);
  CHECK(between(none, atomic(kOfGroup), end(11, AccessKind::kLoad, kOfDevice)) ==
        Unshared::kNotAvailable);
  CHECK(between(none, end(0, AccessKind::kStore, kOfDevice), atomic(kOfGroup, 11)) ==
        Unshared::kNotVisible);
  CHECK(between(none, atomic(kOfGroup), atomic(kOfGroup, 11)) == Unshared::kNone);
}

TEST_CASE("availability: without memory for notes no operation is missing") {
  Budget budget(1000);
  Availability known(&budget);
  const Availability::End store = end(0, AccessKind::kStore, kPlain),
                          load = end(1, AccessKind::kLoad, kOfGroup, 2);
  for (std::uint32_t item = 0; item < 5; ++item)
    known.fence(0, {item + 2, 0, 1}, kBuffers | kAvailable, kGroup);
  CHECK(between(known, store, load) == Unshared::kNotAvailable);
  CHECK_FALSE(known.gave_up());
  known.group_ends(0);
  CHECK(budget.left() == 1000);
  for (std::uint32_t item = 0; item < 10; ++item)
    known.fence(0, {item + 2, 0, 1}, kBuffers | kAvailable, kWide);
  CHECK(known.gave_up());
  CHECK(between(known, store, load) == Unshared::kNone);
  CHECK(between(known, store, end(1, AccessKind::kLoad, kPrivate)) == Unshared::kOwnPrivate);
}

}  // namespace
}  // namespace transpire::test
