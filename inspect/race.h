// Data races: accesses of different work-items to the same memory, one of which at least writes, one of which at least is
// not atomic (or whose scopes do not meet), and which nothing orders (OpenCL API 2.2, "Memory Model: Memory Ordering
// Rules"). Findings are TSP-R0100.
//
// What races does not depend on the order in which the work-items happen to run, as long as they run the same way through
// the kernel: any two accesses that nothing orders are found, however far apart; but of those to one word that are of one kind and that
// nothing orders, 64 are kept.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <spirv/unified1/spirv.hpp11>
#include <unordered_map>
#include <vector>

#include "inspect/happens_before.h"
#include "inspect/shadow.h"
#include "inspect/sync_log.h"
#include "vm/exec/work_item.h"
#include "vm/observe/observer.h"
#include "vm/program/program.h"

namespace transpire::inspect {

/// A range of virtual addresses whose bytes another one has as well: `shift` added to its addresses makes those of both alike.
struct SharedRange {
  std::uint64_t begin = 0, size_bytes = 0;
  std::uint64_t shift = 0;
};

struct RaceOptions {
  bool same_value = false;  ///< also where two work-items store the same value
  /// A fence of global memory is one of images, too: before OpenCL C 2.0 there is none of images alone.
  bool global_orders_images = false;
  /// Of shadow memory. What is touched beyond is not looked at.
  std::uint64_t max_bytes = std::uint64_t{1} << 30;
  /// Of buffers that have bytes in common. An address is in one at most.
  std::vector<SharedRange> shared;
};

/// Whether an atomic may be one without a scope: OpenCL C 1.x has such, and the usual compiler gives them the work-group's.
/// They are meant for all.
inline bool may_have_no_scope(spv::Scope scope, const Semantics& semantics) {
  return scope == spv::Scope::Workgroup && !semantics.orders();
}

/// Watches one launch.
class RaceChecker final : public vm::Observer {
 public:
  RaceChecker(const vm::Program& program, const vm::exec::LaunchIds& ids,
              const RaceOptions& options);

  void group_begins(const std::uint64_t group_id[3]) override;
  void group_goes_on(const std::uint64_t group_id[3]) override;
  void group_ends(const std::uint64_t group_id[3]) override;
  void access(const vm::exec::Batch& batch, const vm::ObservedAccess& access) override;
  void row(const vm::exec::Batch& batch, const vm::ObservedRow& row) override;
  void waits(const vm::exec::Batch& batch, const vm::Inst& barrier) override;
  void meets(const vm::exec::Batch& batch, const vm::Inst& barrier) override;
  void orders(const vm::exec::Batch& batch, const vm::MemoryOrder& order) override;

  /// Whether some memory was not looked at, for want of room.
  bool gave_up() const { return gave_up_ || order_.gave_up(); }

 private:
  struct Now;
  struct Row;
  struct Found {
    Touch other;
    vm::AccessKind kind = vm::AccessKind::kLoad;
  };
  /// A store that races with a store, and is no row's: whether both store the same is known when it was done.
  struct Store {
    const vm::exec::Batch* batch = nullptr;
    vm::ObservedAccess access;
    struct Word {
      Found found;
      const std::byte* at = nullptr;
      std::uint32_t bytes = 0;
      std::array<std::byte, 4> before{};
    };
    std::vector<Word> words;
  };

  Semantics decode(std::uint32_t bits) const {
    const bool adds_images = options_.global_orders_images && (bits & Semantics::kGlobalBit) != 0;
    return Semantics::decode(adds_images ? bits | Semantics::kImageBit : bits);
  }
  struct Waiting {
    std::uint64_t barrier;  ///< a named one
    std::uint32_t item;
    Semantics semantics;
    ScopeInstance where;
  };
  /// Of a group that has begun and not ended.
  struct Group {
    std::uint64_t number = 0;
    bool runs = false;  ///< it has not ended
    std::unique_ptr<Shadow> local;
    Semantics barrier;  ///< that a batch comes to
    std::uint32_t barrier_scope = 2;
    const vm::Inst* barrier_instruction = nullptr;
    /// What the group waits at is one, and no other instruction of groups.
    bool comes_to_barrier = false;
    bool is_split = false;         ///< it is the second half of one
    bool parts_are_split = false;  ///< the last barrier that ordered less than all of its group was
    std::uint64_t splits = 0;      ///< whose second half all have passed
    std::vector<Waiting> waiting;
  };

  std::uint64_t number_of(const std::uint64_t group_id[3]) const;
  bool set_aside();
  std::uint32_t item_of(const vm::exec::Batch& batch, std::uint32_t lane) const;
  ScopeInstance instance(std::uint32_t item, std::uint32_t scope, Memory memory) const;
  void settle();
  void leave(std::uint32_t item, Semantics semantics, const ScopeInstance& where);
  bool looks() const { return counts_ && !order_.gave_up(); }
  Shadow& shadow(Memory memory) { return memory == Memory::kLocal ? *group_.local : global_; }
  Now now_of(const vm::exec::Batch& batch, const vm::ObservedAccess& access);
  std::uint64_t shift_at(std::uint64_t address) const;
  void arrive_at_split(const vm::exec::Batch& batch, const vm::MemoryOrder& order);
  std::uint64_t meeting_of_subgroup(std::uint32_t item) const;
  void meet_in_parts(std::uint32_t first);
  // race_cells.cpp
  void check(const vm::exec::Batch& batch, const vm::ObservedAccess& access, const Now& now,
             const Row* row = nullptr, std::uint64_t skip = 0);
  std::optional<Found> look_at(const Cell& cell, const Now& now);
  std::optional<Found> look_at_others(const Cell& cell, const Now& now);
  bool is_beside_stores(const Cell& cell, const Now& now);
  bool keep(Cell& cell, const Now& now);
  bool keep(std::vector<ScopedTouch>& touches, std::uint64_t& tried, const Now& now);
  bool keep_read(Cell& cell, const Now& now);
  bool races(const Touch& other, const Now& now) const;
  bool scopes_meet(const ScopedTouch& other, const Now& now) const;
  bool races(const ScopedTouch& other, bool other_atomic, const Now& now) const;
  More* more_of(const Cell& cell, const Now& now);
  // race_rows.cpp
  void look_at_row(const vm::exec::Batch& batch, const vm::ObservedRow& row, std::uint64_t shift);
  /// Lanes up to `looked_at` have been looked at; those from there to `next` have to be by cells.
  struct Piece {
    std::uint32_t looked_at, next;
  };
  void look_at_run(Row& row, std::uint32_t first, std::uint32_t end, std::uint64_t step);
  Piece look_at_segments(Row& row, std::uint32_t lane, std::uint32_t end);
  bool look_at_same(Row& row, std::uint32_t first);
  void look_at_lanes(Row& row, std::uint32_t lane, std::uint32_t end);
  template <bool kStores>
  std::uint32_t touch_lanes(Row& row, std::uint32_t lane, std::uint32_t end, std::uint64_t* done);
  void synchronise(const vm::ObservedAccess& access, const Now& now, const Semantics& semantics);
  void fence(std::uint32_t item, const vm::Inst* instruction, const Semantics& semantics,
             std::uint32_t scope);
  void log_atomic(const vm::ObservedAccess& access, const Now& now, const Semantics& semantics);
  vm::exec::BarrierBetween barrier_since(const Stamp& stamp, Memory memory) const;
  void report(const vm::exec::Batch& batch, const vm::ObservedAccess& access, const Found& found);
  const std::vector<vm::exec::NearMiss>& near_misses(const vm::exec::Batch& batch,
                                                     const vm::ObservedAccess& access,
                                                     const Found& found);

  const vm::Program& program_;
  const vm::exec::LaunchIds& ids_;
  RaceOptions options_;
  Budget budget_;
  HappensBefore order_;
  Shadow global_;
  Group group_;  ///< the one that runs
  std::unordered_map<std::uint64_t, Group> set_aside_;
  std::vector<std::unique_ptr<Shadow>> spare_;  ///< of local memory of groups that ended
  std::array<std::uint32_t, vm::exec::kMaxLanes> scope_{}, semantics_{}, unequal_{};  ///< by lane
  std::uint64_t meetings_ = 0;
  std::optional<Store> store_;
  std::optional<SyncLog> log_;  ///< of kernels with atomics
  struct Explained {
    std::uint32_t tries = 0;
    std::vector<vm::exec::NearMiss> near;
  };
  std::map<std::pair<const vm::Inst*, std::uint32_t>, Explained>
      explained_;       ///< by what races, and the other one's place
  bool counts_ = true;  ///< work-items have numbers of 32 bits
  bool gave_up_ = false;
};

}  // namespace transpire::inspect
