// Canceller: a handle on the scheduler's StopSwitch.
#include "scheduler/stop_switch.h"
#include "transpire/transpire.hpp"

namespace transpire {

Canceller Canceller::create() { return Canceller(std::make_shared<scheduler::StopSwitch>()); }

void Canceller::cancel() const {
  if (state_ != nullptr) state_->stop();
}

bool Canceller::cancelled() const {
  return state_ != nullptr && state_->stopped().load(std::memory_order_relaxed);
}

}  // namespace transpire
