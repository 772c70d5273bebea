// Canceller: a handle on the scheduler's StopSwitch.
#include "scheduler/stop_switch.h"
#include "transpire/transpire.hpp"

namespace transpire {

Canceller Canceller::create() {
  Canceller canceller;
  canceller.state_ = std::make_shared<scheduler::StopSwitch>();
  return canceller;
}

void Canceller::cancel() const { state_->stop(); }

bool Canceller::cancelled() const { return state_->stopped().load(std::memory_order_relaxed); }

}  // namespace transpire
