// Availability: says whether a store that happens before another access also reaches it, by the Vulkan memory model (Vulkan, "Memory Model:
// Location-Ordered"). A store must be made available, and a load must have it made visible, by the accesses themselves or by barriers,
// fences and atomics.
//
// Barriers of the group of both work-items are known exactly. An operation of one work-item counts for all other work-items of its scope,
// whether or not it is on the way from the store to the load: so a missing operation may go unnoticed, but none is reported in vain.
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
  /// A group meets at its barrier number `barriers` (Stamp::barriers), with SPIR-V's Memory Semantics and Scope.
  void group_met(std::uint64_t group, std::uint32_t barriers, std::uint32_t semantics,
                 std::uint32_t scope);
  /// A work-item that has released `clock` times executes a fence or an atomic.
  void fence(std::uint32_t item, std::uint32_t clock, std::uint32_t semantics, std::uint32_t scope);
  void group_ends(std::uint64_t group);

  struct End {
    Stamp stamp;
    std::uint64_t group = 0;
    vm::AccessKind kind = vm::AccessKind::kLoad;
    vm::Sharing sharing;
  };
  /// Names the thing that is missing between an access and a later one of another work-item, of which at least one writes.
  vm::exec::Unshared missing(const End& earlier, const End& later, Memory memory) const;

 private:
  struct Memories {
    std::vector<std::uint32_t> available;  ///< barriers of the group that make available, in order
    std::uint32_t visible = 0;             ///< the last barrier that makes visible; 0: none
    std::uint32_t widely_available = 0;    ///< the last one that makes available to other groups
    bool widely_visible = false;
  };
  using Group = std::array<Memories, kMemories>;
  struct Operations {
    std::uint32_t available = 0;  ///< 1 + clock of the last operation that makes available; 0: none
    std::uint32_t widely_available = 0;
    bool visible = false, widely_visible = false;
  };
  using Item = std::array<Operations, kMemories>;

  const Memories* find(std::uint64_t group, Memory memory) const;
  const Operations* find(std::uint32_t item, Memory memory) const;
  bool is_available(const End& store, bool in_group, Memory memory) const;
  bool is_visible(const End& store, const End& load, bool in_group, Memory memory) const;

  std::unordered_map<std::uint64_t, Group> groups_;
  std::unordered_map<std::uint32_t, Item> items_;
};

}  // namespace transpire::races
