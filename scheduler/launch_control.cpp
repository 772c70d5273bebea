#include "scheduler/launch_control.h"

#include "scheduler/unit_memory.h"

namespace transpire::scheduler {

LaunchControl::LaunchControl(const LaunchSpec& launch, std::uint64_t unit_count, unsigned threads)
    : spec(launch),
      units(unit_count, threads),
      findings(launch.limits.max_findings),
      running(launch) {}

void LaunchControl::stop_because(LaunchResult::End why) {
  LaunchResult::End expected = LaunchResult::End::kCompleted;
  end.compare_exchange_strong(expected, why);
  __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
}

void LaunchControl::began(const UnitMemory& memory) {
  if (spec.executing == nullptr) return;
  const std::lock_guard lock(counted_mutex);
  counted.push_back(&memory);
}

std::uint64_t LaunchControl::instructions() {
  const std::lock_guard lock(counted_mutex);
  std::uint64_t sum = 0;
  for (const UnitMemory* memory : counted) sum += memory->instructions();
  return sum;
}

}  // namespace transpire::scheduler
