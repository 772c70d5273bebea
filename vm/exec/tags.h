// Pointers that say whose they are. Compiled once, shared by all instruction sets.
#pragma once

#include <cstdint>

#include "memory/translate.h"
#include "vm/exec/engine.h"

namespace transpire::vm::exec {

/// Of the lane's pointers to its own variables in private or Workgroup memory; 0: they have none.
std::uint64_t own_tag(const Batch& batch, std::uint32_t lane, memory::Region region);

/// TagPointer, in the running lanes.
void tag_lanes(const Inst* ip, std::byte* r, const Batch* batch);

}  // namespace transpire::vm::exec
