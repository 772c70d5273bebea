// HappensBefore: the relation "happens before" of OpenCL's memory model (OpenCL API 2.2, "Memory Model: Memory Ordering Rules"). It
// answers whether an earlier access of another work-item is ordered before the present action of a work-item. Local memory, global
// memory and images have a relation each. Synchronisation in one orders nothing in another, unless the model says so.
//
// One group runs at a time (vm/observe/observer.h). The running group has a state, and so has each group that was set aside because it
// waits for others. Groups that ended leave only their releases: vector clocks of each release sequence of an atomic object.
//
// A work-item counts its releases (clock), and a group counts its barriers. A Stamp has both counts at the time of an access. A
// barrier orders whole groups, and costs a number. The order by atomics and fences is in vector clocks (Clocks); a work-item has
// clocks of its own from its first acquire on.
//
// Epochs count barriers on from group to group. Each epoch belongs to one group, and later epochs are greater. A group that
// continues after others ran gets new epochs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "races/budget.h"
#include "races/clocks.h"

namespace transpire::races {

enum class Memory : std::uint8_t { kLocal, kGlobal, kImage };
inline constexpr std::size_t kMemories = 3;
constexpr std::size_t index(Memory memory) { return static_cast<std::size_t>(memory); }

/// Scopes of SPIR-V that order accesses, by number.
inline constexpr std::uint32_t kDevice = 1, kWorkgroup = 2, kSubgroup = 3;

/// The time of a work-item's action.
struct Stamp {
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  std::uint32_t item = kNobody;  ///< its number in the launch: group after group
  /// Bit of `clock` for an asynchronous copy of a group. The other bits are then the number of the group's earlier copies.
  static constexpr std::uint32_t kCopy = 0x80000000u;
  std::uint32_t clock = 0;     ///< releases of the work-item so far
  std::uint32_t barriers = 0;  ///< barriers of its group so far
  bool exists() const { return item != kNobody; }
  bool is_copy() const { return (clock & kCopy) != 0; }
};

/// The parts of SPIR-V's Memory Semantics that order accesses.
struct Semantics {
  static constexpr std::uint32_t kLocalBit = 0x100, kImageBit = 0x800;
  /// CrossWorkgroupMemory, and UniformMemory for the buffers of shaders.
  static constexpr std::uint32_t kGlobalBit = 0x200 | 0x40;
  bool acquires = false, releases = false;
  bool sequential = false;  ///< sequentially consistent
  std::array<bool, kMemories>
      memories{};  ///< fences and barriers: the memories whose accesses they order
  static Semantics decode(std::uint32_t bits) {
    Semantics result;
    result.acquires = (bits & (0x2 | 0x8 | 0x10)) != 0;
    result.releases = (bits & (0x4 | 0x8 | 0x10)) != 0;
    result.sequential = (bits & 0x10) != 0;
    result.memories = {(bits & kLocalBit) != 0, (bits & kGlobalBit) != 0, (bits & kImageBit) != 0};
    return result;
  }
  bool orders() const { return acquires || releases; }
};

/// The instance of a scope. Two actions synchronise only if both name the same scope and the same instance of it. `number` is a
/// work-group's number; for a sub-group the group's number shifted by 32, and the sub-group's number in the group.
struct ScopeInstance {
  std::uint32_t scope = 1;  ///< spv::Scope
  std::uint64_t number = 0;
  bool operator==(const ScopeInstance&) const = default;
};

/// The order of one launch.
class HappensBefore {
 public:
  /// `group_items`: work-items of a full group. `budget`: pays for all notes; null: no limit. `atomics_store`: the kernel has
  /// atomic stores; without them every atomic that modifies also reads, and fewer notes suffice.
  explicit HappensBefore(std::uint32_t group_items, Budget* budget = nullptr,
                         bool atomics_store = true)
      : group_items_(group_items), budget_(budget), atomics_store_(atomics_store), store_(budget) {}

  /// A group begins. The state of the group that ran before is dropped.
  void group_begins(std::uint64_t group);
  /// Keeps the state of the running group, which has not ended, because another group runs next.
  void set_aside();
  /// Continues a group that was set aside. The group that ran before must have ended or been set aside.
  void group_goes_on(std::uint64_t group);
  /// Stamp of the present action of a work-item of the running group.
  Stamp now(std::uint32_t item) const;
  /// Stamp::clock of an asynchronous copy for which the running group has just waited.
  std::uint32_t copy() { return Stamp::kCopy | group_.copies++; }
  /// True if the stamped action happens before the present action of `item`, a work-item of the running group.
  bool ordered(const Stamp& before, std::uint32_t item, Memory memory) const;
  /// The present epoch of the running group.
  std::uint32_t epoch() const { return start_ + group_.barriers; }
  /// The first epoch of the running group since it began or last continued.
  std::uint32_t resume_epoch() const { return resume_epoch_; }
  /// The first epoch of the running group. Accesses in it happened before everything that the group's work-items do.
  std::uint32_t start() const { return group_.start; }
  /// The first epoch since resume_epoch() whose accesses are not ordered before the present actions of all of the group's work-items.
  std::uint32_t fence(Memory memory) const {
    return std::max(resume_epoch_, start_ + group_.fenced[static_cast<std::size_t>(memory)]);
  }
  /// The stamp of an access, from its epoch.
  Stamp stamp(std::uint32_t item, std::uint32_t clock, std::uint32_t epoch) const {
    return {item, clock, barriers_at(item / group_items_, epoch)};
  }
  /// True if memory for releases or numbers for epochs ran out. The relation is then unknown, and only forget() may be called.
  bool gave_up() const { return gave_up_ || store_.ran_out(); }
  /// Frees all notes.
  void forget();
  bool in_group(const Stamp& stamp) const { return stamp.item / group_items_ == group_.number; }
  /// True if the running group has passed a barrier since the stamp.
  bool passed_barrier(const Stamp& stamp) const { return stamp.barriers < group_.barriers; }
  /// True if since the stamp the group has passed a barrier that names the memory and orders less than the whole group.
  bool passed_in_parts(const Stamp& stamp, Memory memory) const {
    return stamp.barriers < group_.in_parts[static_cast<std::size_t>(memory)];
  }
  /// Begins to track the order by atomics, fences and smaller barriers. Before this call only barriers of whole groups order
  /// memory.
  void use_item_clocks();
  bool uses_item_clocks() const { return uses_item_clocks_; }
  /// A number for the set of actions that happen before the present action of `item`. Work-items of the running group with equal
  /// sets have equal numbers.
  std::uint64_t view(std::uint32_t item, Memory memory) const;
  std::uint32_t group_items() const { return group_items_; }

  /// All work-items of the running group have met at a barrier that orders all of them.
  void group_met(const Semantics& semantics);
  /// All work-items of the running group have met at a barrier that does not order all of them. arrive(), leave() and fence() say
  /// what it orders.
  void group_met_in_parts(const Semantics& semantics);
  /// A barrier of some work-items, with a number `meeting`: each of them releases to the meeting (arrive), then each of them acquires
  /// from it (leave).
  void arrive(std::uint32_t item, const Semantics& semantics, std::uint64_t meeting);
  void leave(std::uint32_t item, const Semantics& semantics, std::uint64_t meeting);
  /// Ends a meeting that all work-items have left.
  void meeting_ends(std::uint64_t meeting);

  /// `item` executes a fence.
  void fence(std::uint32_t item, const Semantics& semantics, const ScopeInstance& where);
  /// An atomic operation on the object at `address`; a read-modify-write both reads and modifies.
  struct Atomic {
    std::uint64_t address = 0;
    Memory memory = Memory::kGlobal;
    bool reads = false, modifies = false;
    Semantics semantics;
    ScopeInstance where;
  };
  void atomic(std::uint32_t item, const Atomic& atomic);

 private:
  /// The actions that a release makes known: all earlier actions of the work-item, and all that happened before them.
  struct Snapshot {
    std::uint32_t clock = 0;                        ///< actions of the item with at most this clock
    std::uint32_t copies = 0;                       ///< this number of its group's copies
    std::array<std::uint32_t, kMemories> fenced{};  ///< actions of its group with fewer barriers
    std::array<Clocks, kMemories> known;            ///< actions of others
  };
  /// A release fence. Later atomics of the work-item complete it.
  struct Fence {
    Snapshot snapshot;
    Semantics semantics;
    ScopeInstance where;
  };
  /// The reason why operations on an atomic object order accesses to another memory than the object's:
  /// - kSequential: two sequentially consistent operations, which do not order images.
  /// - kFences: two fences that name both memories; for images also two atomics whose semantics name images.
  /// - kNone: no reason is needed, since the memory is the object's.
  enum class Across : std::uint8_t { kNone, kSequential, kFences };
  /// True if operations with these semantics on an object in `object` order accesses to `memory` for the reason `across`. `is_fence`:
  /// the semantics of a fence, otherwise of an atomic.
  static bool crosses(const Semantics& semantics, Across across, bool is_fence, Memory object,
                      Memory memory);
  /// Clocks that a work-item's atomics have read, for its next acquire fence.
  struct Read {
    ScopeInstance where;
    Across across;
    Memory memory;  ///< memory whose accesses are ordered
    Memory object;  ///< memory of the atomic objects
    Clocks clocks;
  };
  struct ItemState {
    std::uint32_t clock = 0;
    std::array<Clocks, kMemories> known;  ///< empty, or everything in Group::known and more
    std::vector<Fence> fences;            ///< the last fence of each scope
    std::vector<Read> reads;
  };
  /// The release sequences of an atomic object that nothing has ended, for one scope instance and one ordered memory.
  struct Log {
    ScopeInstance where;
    Across across;
    Memory memory;
    Clocks clocks;  ///< actions that reading them makes known
    /// [item]: the actions that the sequences headed by this item make known. A store by the item ends all other sequences. Empty
    /// if no atomic stores.
    std::unordered_map<std::uint32_t, Clocks> heads;
    /// The item to which all releases belong, or kNobody. The item's head is then the only one and equals `clocks`.
    std::uint32_t only = Stamp::kNobody;
    std::size_t look_through = 64;  ///< number of heads at which heads of ended groups are removed
    Charge charge;
  };

  /// The scope instance that applies to an atomic object in a memory. In local memory no scope is wider than the work-group.
  ScopeInstance seen_by(const ScopeInstance& where, Memory object) const;
  /// The epoch at which a group began.
  std::uint32_t start_of(std::uint64_t group) const {
    if (group < starts_.size()) return starts_[group];
    const auto found = other_starts_.find(group);
    return found == other_starts_.end() ? start_ : found->second;
  }
  /// Number of barriers that a group had passed in one of its epochs.
  std::uint32_t barriers_at(std::uint64_t group, std::uint32_t epoch) const;
  using Objects = std::unordered_map<std::uint64_t, std::vector<Log>>;
  Objects& objects(Memory memory) {
    return memory == Memory::kLocal ? group_.objects : objects_[static_cast<std::size_t>(memory)];
  }
  std::uint64_t set_aside_bytes() const;
  ItemState& state(std::uint32_t item) { return group_.items[item % group_items_]; }
  const ItemState& state(std::uint32_t item) const { return group_.items[item % group_items_]; }
  Snapshot snapshot(std::uint32_t item) const;
  /// True if the clocks contain the stamped action.
  bool covers(const Clocks& clocks, const Stamp& stamp) const;
  /// Acquire: adds the clocks to those of the work-item.
  void acquire_clocks(ItemState& state, Memory memory, const Clocks& clocks);
  /// Release: adds the actions of a snapshot of the item to the clocks.
  void add_release(Clocks& clocks, std::uint32_t item, const Snapshot& snapshot, Memory memory);
  /// True if a group has ended. It must have begun.
  bool is_over(std::uint64_t group) const {
    return group != group_.number && !set_aside_.contains(group);
  }
  void acquire(ItemState& state, const Atomic& atomic, const std::vector<Log>& logs);
  void read(ItemState& state, const Log& log, Memory object);
  /// True if the scope instance has only work-items of another group.
  bool is_of_other_group(const ScopeInstance& where) const;
  Log& log_of(std::vector<Log>& logs, const ScopeInstance& where, Across across, Memory memory);
  void append(Log& log, std::uint32_t item, const Snapshot& snapshot);
  /// Removes the heads of groups that have ended, whose work-items will not store again.
  void forget_heads(Log& log);
  /// Appends a release to all logs of an object in `object` for which the semantics order something.
  void append_all(std::vector<Log>& logs, const ScopeInstance& where, Memory object,
                  const Semantics& semantics, bool is_fence, std::uint32_t item,
                  const Snapshot& snapshot);
  void release(std::uint32_t item, const Atomic& atomic, std::vector<Log>& logs);
  /// Takes bytes from the budget until the launch ends, or until the running group ends.
  void charge_launch(std::uint64_t bytes);
  void charge_group(std::uint64_t bytes);

  /// State of a group that has begun and not ended.
  struct Group {
    std::uint64_t number = 0;
    std::uint32_t start = 1;     ///< epoch of its barrier 0
    std::uint32_t barriers = 1;  ///< barrier 0 stands for actions before all others of the group
    std::uint32_t copies = 0;    ///< asynchronous copies for which the group has waited
    /// Actions of the group with fewer barriers are ordered.
    std::array<std::uint32_t, kMemories> fenced{1, 1, 1};
    std::array<std::uint32_t, kMemories> in_parts{};  ///< barriers at the last group_met_in_parts()
    std::array<Clocks, kMemories> known;              ///< actions known to the whole group
    std::vector<ItemState> items;
    std::unordered_map<std::uint64_t, std::array<Clocks, kMemories>> meetings;
    Objects objects;  ///< atomic objects in its local memory
    Charge charge;    ///< taken by charge_group()
  };
  /// Epochs of a group from a time on at which it continued. From `first` to `last` it had passed `barriers` barriers; each later epoch
  /// is one barrier more.
  struct Resumption {
    std::uint32_t first, last, barriers;
  };

  std::uint32_t group_items_;
  Budget* budget_;
  bool atomics_store_;
  bool gave_up_ = false;
  bool uses_item_clocks_ = false;
  std::uint64_t views_ = 0;  ///< changes when another group runs, and at each barrier
  ClockStore store_;
  Group group_;  ///< the group that runs
  std::unordered_map<std::uint64_t, Group> set_aside_;
  std::uint32_t start_ = 1;            ///< the running group's epoch minus its barriers
  std::uint32_t resume_epoch_ = 1;     ///< see resume_epoch()
  std::vector<std::uint32_t> starts_;  ///< [group]: first epoch, if groups began in order
  std::unordered_map<std::uint64_t, std::uint32_t> other_starts_;
  std::unordered_map<std::uint64_t, std::vector<Resumption>> resumptions_;  ///< [group]
  std::array<Objects, kMemories> objects_;
};

}  // namespace transpire::races
