#include "scheduler/deadlock.h"

namespace transpire::scheduler {

void DeadlockWatch::wait() {
  if (waits_) return;
  waits_ = true;
  ++shared_->waiting_;
  rounds_to_look_ = 0;
}

void DeadlockWatch::leave() {
  --shared_->waiting_;
  ++shared_->generation_;
  shared_->returned_ = 0;
  waits_ = false;
}

void DeadlockWatch::stop_waiting() {
  if (!waits_) return;
  const std::lock_guard lock(shared_->mutex_);
  leave();
}

void DeadlockWatch::saw_memory(std::uint64_t memory, std::uint64_t rounds) {
  rounds_to_look_ = rounds;
  if (memory != shared_->memory_) {
    shared_->memory_ = memory;
    ++shared_->generation_;
    shared_->returned_ = 0;
  }
  if (seen_generation_ == shared_->generation_) return;
  seen_generation_ = shared_->generation_;
  has_returned_ = false;
  states_ = {};
}

}  // namespace transpire::scheduler
