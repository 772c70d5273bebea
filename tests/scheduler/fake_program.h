// Programs whose instructions are handlers of the tests, so that the scheduler can be watched
// without a kernel.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <tuple>
#include <vector>

#include "scheduler/launch.h"
#include "vm/program/program.h"

namespace transpire::test {

using namespace scheduler;
using vm::Inst;
using vm::exec::Batch;
using vm::exec::Stop;

/// One visit of one lane to the record handler.
struct Visit {
  vm::exec::WorkItem item;
  std::uint64_t local_size[3];
  bool operator<(const Visit& other) const {
    return std::tie(item.global_id, item.group_id, item.local_id) <
           std::tie(other.item.global_id, other.item.group_id, other.item.local_id);
  }
};

/// What the handlers of one program write.
struct Record {
  std::mutex mutex;
  std::vector<Visit> visits;
  std::set<const Batch*> batches;             ///< that visited
  std::vector<std::uint32_t> round_of_visit;  ///< how many barriers the work-item had passed
  std::atomic<std::uint64_t> batch_runs{0};
};

bool has_lane(const std::uint64_t* mask, std::uint32_t lane);

/// Records every lane of the mask; goes on.
const Inst* record(const Inst* ip, std::byte* r, Batch* batch);
/// Counts a batch; goes on.
const Inst* count_batch(const Inst* ip, std::byte* r, Batch* batch);
/// The lanes end.
const Inst* end(const Inst* ip, std::byte* r, Batch* batch);
/// Waits at a barrier.
const Inst* barrier(const Inst* ip, std::byte* r, Batch* batch);
/// Lanes whose LocalId[0] is below imm end; goes on with the others.
const Inst* end_below(const Inst* ip, std::byte* r, Batch* batch);
/// Batches whose first LocalId[0] is not below imm skip the next instruction.
const Inst* skip_next_from(const Inst* ip, std::byte* r, Batch* batch);
/// An endless loop, unless the step limit or `cancel` ends it.
const Inst* spin(const Inst* ip, std::byte* r, Batch* batch);
/// A finding of every lane in the mask; goes on.
const Inst* fault(const Inst* ip, std::byte* r, Batch* batch);
/// The same, in group imm only.
const Inst* fault_in_group(const Inst* ip, std::byte* r, Batch* batch);
/// Takes imm milliseconds, longer in groups of a low number; goes on. Nothing stops it.
const Inst* dawdle(const Inst* ip, std::byte* r, Batch* batch);
/// Prints the global id of every lane; goes on. The Record that imm may point to counts what was
/// kept as batch runs.
const Inst* print_id(const Inst* ip, std::byte* r, Batch* batch);
/// Adds 1 to every 4-byte word of the lane's group's local memory, imm words; goes on.
const Inst* count_in_workgroup(const Inst* ip, std::byte* r, Batch* batch);

inline Inst make(vm::Handler handler, std::uint64_t imm = 0) {
  return {handler, 0, 0, 0, 0, {imm}};
}
inline Inst make(vm::Handler handler, Record& record) {
  return make(handler, reinterpret_cast<std::uintptr_t>(&record));
}

/// A program of these instructions. `code` is completed by `end`.
void set_code(vm::Program& program, std::vector<Inst> code, std::uint32_t lanes = 64);

struct Sizes {
  std::array<std::uint64_t, 3> global{1, 1, 1};
  std::array<std::uint64_t, 3> local{1, 1, 1};
  std::array<std::uint64_t, 3> offset{0, 0, 0};
};
vm::exec::LaunchIds make_ids(const Sizes& sizes);

/// Runs a program once.
struct RunOnceOptions {
  unsigned threads = 1;
  bool packed = false;
  bool flowing = false;  ///< instead of packed
  std::uint64_t workgroup_bytes = 0;
  Limits limits{};
  const std::function<bool(std::uint64_t, std::uint64_t)>* progress = nullptr;
  const std::function<void(std::uint64_t)>* executing = nullptr;
};
scheduler::Outcome run_once(vm::Program& program, const Sizes& sizes,
                            const RunOnceOptions& options = {});

}  // namespace transpire::test
