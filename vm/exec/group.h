// Instructions that the work-items of a group execute together: reductions and scans, broadcasts,
// shuffles, ballots, asynchronous copies.
//
// A sub-group always lies within one batch, so its instructions are done where they stand, one sub-group
// after the other. A work-group may be spread over several batches: its instructions stop the engine
// like a barrier does, and whoever runs the batches calls complete() once all are there.
//
// Compiled once, shared by all instruction sets. Values are combined in the order of the local linear
// ids, from the first to the last, so a floating-point result depends on neither the width of a batch
// nor the number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "vm/exec/engine.h"

namespace transpire::vm::exec {

enum class Combine : std::uint8_t {
  kIAdd, kFAdd, kIMul, kFMul, kSMin, kUMin, kFMin, kSMax, kUMax, kFMax, kAnd, kOr, kXor
};
enum class Scan : std::uint8_t { kReduce, kInclusive, kExclusive };

/// What a group instruction does, besides its operands.
struct GroupOperation {
  /// Work-items of a sub-group, or of one of its clusters; a power of two, at most 64. 0: the
  /// instruction concerns the work-group.
  std::uint32_t size = 0;
  bool uniform = false;  ///< of a sub-group: all of it must be there, else finding R0041
  bool checked = false;  ///< --check=sync: findings R0045, R0047
  Combine combine{};
  Scan scan{};
  Kind kind = Kind::kI32;  ///< of the values

  std::uint64_t encode() const {
    return std::uint64_t{size} | std::uint64_t{uniform} << 8 | std::uint64_t{checked} << 9 |
           static_cast<std::uint64_t>(combine) << 16 | static_cast<std::uint64_t>(scan) << 24 |
           static_cast<std::uint64_t>(kind) << 32;
  }
  static GroupOperation decode(std::uint64_t imm) {
    return {static_cast<std::uint32_t>(imm & 0xff), (imm >> 8 & 1) != 0, (imm >> 9 & 1) != 0,
            static_cast<Combine>(imm >> 16 & 0xff), static_cast<Scan>(imm >> 24 & 0xff),
            static_cast<Kind>(imm >> 32 & 0xff)};
  }
};

/// What a wait for events does, besides its operands.
struct WaitOperation {
  std::uint32_t event_bytes = 8;
  bool checked = false;  ///< --check=sync: finding R0045

  std::uint64_t encode() const { return std::uint64_t{event_bytes} | std::uint64_t{checked} << 8; }
  static WaitOperation decode(std::uint64_t imm) {
    return {static_cast<std::uint32_t>(imm & 0xff), (imm >> 8 & 1) != 0};
  }
};

/// Some lanes of a batch, from `begin` up to `end`: of those, the running ones.
struct GroupPart {
  Batch* batch = nullptr;
  std::uint32_t begin = 0, end = 0;
};

/// The work-items of one group, in order.
struct GroupParts {
  const GroupPart* parts = nullptr;
  std::uint32_t count = 0;
};

/// Executes an instruction for one group. Where the launch is to end there, Batch::stop of one of
/// its parts says why.
using GroupFunction = void (*)(const Inst* ip, GroupParts group);

void group_combine(const Inst* ip, GroupParts group);
void group_broadcast(const Inst* ip, GroupParts group);
void group_shuffle(const Inst* ip, GroupParts group);
void group_first(const Inst* ip, GroupParts group);
void group_ballot(const Inst* ip, GroupParts group);
void group_sync(const Inst* ip, GroupParts group);
void group_async_copy(const Inst* ip, GroupParts group);
void group_wait_events(const Inst* ip, GroupParts group);
void group_named_barrier_init(const Inst* ip, GroupParts group);

/// Executes an instruction for each sub-group of a batch of which a work-item runs.
void each_subgroup(const Inst* ip, Batch* batch, GroupFunction function);

/// A copy between global and workgroup memory that somebody has yet to wait for.
struct PendingCopy {
  std::uint64_t event = 0;
  std::uint64_t target = 0, source = 0;  ///< virtual addresses
  std::uint64_t count = 0;               ///< elements
  std::uint64_t target_step = 0, source_step = 0;  ///< bytes from one element to the next
  std::uint64_t element_bytes = 0;
  const Inst* instruction = nullptr;
};

/// What one work-group keeps besides its memory. Events and named barriers are numbers from 1 on.
struct GroupState {
  std::vector<PendingCopy> pending;
  std::uint64_t events = 0;  ///< given so far
  std::vector<std::uint32_t> named_barriers;  ///< how many sub-groups each waits for
  /// By asynchronous copies; kBytesPerStep of them are a step of each of the group's work-items.
  std::uint64_t copied_bytes = 0;

  bool is_clean() const { return events == 0 && copied_bytes == 0 && named_barriers.empty(); }
};

/// Makes the copies that a group left behind and forgets the rest, at its end; with `checked` a copy is
/// finding R0043. `lane` of the batch is one of the group's work-items. False when the launch is to end
/// there: Batch::stop says why.
bool finish_group(GroupState& state, Batch* batch, std::uint32_t lane, bool checked);

/// Reports the running lanes whose `bytes` at `address` belong to a pending copy.
void check_copies(const Inst* ip, std::byte* r, Batch* batch);

}  // namespace transpire::vm::exec
