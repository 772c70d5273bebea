// The order in which other threads see memory accesses.
#pragma once

#include "vm/simd/isa.h"

namespace transpire::vm::TRANSPIRE_ISA {

/// kOrder is __ATOMIC_ACQ_REL or stronger.
template <int kOrder>
TRANSPIRE_INLINE void thread_fence() {
#if defined(__SANITIZE_THREAD__)  // which knows no fences
  static std::uint32_t order = 0;
  __atomic_fetch_add(&order, 0, kOrder);
#else
  __atomic_thread_fence(kOrder);
#endif
}

}  // namespace transpire::vm::TRANSPIRE_ISA
