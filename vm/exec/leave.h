// Functions by which handlers leave the engine, to go on later or not at all.
#pragma once

#include "vm/exec/handlers.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

/// Leaves the engine; execution goes on at `ip`.
TRANSPIRE_INLINE const Inst* leave_at(const Inst* ip, Stop why, Batch* batch) {
  batch->stop = why;
  batch->ip = ip;
  return nullptr;
}

TRANSPIRE_INLINE bool cancelled(const Batch* batch) {
  return batch->cancel != nullptr && __atomic_load_n(batch->cancel, __ATOMIC_RELAXED);
}

/// Pauses at a terminator: the turn is over, another thread asked for it, or the step budget is
/// used up.
[[maybe_unused]] __attribute__((noinline, cold)) const Inst* pause(const Inst* ip, Batch* batch) {
  if (cancelled(batch)) return leave_at(ip, Stop::kCancelled, batch);
  const bool is_turn = batch->steps_left + batch->steps_kept >= ip->d;
  return leave_at(ip, is_turn ? Stop::kTurn : Stop::kLimit, batch);
}

/// Stops: another thread asked for it, or the step budget is used up.
[[maybe_unused]] __attribute__((noinline, cold)) const Inst* stop(const Inst* ip, Batch* batch) {
  return leave_at(ip, cancelled(batch) ? Stop::kCancelled : Stop::kLimit, batch);
}

}  // namespace
}  // namespace transpire::vm::TRANSPIRE_ISA
