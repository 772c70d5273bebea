#include "runtime/observe.h"

#include "runtime/device.h"

namespace transpire::runtime {

Result<LaunchResult> run_observed(const Device& device, Launch launch, vm::Observer& observer) {
  launch.observed = true;
  return device.state()->run(launch, &observer);
}

}  // namespace transpire::runtime
