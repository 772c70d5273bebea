// Happens-before of groups, copies, barriers and images, and the memory that it takes. Atomics and fences of every order and scope are
// compared with the memory model in litmus_test.cpp.
#include "races/happens_before.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <iterator>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace transpire::test {
namespace {

using namespace races;

constexpr std::uint32_t kGroupItems = 64;
constexpr std::uint64_t kFlag = 0x1000;
constexpr std::uint32_t kRelaxed = 0, kAcquire = 0x2, kRelease = 0x4, kBoth = 0x8,
                        kSequential = 0x10;
constexpr std::uint32_t kLocalBit = 0x100, kGlobalBit = 0x200, kImageBit = 0x800;
const ScopeInstance kDevice{1, 0};

/// Work-items of the groups, which run one after the other.
struct Machine {
  HappensBefore order;
  explicit Machine(Budget* budget = nullptr, std::uint32_t group_items = kGroupItems)
      : order(group_items, budget) {
    order.group_begins(0);
    order.use_item_clocks();
  }
  void atomic(std::uint32_t item, bool reads, bool modifies, std::uint32_t semantics,
              const ScopeInstance& where, std::uint64_t flag) {
    order.atomic(item,
                 {flag, Memory::kGlobal, reads, modifies, Semantics::decode(semantics), where});
  }
  void store(std::uint32_t item, std::uint32_t semantics, const ScopeInstance& where = kDevice,
             std::uint64_t flag = kFlag) {
    atomic(item, false, true, semantics, where, flag);
  }
  void load(std::uint32_t item, std::uint32_t semantics, const ScopeInstance& where = kDevice,
            std::uint64_t flag = kFlag) {
    atomic(item, true, false, semantics, where, flag);
  }
  void modify(std::uint32_t item, std::uint32_t semantics) {
    atomic(item, true, true, semantics, kDevice, kFlag);
  }
  void fence(std::uint32_t item, std::uint32_t semantics) {
    order.fence(item, Semantics::decode(semantics), kDevice);
  }
  /// True where the access of the stamp happens before the next one of the work-item.
  bool known(const Stamp& stamp, std::uint32_t item, Memory memory = Memory::kGlobal) {
    return order.ordered(stamp, item, memory);
  }
};

/// True where fences of these memories, before a relaxed store and behind a relaxed load, order accesses to `memory`.
bool fences_order(std::uint32_t before, std::uint32_t behind, Memory memory) {
  Machine machine;
  const Stamp written = machine.order.now(0);
  machine.fence(0, kRelease | before);
  machine.store(0, kRelaxed);
  machine.load(1, kRelaxed);
  machine.fence(1, kAcquire | behind);
  return machine.known(written, 1, memory);
}

TEST_CASE("happens-before: a copy that a group waited for comes before its later releases") {
  for (const std::uint32_t releasing : {0u, 7u})
    for (const bool is_late : {false, true})
      for (const bool has_barrier : {false, true}) {
        Machine machine;
        if (!is_late) machine.store(releasing, kRelease);
        if (has_barrier) machine.order.group_met(Semantics::decode(kSequential | kGlobalBit));
        const Stamp copied{0, machine.order.copy(), 0};
        CHECK(machine.known(copied, 5));
        if (is_late) machine.store(releasing, kRelease);
        machine.order.copy();
        machine.order.group_begins(1);
        CHECK_FALSE(machine.known(copied, kGroupItems));
        machine.load(kGroupItems, kAcquire);
        INFO(fmt::format("{} releases, {}", releasing, is_late ? "late" : "early"));
        CHECK(machine.known(copied, kGroupItems) == is_late);
      }
}

TEST_CASE("happens-before: what is handed on stays known, and takes no more room each time") {
  Budget budget(~std::uint64_t{0});
  Machine machine(&budget);
  std::vector<Stamp> stamps;
  std::uint64_t left = 0;
  for (std::uint32_t i = 0; i < 600; ++i) {
    const std::uint32_t item = i % 3;
    machine.load(item, kAcquire);
    for (const Stamp& stamp : stamps) CHECK(machine.known(stamp, item));
    if (i % 100 == 0) stamps.push_back(machine.order.now(item));
    machine.store(item, kRelease);
    if (i % 100 != 99) continue;
    if (i == 199) left = budget.left();
    if (i > 199) CHECK(budget.left() + 1000 > left);
  }
}

TEST_CASE("happens-before: objects that all release and acquire take little room") {
  constexpr std::uint32_t kGroups = 6, kObjects = 64;
  const Semantics orders[] = {Semantics::decode(kRelaxed), Semantics::decode(kAcquire),
                              Semantics::decode(kRelease), Semantics::decode(kSequential)};
  Budget budget(1 << 22);
  HappensBefore stores(kGroupItems), none(kGroupItems, &budget, false);
  stores.use_item_clocks();
  none.use_item_clocks();
  std::mt19937 random(1);
  std::vector<Stamp> stamps;
  std::size_t before = 0, asked = 0;
  for (std::uint32_t group = 0; group < kGroups; ++group) {
    stores.group_begins(group);
    none.group_begins(group);
    for (std::uint32_t i = 0; i < 40 * kGroupItems; ++i) {
      const std::uint32_t item = group * kGroupItems + random() % kGroupItems;
      const std::uint64_t object = kFlag + 4 * (random() % kObjects);
      const Semantics& order = orders[random() % std::size(orders)];
      const HappensBefore::Atomic atomic{object, Memory::kGlobal, true, true, order, kDevice};
      stores.atomic(item, atomic);
      none.atomic(item, atomic);
      if (i % 50 != 0) continue;
      for (const Stamp& stamp : stamps) {
        const bool is_before = none.ordered(stamp, item, Memory::kGlobal);
        CHECK(is_before == stores.ordered(stamp, item, Memory::kGlobal));
        before += is_before ? 1 : 0;
        ++asked;
      }
      stamps.push_back(none.now(item));
    }
  }
  CHECK(before > asked / 10);
  CHECK(before < asked);
  CHECK_FALSE(none.gave_up());
}

TEST_CASE("happens-before: a store goes on from what its own work-item released alone") {
  for (const bool is_first : {false, true}) {
    Machine machine;
    const Stamp own = machine.order.now(0), other = machine.order.now(1);
    machine.modify(is_first ? 0 : 1, kRelease);
    machine.modify(is_first ? 1 : 0, kRelease);
    machine.store(0, kRelaxed);
    machine.load(2, kAcquire);
    CHECK(machine.known(own, 2));
    CHECK_FALSE(machine.known(other, 2));
    machine.store(1, kRelaxed);
    machine.load(3, kAcquire);
    CHECK_FALSE(machine.known(own, 3));
    CHECK_FALSE(machine.known(other, 3));
  }
}

TEST_CASE("happens-before: a store goes on from a release however many others released behind it") {
  for (const bool is_set_aside : {false, true}) {
    Budget budget(1 << 24);
    Machine machine(&budget, 2 * kGroupItems);
    HappensBefore& order = machine.order;
    const Stamp written = order.now(0);
    machine.store(0, kRelease);
    if (is_set_aside) order.set_aside();
    std::uint64_t left = 0;
    for (std::uint32_t group = is_set_aside ? 1 : 0; group < (is_set_aside ? 20u : 1u); ++group) {
      if (is_set_aside) order.group_begins(group);
      for (std::uint32_t i = 1; i < 2 * kGroupItems; ++i)
        machine.modify(group * 2 * kGroupItems + i, kRelease);
      if (group == 10) left = budget.left();
    }
    if (is_set_aside) CHECK(budget.left() + 10'000 > left);  // those of groups that are over go
    if (is_set_aside) order.group_goes_on(0);
    const std::uint32_t reader = 5;
    machine.load(reader, kRelaxed);
    machine.store(0, kRelaxed);
    CHECK_FALSE(machine.known(written, reader));
    machine.load(reader, kAcquire);
    CHECK(machine.known(written, reader));
    CHECK_FALSE(machine.known(order.stamp(7, 0, order.start() + 1), reader));
  }
}

TEST_CASE("happens-before: a fence acquires from all that atomics before it read") {
  Machine machine;
  const std::uint64_t flags[] = {0x2000, 0x3000, 0x4000};
  std::vector<Stamp> stamps;
  for (std::uint32_t i = 0; i < 3; ++i) {
    stamps.push_back(machine.order.now(i));
    machine.store(i, kRelease, kDevice, flags[i]);
  }
  for (const std::uint64_t flag : flags) machine.load(9, kRelaxed, kDevice, flag);
  machine.fence(9, kAcquire | kGlobalBit);
  for (const Stamp& stamp : stamps) CHECK(machine.known(stamp, 9));
}

TEST_CASE("happens-before: fences that come again take no room, and weaker ones change nothing") {
  Budget budget(1 << 20);
  Machine machine(&budget);
  const Stamp written = machine.order.now(0);
  machine.fence(0, kSequential | kGlobalBit);
  machine.fence(0, kRelease | kGlobalBit);
  machine.store(0, kRelaxed);
  machine.load(1, kRelaxed);
  machine.fence(1, kSequential | kGlobalBit);
  CHECK(machine.known(written, 1));
  CHECK(machine.known(written, 1, Memory::kLocal));
  const std::uint64_t left = budget.left();
  for (int i = 0; i < 1000; ++i) machine.fence(0, kRelease | kGlobalBit);
  CHECK(budget.left() == left);
}

TEST_CASE("happens-before: atomics of a work-group's scope are forgotten when it is over") {
  Budget budget(1 << 20);
  HappensBefore order(kGroupItems, &budget);
  order.use_item_clocks();
  std::uint64_t left = 0;
  for (std::uint32_t group = 0; group < 200; ++group) {
    order.group_begins(group);
    const std::uint32_t first = group * kGroupItems;
    const Stamp written = order.now(first);
    for (const std::uint32_t item : {first, first + 1})
      order.atomic(item,
                   {kFlag, Memory::kGlobal, true, true, Semantics::decode(kBoth), {2, group}});
    CHECK(order.ordered(written, first + 1, Memory::kGlobal));
    if (group == 100) left = budget.left();
  }
  CHECK(budget.left() + 10'000 > left);
}

TEST_CASE("happens-before: groups may come in any order, and one takes as much memory as another") {
  Budget budget(1 << 20);
  HappensBefore order(kGroupItems, &budget);
  std::vector<Stamp> stores;
  std::vector<std::uint32_t> epochs;
  for (const std::uint64_t group : {5u, 0u, 1u << 25, 2u, 1u, 4u}) {
    order.group_begins(group);
    for (std::size_t barriers = 0; barriers <= stores.size(); ++barriers)
      order.group_met(Semantics::decode(kBoth | kGlobalBit));
    const auto item = static_cast<std::uint32_t>(group * kGroupItems);
    stores.push_back(order.now(item));
    epochs.push_back(order.epoch());
    order.group_met(Semantics::decode(kBoth | kGlobalBit));
    for (const Stamp& store : stores) {
      const bool is_own = store.item == item;
      CHECK(order.in_group(store) == is_own);
      CHECK(order.ordered(store, item + 1, Memory::kGlobal) == is_own);
    }
  }
  for (std::size_t i = 0; i < stores.size(); ++i)
    CHECK(order.stamp(stores[i].item, stores[i].clock, epochs[i]).barriers == stores[i].barriers);
  CHECK_FALSE(order.gave_up());
}

TEST_CASE("happens-before: a group that was set aside goes on with what it had") {
  Budget budget(1 << 20);
  HappensBefore order(kGroupItems, &budget);
  const Semantics fence = Semantics::decode(kSequential | kGlobalBit);
  order.group_begins(0);
  order.group_met(fence);
  const Stamp first = order.now(1);
  const std::uint32_t first_epoch = order.epoch();
  const std::uint64_t left = budget.left();
  std::set<std::uint32_t> epochs{first_epoch};
  std::vector<std::pair<Stamp, std::uint32_t>> seen{{first, first_epoch}};
  for (std::uint64_t turn = 0; turn < 6; ++turn) {
    const std::uint64_t group = 1 + turn % 3;
    order.set_aside();
    turn < 3 ? order.group_begins(group) : order.group_goes_on(group);
    const auto item = static_cast<std::uint32_t>(group * kGroupItems);
    CHECK(epochs.insert(order.epoch()).second);
    CHECK(order.resume_epoch() == order.epoch() - (turn < 3 ? 1 : 0));
    CHECK_FALSE(order.in_group(first));
    CHECK_FALSE(order.ordered(first, item, Memory::kGlobal));
    CHECK(order.now(item).barriers == (turn < 3 ? 1 : 2));
    order.group_met(fence);
    CHECK(epochs.insert(order.epoch()).second);
    seen.emplace_back(order.now(item), order.epoch());
  }
  order.set_aside();
  order.group_goes_on(0);
  CHECK(epochs.insert(order.epoch()).second);
  CHECK(order.fence(Memory::kGlobal) == order.resume_epoch());
  CHECK(order.in_group(first));
  CHECK_FALSE(order.ordered(first, 2, Memory::kGlobal));
  seen.emplace_back(order.now(1), order.epoch());
  CHECK(seen.back().first.barriers == first.barriers);
  order.group_met(fence);
  CHECK(order.ordered(first, 2, Memory::kGlobal));
  CHECK(order.fence(Memory::kGlobal) == order.epoch());
  seen.emplace_back(order.now(1), order.epoch());
  for (const auto& [stamp, epoch] : seen)
    CHECK(order.stamp(stamp.item, stamp.clock, epoch).barriers == stamp.barriers);
  CHECK_FALSE(order.gave_up());
  CHECK(budget.left() < left);
}

TEST_CASE("happens-before: turns behind a barrier alone take room, which is given back") {
  Budget budget(1 << 20);
  HappensBefore order(kGroupItems, &budget);
  order.group_begins(0);
  order.set_aside();
  order.group_begins(1);
  const auto take_turns = [&](std::uint32_t rounds) {
    for (std::uint64_t turn = 0; turn < 2 * rounds; ++turn) {
      order.set_aside();
      order.group_goes_on(turn % 2);
    }
  };
  take_turns(1);
  const Stamp first = order.now(kGroupItems);
  const std::uint32_t first_epoch = order.epoch();
  const std::uint64_t left = budget.left();
  take_turns(1000);
  CHECK(budget.left() == left);
  order.group_met(Semantics::decode(kSequential | kGlobalBit));
  const std::uint32_t behind = order.epoch();
  take_turns(1000);
  CHECK(budget.left() < left);
  CHECK(budget.left() + 64 > left);
  CHECK(order.stamp(first.item, first.clock, first_epoch).barriers == first.barriers);
  CHECK(order.stamp(first.item, first.clock, behind).barriers == first.barriers + 1);
  CHECK(order.now(first.item).barriers == first.barriers + 1);
  CHECK_FALSE(order.gave_up());
}

TEST_CASE("happens-before: what a group released is known to one that was set aside") {
  Machine machine;
  const std::uint32_t writer = kGroupItems + 3;
  machine.load(0, kAcquire);
  machine.order.set_aside();
  machine.order.group_begins(1);
  const Stamp written = machine.order.now(writer);
  machine.store(writer, kRelease);
  machine.order.group_goes_on(0);
  CHECK_FALSE(machine.known(written, 0));
  machine.load(0, kAcquire);
  CHECK(machine.known(written, 0));
  CHECK_FALSE(machine.known(written, 1));
}

TEST_CASE("happens-before: what one knows is handed on") {
  Machine machine;
  const Stamp written = machine.order.now(0);
  machine.store(0, kRelease);
  machine.load(1, kAcquire);
  machine.store(1, kRelease, kDevice, 0x2000);
  machine.order.group_begins(1);
  const std::uint32_t reader = kGroupItems + 5;
  machine.load(reader, kAcquire, kDevice, 0x2000);
  CHECK(machine.known(written, reader));
  CHECK_FALSE(machine.known(written, reader + 1));
  machine.order.group_met(Semantics::decode(kSequential | kLocalBit));
  CHECK_FALSE(machine.known(written, reader + 1));
  machine.order.group_met(Semantics::decode(kSequential | kGlobalBit));
  CHECK(machine.known(written, reader + 1));
}

TEST_CASE("happens-before: barriers order the memory that they name, in their group") {
  for (const bool fine : {false, true}) {
    HappensBefore order(kGroupItems);
    order.group_begins(0);
    if (fine) order.use_item_clocks();
    const Stamp first = order.now(3);
    CHECK(order.ordered(first, 3, Memory::kLocal));
    CHECK_FALSE(order.ordered(first, 4, Memory::kLocal));
    order.group_met(Semantics::decode(kSequential | kLocalBit));
    CHECK(order.ordered(first, 4, Memory::kLocal));
    CHECK_FALSE(order.ordered(first, 4, Memory::kGlobal));
    CHECK(order.passed_barrier(first));
    CHECK_FALSE(order.passed_in_parts(first, Memory::kGlobal));
    order.group_met(Semantics::decode(kSequential));  // of no memory
    CHECK_FALSE(order.ordered(first, 4, Memory::kGlobal));
    order.group_met(Semantics::decode(kGlobalBit));  // without an order
    CHECK_FALSE(order.ordered(first, 4, Memory::kGlobal));
    const Stamp second = order.now(4);
    order.group_met(Semantics::decode(kBoth | kGlobalBit));
    CHECK(order.ordered(second, 5, Memory::kGlobal));
    CHECK_FALSE(order.ordered(second, 5, Memory::kLocal));
    const Stamp third = order.now(4);
    order.group_met_in_parts(Semantics::decode(kBoth | kGlobalBit));
    CHECK_FALSE(order.ordered(third, 5, Memory::kGlobal));
    CHECK(order.passed_in_parts(third, Memory::kGlobal));
    CHECK_FALSE(order.passed_in_parts(third, Memory::kLocal));
    CHECK_FALSE(order.passed_in_parts(order.now(4), Memory::kGlobal));
    order.group_begins(1);
    CHECK_FALSE(order.ordered(first, kGroupItems, Memory::kGlobal));
    CHECK_FALSE(order.ordered(first, kGroupItems, Memory::kLocal));
  }
}

TEST_CASE("happens-before: what a group did behind the barriers that one knows of is not known") {
  Machine machine;
  const Semantics fence = Semantics::decode(kSequential | kGlobalBit);
  const Stamp early = machine.order.now(1);
  machine.order.group_met(fence);
  machine.store(0, kRelease);
  const Stamp late = machine.order.now(1);
  machine.order.group_begins(1);
  machine.load(kGroupItems, kAcquire);
  CHECK(machine.known(early, kGroupItems));
  CHECK_FALSE(machine.known(late, kGroupItems));
  CHECK(machine.known(early, kGroupItems));
}

TEST_CASE("happens-before: many releases of one work-item") {
  Machine machine;
  Stamp last;
  for (int i = 0; i < 200'000; ++i) {
    last = machine.order.now(0);
    machine.store(0, i % 2 == 0 ? kRelease : kRelaxed);
  }
  machine.load(1, kAcquire);
  CHECK_FALSE(machine.known(last, 1));  // the last store is relaxed
  --last.clock;
  CHECK(machine.known(last, 1));
}

TEST_CASE("happens-before: a barrier of a sub-group orders its work-items alone") {
  Machine machine;
  const Stamp inside = machine.order.now(0), outside = machine.order.now(9);
  const Semantics semantics = Semantics::decode(kSequential | kLocalBit);
  for (std::uint32_t item = 0; item < 8; ++item) machine.order.arrive(item, semantics, 1);
  for (std::uint32_t item = 0; item < 8; ++item) machine.order.leave(item, semantics, 1);
  CHECK(machine.known(inside, 7, Memory::kLocal));
  CHECK_FALSE(machine.known(inside, 7));
  CHECK_FALSE(machine.known(inside, 8, Memory::kLocal));
  CHECK_FALSE(machine.known(outside, 7, Memory::kLocal));
}

TEST_CASE("happens-before: what orders both memories") {
  // Fences that name both do. The atomic object is in global memory.
  for (const auto& [bit, memory] :
       {std::pair(kLocalBit, Memory::kLocal), std::pair(kImageBit, Memory::kImage)}) {
    const std::uint32_t both = bit | kGlobalBit;
    CHECK(fences_order(both, both, memory));
    CHECK_FALSE(fences_order(kGlobalBit, both, memory));
    CHECK_FALSE(fences_order(both, kGlobalBit, memory));
    CHECK_FALSE(fences_order(bit, bit, memory));
    CHECK_FALSE(fences_order(kLocalBit | bit, kLocalBit | bit, memory));
  }
}

TEST_CASE("happens-before: barriers for images order them, and so do atomics that name them") {
  Machine machine;
  const Stamp written = machine.order.now(0);
  machine.order.group_met(Semantics::decode(kSequential | kLocalBit | kGlobalBit));
  CHECK_FALSE(machine.known(written, 1, Memory::kImage));
  machine.order.group_met(Semantics::decode(kSequential | kImageBit));
  CHECK(machine.known(written, 1, Memory::kImage));
  const Stamp later = machine.order.now(0);
  machine.store(0, kSequential);
  machine.load(1, kSequential);
  CHECK(machine.known(later, 1));
  CHECK(machine.known(later, 1, Memory::kLocal));
  CHECK_FALSE(machine.known(later, 1, Memory::kImage));
  machine.store(0, kRelease | kImageBit);
  machine.load(2, kAcquire);
  CHECK_FALSE(machine.known(later, 2, Memory::kImage));
  machine.load(2, kAcquire | kImageBit);
  CHECK(machine.known(later, 2, Memory::kImage));
}

}  // namespace
}  // namespace transpire::test
