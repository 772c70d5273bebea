// What a loop waits for that can never end.
#pragma once

#include <vector>

#include "scheduler/collector.h"

namespace transpire::scheduler {

/// Lanes that wait for the same memory.
struct Spinning {
  /// Of the loop, that reads it; where the loop reads none, its end.
  const vm::Inst* instruction = nullptr;
  const memory::Allocation* allocation = nullptr;
  std::uint64_t address = 0, size_bytes = 0;
  std::uint64_t value = 0;  ///< that is there
  Lanes lanes{};
};

/// What the running lanes of a batch wait for that was stopped where a loop goes round.
std::vector<Spinning> spinning_in(const vm::exec::Batch& batch);

}  // namespace transpire::scheduler
