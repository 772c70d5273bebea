// Instructions that the work-items of a group execute together: reductions and scans, broadcasts,
// shuffles, ballots, asynchronous copies.
//
// A sub-group always lies within one batch, so its instructions are executed at once, one sub-group
// after the other. A work-group may be spread over several batches: its instructions stop the
// engine like a barrier does, and the scheduler calls complete() once all batches are there.
//
// Compiled once, shared by all instruction sets. Values are combined in the order of the local
// linear ids, from the first to the last, so a floating-point result depends on neither the width
// of a batch nor the number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "vm/exec/engine.h"
#include "vm/exec/texel_writes.h"
#include "vm/program/immediates.h"

namespace transpire::vm::exec {

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
void group_combine_among(const Inst* ip, GroupParts group);
void group_product(const Inst* ip, GroupParts group);
void group_broadcast(const Inst* ip, GroupParts group);
void group_shuffle(const Inst* ip, GroupParts group);
void group_first(const Inst* ip, GroupParts group);
void group_ballot(const Inst* ip, GroupParts group);
void group_sync(const Inst* ip, GroupParts group);
void group_async_copy(const Inst* ip, GroupParts group);
void group_wait_events(const Inst* ip, GroupParts group);
void group_named_barrier_init(const Inst* ip, GroupParts group);

/// Executes an instruction for each sub-group of a batch of which a work-item runs.
void each_subgroup(const Inst* ip, const GroupOperation& operation, Batch* batch,
                   GroupFunction function);

/// A copy between global and workgroup memory that no work-item has waited for yet.
struct PendingCopy {
  std::uint64_t event = 0;
  std::uint64_t target = 0, source = 0;            ///< virtual addresses
  std::uint64_t count = 0;                         ///< elements
  std::uint64_t target_step = 0, source_step = 0;  ///< bytes from one element to the next
  std::uint64_t element_bytes = 0;
  const Inst* instruction = nullptr;
};

/// The state of a work-group besides its memory. Events and named barriers are numbers from 1 on.
struct GroupState {
  std::vector<PendingCopy> pending;
  std::uint64_t events = 0;                   ///< last number given
  std::vector<std::uint64_t> waited;          ///< events that were waited for; --check=sync
  std::vector<std::uint32_t> named_barriers;  ///< by barrier: number of sub-groups it waits for
  /// By asynchronous copies; kBytesPerStep of them are a step of each of the group's work-items.
  std::uint64_t copied_bytes = 0;
  std::unique_ptr<TexelWrites> texels;  ///< writes to read-write images, if a launch checks them

  bool is_clean() const {
    return events == 0 && waited.empty() && copied_bytes == 0 && named_barriers.empty() &&
           texels == nullptr;
  }
};

/// State of the group that contains a lane of the batch.
GroupState& state_of(const Batch& batch, std::uint32_t lane);
/// The group's texel writes, created at the first call.
TexelWrites& texel_writes_of(const Batch& batch, std::uint32_t lane);

/// At a group's end, makes the copies that it left without a wait, and forgets its other state;
/// with `checked`, such a copy is finding R0043. `lane` of the batch is one of the group's
/// work-items. Returns false if the launch is to end there: Batch::stop says why.
bool finish_group(GroupState& state, Batch* batch, std::uint32_t lane, bool checked);

/// Reports the running lanes whose `bytes` at `address` belong to a pending copy.
void check_copies(const Inst* ip, std::byte* r, Batch* batch);

}  // namespace transpire::vm::exec
