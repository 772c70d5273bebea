#include "tests/scheduler/fake_program.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

namespace transpire::test {
namespace {

Record& record_of(const Inst* ip) { return *reinterpret_cast<Record*>(ip->imm); }

template <class Visitor>
void each_lane(const Batch& batch, Visitor visit) {
  for (std::uint32_t lane = 0; lane < vm::exec::kMaxLanes; ++lane)
    if (has_lane(batch.mask, lane)) visit(lane);
}

bool any(const std::uint64_t* mask) {
  return std::any_of(mask, mask + vm::exec::kMaxMaskWords, [](std::uint64_t w) { return w != 0; });
}

const Inst* leave(Batch* batch, Stop stop, const Inst* next) {
  batch->stop = stop;
  batch->ip = next;
  return nullptr;
}

}  // namespace

bool has_lane(const std::uint64_t* mask, std::uint32_t lane) {
  return (mask[lane / 64] >> (lane % 64) & 1) != 0;
}

const Inst* record(const Inst* ip, std::byte*, Batch* batch) {
  Record& record = record_of(ip);
  const std::lock_guard lock(record.mutex);
  record.batches.insert(batch);
  each_lane(*batch, [&](std::uint32_t lane) {
    record.visits.push_back({work_item(*batch, lane),
                             {batch->local_size[0], batch->local_size[1], batch->local_size[2]}});
  });
  return ip + 1;
}

const Inst* count_batch(const Inst* ip, std::byte*, Batch* batch) {
  ++record_of(ip).batch_runs;
  batch->steps += 1;
  return ip + 1;
}

const Inst* end(const Inst*, std::byte*, Batch* batch) {
  std::fill_n(batch->live, vm::exec::kMaxMaskWords, 0);
  return leave(batch, Stop::kDone, nullptr);
}

const Inst* barrier(const Inst* ip, std::byte*, Batch* batch) {
  batch->barrier = ip;
  return leave(batch, Stop::kBarrier, ip + 1);
}

const Inst* end_below(const Inst* ip, std::byte* r, Batch* batch) {
  each_lane(*batch, [&](std::uint32_t lane) {
    if (batch->local_id[0][lane] >= ip->imm) return;
    batch->mask[lane / 64] &= ~(std::uint64_t{1} << (lane % 64));
    batch->live[lane / 64] &= ~(std::uint64_t{1} << (lane % 64));
  });
  return any(batch->mask) ? ip + 1 : end(ip, r, batch);
}

const Inst* skip_next_from(const Inst* ip, std::byte*, Batch* batch) {
  return batch->local_id[0][0] < ip->imm ? ip + 1 : ip + 2;
}

const Inst* spin(const Inst* ip, std::byte* r, Batch* batch) {
  for (;;) {
    ++*reinterpret_cast<std::uint64_t*>(r);
    each_lane(*batch, [&](std::uint32_t) {
      __atomic_store_n(&batch->steps, batch->steps + 1, __ATOMIC_RELAXED);
    });
    if (__atomic_load_n(batch->cancel, __ATOMIC_RELAXED)) return leave(batch, Stop::kCancelled, ip);
    if (batch->steps_left == 0)
      return leave(batch, batch->steps_kept != 0 ? Stop::kTurn : Stop::kLimit, ip);
    --batch->steps_left;
  }
}

const Inst* fault(const Inst* ip, std::byte*, Batch* batch) {
  vm::exec::Event event;
  event.rule = static_cast<std::uint16_t>(Rule::kR0060);
  event.instruction = ip;
  event.lanes = 0;
  bool first = true;
  each_lane(*batch, [&](std::uint32_t lane) {
    if (first) event.lane = lane;
    first = false;
    ++event.lanes;
  });
  batch->sink->finding(*batch, event);
  return ip + 1;
}

const Inst* fault_in_group(const Inst* ip, std::byte* r, Batch* batch) {
  return batch->group_id[0] == ip->imm ? fault(ip, r, batch) : ip + 1;
}

const Inst* dawdle(const Inst* ip, std::byte*, Batch* batch) {
  const std::uint64_t times = batch->group_id[0] < 3 ? 4 : 1;
  std::this_thread::sleep_for(std::chrono::milliseconds(ip->imm * times));
  return ip + 1;
}

const Inst* print_id(const Inst* ip, std::byte*, Batch* batch) {
  auto* record = reinterpret_cast<Record*>(ip->imm);
  each_lane(*batch, [&](std::uint32_t lane) {
    const std::string text = std::to_string(work_item(*batch, lane).global_id[0]) + " ";
    const bool kept = batch->sink->print(*batch, lane, text.data(), text.size());
    if (kept && record != nullptr) ++record->batch_runs;
  });
  return ip + 1;
}

const Inst* count_in_workgroup(const Inst* ip, std::byte*, Batch* batch) {
  each_lane(*batch, [&](std::uint32_t lane) {
    const std::uint32_t base =
        batch->packed_workgroup_base != nullptr ? batch->packed_workgroup_base[lane] : 0;
    auto* words = reinterpret_cast<std::uint32_t*>(batch->workgroup_memory + base);
    for (std::uint64_t i = 0; i < ip->imm; ++i) ++words[i];
    const std::string text = std::to_string(words[0]) + " ";
    batch->sink->print(*batch, lane, text.data(), text.size());
  });
  return ip + 1;
}

void set_code(vm::Program& program, std::vector<Inst> code, std::uint32_t lanes) {
  code.push_back(make(end));
  program.lanes = lanes;
  program.mask_words = (lanes + 63) / 64;
  program.register_bytes = 64;
  program.code = std::move(code);
  program.sources.assign(1, {});
  program.sites.assign(program.code.size(), {});
  program.block_entry = {program.code.data()};
  program.uses_barrier =
      std::any_of(program.code.begin(), program.code.end(),
                  [](const Inst& instruction) { return instruction.run == barrier; });
}

vm::exec::LaunchIds make_ids(const Sizes& sizes) {
  vm::exec::LaunchIds ids;
  ids.work_dim = 3;
  std::copy_n(sizes.global.begin(), 3, ids.global_size);
  std::copy_n(sizes.local.begin(), 3, ids.enqueued_local_size);
  std::copy_n(sizes.offset.begin(), 3, ids.global_offset);
  std::copy_n(count_groups(ids.global_size, ids.enqueued_local_size).begin(), 3, ids.num_groups);
  return ids;
}

Outcome run_once(vm::Program& program, const Sizes& sizes, const RunOnceOptions& options) {
  program.packed = options.packed || options.flowing;
  const GeometryPlan plan(make_ids(sizes), program.lanes,
                          options.flowing  ? Filling::kFlowing
                          : options.packed ? Filling::kPacked
                                           : Filling::kByGroup);
  ThreadPool pool(options.threads);
  Team team(program, plan, options.workgroup_bytes, options.threads);
  const memory::AddressSpace space(8);
  LaunchSpec spec;
  spec.memory = &space;
  spec.limits = options.limits;
  spec.progress = options.progress;
  spec.executing = options.executing;
  return run(spec, team, pool);
}

}  // namespace transpire::test
