#include "scheduler/named_barriers.h"

#include "vm/exec/lane_ids.h"

namespace transpire::scheduler {

using vm::exec::Batch;
using vm::exec::Stop;

bool release_named(UnitRun& run, const std::vector<Part*>& parts) {
  const std::vector<std::uint32_t>& wanted = run.memory.group_states()[0].named_barriers;
  bool some = false;
  for (std::uint64_t barrier = 1; barrier <= wanted.size(); ++barrier) {
    std::vector<Part*> waiting;
    for (Part* part : parts) {
      const Batch& batch = part->fiber->batch;
      if (!part->runs && batch.stop == Stop::kNamedBarrier && batch.named_barrier == barrier)
        waiting.push_back(part);
    }
    if (const std::uint32_t count = wanted[barrier - 1]; count != 0)
      waiting.resize(waiting.size() - waiting.size() % count);
    if (waiting.empty()) continue;
    some = true;
    run.observer->meets(waiting[0]->fiber->batch);
    for (Part* part : waiting) part->runs = true;
  }
  return some;
}

bool report_named(UnitRun& run, const std::vector<Part*>& parts) {
  bool reported = false;
  for (const Part* part : parts) {
    const Batch& batch = part->fiber->batch;
    if (batch.stop != Stop::kNamedBarrier) continue;
    vm::exec::Event event;
    event.rule = static_cast<std::uint16_t>(Rule::kR0046);
    event.instruction = batch.barrier;
    event.lane = vm::exec::lowest_lane(batch.mask);
    run.collector.finding(batch, event);
    reported = true;
  }
  return reported;
}

}  // namespace transpire::scheduler
