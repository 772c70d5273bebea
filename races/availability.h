// Availability: says whether a store that happens before another access also reaches it, by the Vulkan memory model (Vulkan, "Memory Model:
// Location-Ordered"). A store must be made available, and a load must have it made visible, by the accesses themselves or by barriers,
// fences and atomics.
//
// Barriers of the group of both work-items are known exactly. An operation of one work-item counts for all other work-items of its scope,
// whether or not it is on the way from the store to the load: so a missing operation may go unnoticed, but none is reported in vain.
// Operations also go on from each other (availability and visibility chains): what a barrier or the store's work-item makes available to
// the group, any work-item of the group makes available to other groups later, and the other way round for loads.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "races/happens_before.h"
#include "vm/exec/work_item.h"
#include "vm/observe/observer.h"
#include "vm/program/sites.h"

namespace transpire::races {

class Availability {
 public:
  /// `budget` pays for all notes, and must outlive them; null: no limit.
  explicit Availability(Budget* budget = nullptr) : budget_(budget) {}

  /// A group meets at its barrier number `barriers` (Stamp::barriers), with SPIR-V's Memory Semantics and Scope.
  void group_met(std::uint64_t group, std::uint32_t barriers, std::uint32_t semantics,
                 std::uint32_t scope);
  /// A work-item of a group executes a fence or an atomic. `now`: its stamp.
  void fence(std::uint64_t group, const Stamp& now, std::uint32_t semantics, std::uint32_t scope);
  void group_ends(std::uint64_t group);

  struct End {
    Stamp stamp;
    std::uint64_t group = 0;
    vm::AccessKind kind = vm::AccessKind::kLoad;
    vm::Sharing sharing;
  };
  /// Names the thing that is missing between an access and a later one of another work-item, of which at least one writes.
  vm::exec::Unshared missing(const End& earlier, const End& later, Memory memory) const;
  /// The last barrier of a group of which it is known that stores before it reach all loads of the group after its last barrier; 0: none.
  std::uint32_t shares_until(std::uint64_t group, Memory memory) const;
  /// True if memory for the notes ran out. Nothing is then missing for want of an operation.
  bool gave_up() const { return gave_up_; }

 private:
  /// Time of an operation. In a group that has passed n barriers: 2 n, and 2 n + 1 for the next barrier itself. For a work-item's own
  /// operations: 1 + its releases so far. 0: there was none.
  using Time = std::uint64_t;
  static constexpr Time kNever = ~Time{0};
  struct Operations {
    Time available = 0, widely_available = 0;  ///< the last ones; widely: also to other groups
    Time visible = 0;                          ///< the last one
    Time widely_visible = 0;                   ///< the first one
    void note(Time time, std::uint32_t semantics, std::uint32_t scope);
  };
  struct Group {
    struct In {
      Operations barriers;
      Operations items;             ///< operations of its work-items
      std::vector<Time> available;  ///< barriers that make available, in order
    };
    std::array<In, kMemories> in;
    std::unordered_map<std::uint32_t, std::array<Operations, kMemories>> items;
    Charge charge;
  };

  Group* note_in(std::uint64_t group, std::uint32_t semantics);
  void pay(Group& group, std::uint64_t bytes);
  const Group* find(std::uint64_t group) const;
  static Operations own(const Group& group, std::uint32_t item, Memory memory);
  Time available_since(const End& store, Memory memory) const;
  bool is_available(const End& store, bool in_group, Memory memory) const;
  bool is_visible(const End& store, const End& load, bool in_group, Memory memory) const;

  Budget* budget_;
  bool gave_up_ = false;
  std::unordered_map<std::uint64_t, Group> groups_;
};

}  // namespace transpire::races
