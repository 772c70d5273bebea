// RaceChecker: finds data races (TSP-R0100), and in shaders ordered stores that other work-items need not see (TSP-R0107, TSP-R0108). Two accesses of different work-items to the same memory race if at least one writes, at
// least one is not atomic or their scopes do not include each other, and nothing orders them (OpenCL API 2.2, "Memory Model: Memory
// Ordering Rules").
//
// The races found do not depend on the order in which work-items run, as long as they take the same way through the kernel: the checker
// finds any two accesses that nothing orders, however far apart they are. Exception: for one word, it keeps 64 accesses of one kind
// that nothing orders.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <spirv/unified1/spirv.hpp11>
#include <unordered_map>
#include <vector>

#include "races/availability.h"
#include "races/happens_before.h"
#include "races/shadow.h"
#include "races/sync_log.h"
#include "vm/exec/work_item.h"
#include "vm/observe/observer.h"
#include "vm/program/program.h"

namespace transpire::races {

/// A range of virtual addresses that shares its bytes with another range. Adding each range's `shift` to its addresses gives the
/// same address for the same byte.
struct OverlappingRange {
  std::uint64_t begin = 0, size_bytes = 0;
  std::uint64_t shift = 0;
};

struct RaceOptions {
  bool same_value = false;  ///< also report stores of the same value by two work-items
  /// Fences of global memory also order images. OpenCL C before 2.0 has no fence for images alone.
  bool global_orders_images = false;
  /// Limit of the checker's memory. Accesses beyond it are not checked.
  std::uint64_t max_bytes = std::uint64_t{1} << 30;
  /// Ranges of buffers that have bytes in common. No address is in two of them.
  std::vector<OverlappingRange> shared;
};

/// True if an atomic may come from OpenCL C 1.x, whose atomics have no scope. The usual compiler gives them the scope of the
/// work-group, although they apply to all work-items.
inline bool may_have_no_scope(spv::Scope scope, const Semantics& semantics) {
  return scope == spv::Scope::Workgroup && !semantics.orders();
}

/// Observer that checks one launch.
class RaceChecker final : public vm::Observer {
 public:
  /// `program` and `ids` must outlive the checker.
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

  /// True if some accesses were not checked because memory ran out.
  bool gave_up() const {
    return gave_up_ || order_.gave_up() || (availability_ && availability_->gave_up());
  }

 private:
  struct CurrentAccess;
  struct Row;
  /// The earlier access of a race.
  struct Found {
    Touch other;
    vm::AccessKind kind = vm::AccessKind::kLoad;
    vm::exec::Unshared unshared = vm::exec::Unshared::kNone;
  };
  /// A store outside of rows that races with an earlier store. After it was made, a comparison shows whether both stored the same value.
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
  /// A work-item that waits at a named barrier.
  struct Waiting {
    std::uint64_t barrier;  ///< the named barrier
    std::uint32_t item;
    Semantics semantics;
    ScopeInstance where;
  };
  /// State of a group that has begun and not ended.
  struct Group {
    std::uint64_t number = 0;
    bool runs = false;  ///< the group has not ended
    std::unique_ptr<Shadow> local;
    Semantics barrier;  ///< semantics of the barrier that a batch reaches next
    std::uint32_t barrier_scope = 2;
    std::uint32_t barrier_bits = 0;  ///< SPIR-V's Memory Semantics
    const vm::Inst* barrier_instruction = nullptr;
    /// The group waits at a barrier, not at another group instruction.
    bool comes_to_barrier = false;
    bool is_split = false;         ///< that barrier is the second half of a split barrier
    bool parts_are_split = false;  ///< so was the last barrier that ordered less than its group
    std::uint64_t splits = 0;      ///< split barriers that the group has passed
    std::vector<Waiting> waiting;
  };

  std::uint64_t number_of(const std::uint64_t group_id[3]) const;
  bool set_aside();
  std::uint32_t item_of(const vm::exec::Batch& batch, std::uint32_t lane) const;
  ScopeInstance instance(std::uint32_t item, std::uint32_t scope, Memory memory) const;
  void judge_pending_store();
  void leave(std::uint32_t item, Semantics semantics, const ScopeInstance& where);
  bool is_active() const { return counts_ && !order_.gave_up(); }
  Shadow& shadow(Memory memory) { return memory == Memory::kLocal ? *group_.local : global_; }
  CurrentAccess current_access(const vm::exec::Batch& batch, const vm::ObservedAccess& access);
  std::uint64_t shift_at(std::uint64_t address) const;
  bool judges_sharing(Memory memory) const;
  void arrive_at_split(const vm::exec::Batch& batch, const vm::MemoryOrder& order);
  std::uint64_t meeting_of_subgroup(std::uint32_t item) const;
  void meet_in_parts(std::uint32_t first);
  // race_cells.cpp
  void check(const vm::exec::Batch& batch, const vm::ObservedAccess& access,
             const CurrentAccess& now, const Row* row = nullptr, std::uint64_t skip = 0);
  std::optional<Found> race_in(const Cell& cell, const CurrentAccess& now);
  std::optional<Found> race_with_non_stores(const Cell& cell, const CurrentAccess& now);
  std::optional<Found> unshared_in(const Cell& cell, const CurrentAccess& now);
  bool races_with_stores(const Cell& cell, const CurrentAccess& now);
  bool keep(Cell& cell, const CurrentAccess& now);
  bool keep(std::vector<ScopedTouch>& touches, std::uint64_t& tried, const CurrentAccess& now);
  bool keep_read(Cell& cell, const CurrentAccess& now);
  bool races(const Touch& other, const CurrentAccess& now) const;
  bool scopes_meet(const ScopedTouch& other, const CurrentAccess& now) const;
  bool races(const ScopedTouch& other, bool other_atomic, const CurrentAccess& now) const;
  CellLists* lists_of(const Cell& cell, const CurrentAccess& now);
  // race_rows.cpp
  void check_row(const vm::exec::Batch& batch, const vm::ObservedRow& row, std::uint64_t shift);
  /// Progress in a run of lanes: lanes before `checked` are checked, lanes from there to `next` must be checked cell by cell.
  struct Piece {
    std::uint32_t checked, next;
  };
  void check_run(Row& row, std::uint32_t first, std::uint32_t end, std::uint64_t step);
  Piece check_segments(Row& row, std::uint32_t lane, std::uint32_t end);
  bool check_same_address(Row& row, std::uint32_t first);
  void check_lanes(Row& row, std::uint32_t lane, std::uint32_t end);
  template <bool kStores>
  std::uint32_t touch_lanes(Row& row, std::uint32_t lane, std::uint32_t end, std::uint64_t* done);
  void synchronise(const vm::ObservedAccess& access, const CurrentAccess& now,
                   const Semantics& semantics);
  /// `semantics`: SPIR-V's, of a fence or an atomic.
  void note_availability(std::uint32_t item, std::uint32_t semantics, std::uint32_t scope);
  void fence(std::uint32_t item, const vm::Inst* instruction, const Semantics& semantics,
             std::uint32_t scope);
  void log_atomic(const vm::ObservedAccess& access, const CurrentAccess& now,
                  const Semantics& semantics);
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
  Group group_;  ///< the group that runs
  std::unordered_map<std::uint64_t, Group> set_aside_;
  std::vector<std::unique_ptr<Shadow>> spare_;  ///< local memory's shadows of groups that ended
  std::array<std::uint32_t, vm::exec::kMaxLanes> scope_{}, semantics_{}, unequal_{};  ///< [lane]
  std::uint64_t meetings_ = 0;
  std::optional<Store> pending_store_;
  std::optional<SyncLog> log_;                ///< only for kernels with atomics
  std::optional<Availability> availability_;  ///< only for kernels with Site::sharing
  bool shares_locally_ = false;               ///< accesses of local memory may have a Site::sharing
  struct Explained {
    std::uint32_t tries = 0;
    std::vector<vm::exec::NearMiss> near;
  };
  std::map<std::pair<const vm::Inst*, std::uint32_t>, Explained>
      explained_;       ///< by instruction of the access and place of the other one
  bool counts_ = true;  ///< numbers of all work-items fit into 32 bits
  bool gave_up_ = false;
};

}  // namespace transpire::races
