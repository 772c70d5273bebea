// How handlers leave the engine, to go on later or not at all.
#pragma once

#include "vm/exec/handlers.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

/// Who goes on does so at `ip`.
TRANSPIRE_INLINE const Inst* leave_at(const Inst* ip, Stop why, Batch* batch) {
  batch->stop = why;
  batch->ip = ip;
  return nullptr;
}

TRANSPIRE_INLINE bool cancelled(const Batch* batch) {
  return batch->cancel != nullptr && __atomic_load_n(batch->cancel, __ATOMIC_RELAXED);
}

/// Somebody asked for it, or the step budget is used up.
[[maybe_unused]] __attribute__((noinline, cold)) const Inst* stop(const Inst* ip, Batch* batch) {
  return leave_at(ip, cancelled(batch) ? Stop::kCancelled : Stop::kLimit, batch);
}

}  // namespace
}  // namespace transpire::vm::TRANSPIRE_ISA
