// The private memory of a work-item: which variables need bytes there, and where.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "vm/lir/lir.h"
#include "vm/program/program.h"

namespace transpire::vm::emission {

/// Offsets and sizes are bytes of one work-item's memory.
struct PrivateMemory {
  std::vector<PrivateVariable> variables;  ///< without bytes if no instruction names their address
  std::vector<std::uint32_t> offsets;      ///< by variable
  std::vector<Program::PrivateRange> poisoned;
  std::uint32_t bytes = 0;
};

/// Refuses a kernel with more than kMaxPrivateBytes (L0004).
Result<PrivateMemory> lay_out_private_memory(const lir::Function& function);

}  // namespace transpire::vm::emission
