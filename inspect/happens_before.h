// Happens-before, as the memory model of OpenCL has it (OpenCL API 2.2, "Memory Model: Memory Ordering Rules"): which
// accesses of other work-items come before what a work-item does now. There are two such relations, one for each of local memory,
// global memory and images, and what synchronises in one does not in another, but where the model says so.
//
// One group runs at a time (vm/observe/observer.h). It has a state, and so have those that were set aside because they wait
// for others. What is left of the rest is what they released: vector clocks of each release sequence of an atomic object.
//
// A work-item's clock counts its releases; a group's counts its barriers. An access is known by both when it was made
// (Stamp). A barrier orders whole groups and costs a number; what atomics and fences order is in vector clocks (Clocks), of which
// a work-item has its own from its first acquire on.
//
// Barriers are counted on from group to group as epochs: each is of one group, and the later the greater. A group that goes on
// has other ones than before.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "inspect/budget.h"
#include "inspect/clocks.h"

namespace transpire::inspect {

enum class Memory : std::uint8_t { kLocal, kGlobal, kImage };
inline constexpr std::size_t kMemories = 3;
constexpr std::size_t index(Memory memory) { return static_cast<std::size_t>(memory); }

/// Scopes of SPIR-V that order accesses, by number.
inline constexpr std::uint32_t kDevice = 1, kWorkgroup = 2, kSubgroup = 3;

/// When a work-item did something.
struct Stamp {
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  std::uint32_t item = kNobody;  ///< its number in the launch: group after group
  /// Of a group's copy that was waited for, in the place of releases: this, and how many there were of the group before.
  static constexpr std::uint32_t kCopy = 0x80000000u;
  std::uint32_t clock = 0;     ///< its releases so far
  std::uint32_t barriers = 0;  ///< its group's so far
  bool exists() const { return item != kNobody; }
  bool is_copy() const { return (clock & kCopy) != 0; }
};

/// SPIR-V's Memory Semantics, as far as they order.
struct Semantics {
  static constexpr std::uint32_t kLocalBit = 0x100, kGlobalBit = 0x200, kImageBit = 0x800;
  bool acquires = false, releases = false;
  bool sequential = false;                 ///< sequentially consistent
  std::array<bool, kMemories> memories{};  ///< of fences and barriers: which memory's accesses
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

/// Among whom: two actions synchronise where both have the same scope, and its same instance. The number of a work-group is its
/// own, that of a sub-group its group's, shifted by 32, and its own.
struct ScopeInstance {
  std::uint32_t scope = 1;  ///< spv::Scope
  std::uint64_t number = 0;
  bool operator==(const ScopeInstance&) const = default;
};

/// The order of one launch.
class HappensBefore {
 public:
  /// `group_items`: work-items of a full group. What it notes is taken from the budget, if any. Without `atomics_store`,
  /// all atomics that modify read, too, and less has to be noted.
  explicit HappensBefore(std::uint32_t group_items, Budget* budget = nullptr,
                         bool atomics_store = true)
      : group_items_(group_items), budget_(budget), atomics_store_(atomics_store), store_(budget) {}

  /// What the one that runs had is needed no longer.
  void group_begins(std::uint64_t group);
  /// The group that runs has not ended, and another one follows.
  void set_aside();
  /// One that was set aside; the one that ran is over, or was, too.
  void group_goes_on(std::uint64_t group);
  Stamp now(std::uint32_t item) const;
  /// The clock of a copy that the group that runs has waited for now: see Stamp.
  std::uint32_t copy() { return Stamp::kCopy | group_.copies++; }
  /// Whether what was stamped comes before what the item, of the group that runs, does now.
  bool ordered(const Stamp& before, std::uint32_t item, Memory memory) const;
  /// Of what the group that runs does now.
  std::uint32_t epoch() const { return start_ + group_.barriers; }
  /// Its first one since it began or last went on.
  std::uint32_t gone_on() const { return gone_on_; }
  /// Its first one of all, of what is over for all of it.
  std::uint32_t start() const { return group_.start; }
  /// The first one since gone_on() that is not ordered before what comes now in all of its work-items.
  std::uint32_t fence(Memory memory) const {
    return std::max(gone_on_, start_ + group_.fenced[static_cast<std::size_t>(memory)]);
  }
  Stamp stamp(std::uint32_t item, std::uint32_t clock, std::uint32_t epoch) const {
    return {item, clock, barriers_at(item / group_items_, epoch)};
  }
  /// There was no memory for all releases, or no number for an epoch: nothing can be said any longer, and nothing else of
  /// this is to be called but forget().
  bool gave_up() const { return gave_up_ || store_.ran_out(); }
  /// Frees what it noted.
  void forget();
  bool in_group(const Stamp& stamp) const { return stamp.item / group_items_ == group_.number; }
  /// Whether the stamp's barriers are fewer than the group's that runs.
  bool passed_barrier(const Stamp& stamp) const { return stamp.barriers < group_.barriers; }
  /// Whether one of these, which named the memory, ordered less than all of the group.
  bool passed_in_parts(const Stamp& stamp, Memory memory) const {
    return stamp.barriers < group_.in_parts[static_cast<std::size_t>(memory)];
  }
  /// From now on something but barriers of whole groups orders memory; until then only those are looked at.
  void refine();
  bool fine() const { return fine_; }
  /// Of what is ordered before what the item does now: work-items of the group that runs have the same number where the same is.
  std::uint64_t view(std::uint32_t item, Memory memory) const;
  std::uint32_t group_items() const { return group_items_; }

  /// All work-items of the group have met at a barrier.
  void group_met(const Semantics& semantics);
  /// Likewise, at one that does not order all of them: what it orders is said by others of these functions.
  void group_met_in_parts(const Semantics& semantics);
  /// A barrier of some: each of `arrived` releases to `meeting`, then each of them acquires what is in it.
  void arrive(std::uint32_t item, const Semantics& semantics, std::uint64_t meeting);
  void leave(std::uint32_t item, const Semantics& semantics, std::uint64_t meeting);
  /// All have left, and nobody arrives any more.
  void meeting_ends(std::uint64_t meeting);

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
  /// What a release makes known: all that the work-item did before, and all that it knew.
  struct Snapshot {
    std::uint32_t clock = 0;   ///< what the item did with this clock or before
    std::uint32_t copies = 0;  ///< what its group had copied: of so many copies
    std::array<std::uint32_t, kMemories> fenced{};  ///< what its group did with fewer barriers
    std::array<Clocks, kMemories> known;
  };
  /// A release fence, which atomics behind it complete.
  struct Fence {
    Snapshot snapshot;
    Semantics semantics;
    ScopeInstance where;
  };
  /// Why something orders the memory that its atomic object does not lie in: two operations that are sequentially
  /// consistent (which order no images), or two fences of both memories; instead of these, of images, atomics whose
  /// semantics name them. kNone: it orders that of the object.
  enum class Across : std::uint8_t { kNone, kSequential, kFences };
  /// Whether semantics are such, of an object in `object` and for what `memory` is. `is_fence`: of a fence, not of an atomic.
  static bool crosses(const Semantics& semantics, Across across, bool is_fence, Memory object,
                      Memory memory);
  /// What atomics read, for an acquire fence behind them.
  struct Read {
    ScopeInstance where;
    Across across;
    Memory memory;  ///< what it orders
    Memory object;  ///< where the atomic objects lie
    Clocks clocks;
  };
  struct ItemState {
    std::uint32_t clock = 0;
    std::array<Clocks, kMemories> known;  ///< none, or all that its group's are, too
    std::vector<Fence> fences;            ///< the last one of each scope
    std::vector<Read> reads;
  };
  /// A release sequence of an atomic object for one scope and for what it orders; or several of them that nothing has
  /// ended.
  struct Log {
    ScopeInstance where;
    Across across;
    Memory memory;
    Clocks clocks;  ///< what they make known
    /// By item: what its own do, which a store of its own goes on from. Where atomics store.
    std::unordered_map<std::uint32_t, Clocks> heads;
    /// Whose all releases are: then its head is the only one, and has all of `clocks`. Or nobody.
    std::uint32_t only = Stamp::kNobody;
    std::size_t look_through = 64;  ///< with so many heads, those are looked for that are over
    Charge charge;
  };

  /// As an atomic object in that memory sees it: in local memory no scope is wider than the group's.
  ScopeInstance seen_by(const ScopeInstance& where, Memory object) const;
  /// The epoch at which a group began.
  std::uint32_t start_of(std::uint64_t group) const {
    if (group < starts_.size()) return starts_[group];
    const auto found = other_starts_.find(group);
    return found == other_starts_.end() ? start_ : found->second;
  }
  /// How many barriers a group had passed at one of its epochs.
  std::uint32_t barriers_at(std::uint64_t group, std::uint32_t epoch) const;
  using Objects = std::unordered_map<std::uint64_t, std::vector<Log>>;
  Objects& objects(Memory memory) {
    return memory == Memory::kLocal ? group_.objects : objects_[static_cast<std::size_t>(memory)];
  }
  std::uint64_t set_aside_bytes() const;
  ItemState& state(std::uint32_t item) { return group_.items[item % group_items_]; }
  const ItemState& state(std::uint32_t item) const { return group_.items[item % group_items_]; }
  Snapshot snapshot(std::uint32_t item) const;
  bool tells_of(const Clocks& clocks, const Stamp& stamp) const;
  /// The work-item knows from now on what these clocks tell of.
  void learn(ItemState& state, Memory memory, const Clocks& clocks);
  /// The clocks tell from now on of what a release of the item makes known.
  void tell(Clocks& clocks, std::uint32_t item, const Snapshot& snapshot, Memory memory);
  /// Of a group that has begun.
  bool is_over(std::uint64_t group) const {
    return group != group_.number && !set_aside_.contains(group);
  }
  void acquire(ItemState& state, const Atomic& atomic, const std::vector<Log>& logs);
  void read(ItemState& state, const Log& log, Memory object);
  /// Whether only work-items of another group are in it.
  bool is_others(const ScopeInstance& where) const;
  Log& log_of(std::vector<Log>& logs, const ScopeInstance& where, Across across, Memory memory);
  void append(Log& log, std::uint32_t item, const Snapshot& snapshot);
  /// The heads of groups that are over, which no store will go on from.
  void forget_heads(Log& log);
  /// To all logs of an object in `object` that the semantics are for.
  void append_all(std::vector<Log>& logs, const ScopeInstance& where, Memory object,
                  const Semantics& semantics, bool is_fence, std::uint32_t item,
                  const Snapshot& snapshot);
  void release(std::uint32_t item, const Atomic& atomic, std::vector<Log>& logs);
  /// What is noted until the launch ends, or its group does.
  void note(std::uint64_t bytes);
  void note_in_group(std::uint64_t bytes);

  /// Of a group that has begun and not ended.
  struct Group {
    std::uint64_t number = 0;
    std::uint32_t start = 1;                               ///< epoch of its barrier 0
    std::uint32_t barriers = 1;                            ///< 0 is for what is over for all of it
    std::uint32_t copies = 0;                              ///< that were waited for
    std::array<std::uint32_t, kMemories> fenced{1, 1, 1};  ///< what has fewer barriers is ordered
    std::array<std::uint32_t, kMemories> in_parts{};       ///< what has fewer passed such a barrier
    std::array<Clocks, kMemories> known;                   ///< by all of it
    std::vector<ItemState> items;
    std::unordered_map<std::uint64_t, std::array<Clocks, kMemories>> meetings;
    Objects objects;  ///< in its local memory
    Charge charge;    ///< note_in_group()
  };
  /// Since a group went on: its epochs up to `last` are of so many barriers, those behind it of more.
  struct GoneOn {
    std::uint32_t first, last, barriers;
  };

  std::uint32_t group_items_;
  Budget* budget_;
  bool atomics_store_;
  bool gave_up_ = false;
  bool fine_ = false;
  std::uint64_t views_ = 0;  ///< another number for each group that runs, and behind each barrier
  ClockStore store_;
  Group group_;  ///< the one that runs
  std::unordered_map<std::uint64_t, Group> set_aside_;
  std::uint32_t start_ = 1;            ///< its epochs are this one and its barriers
  std::uint32_t gone_on_ = 1;          ///< its first one since no other group has run
  std::vector<std::uint32_t> starts_;  ///< by group, of those that came in their order
  std::unordered_map<std::uint64_t, std::uint32_t> other_starts_;
  std::unordered_map<std::uint64_t, std::vector<GoneOn>> went_on_;  ///< by group
  std::array<Objects, kMemories> objects_;
};

}  // namespace transpire::inspect
