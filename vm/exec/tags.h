// Tags of pointers, which name the owner. Compiled once, shared by all instruction sets.
#pragma once

#include <cstdint>

#include "memory/translate.h"
#include "vm/exec/engine.h"

namespace transpire::vm::exec {

/// The owner of the memory that a tag means.
enum class Holder : std::uint8_t {
  kOwn,          ///< the lane's
  kEarlierLife,  ///< the lane's, and the variable has begun to live again since
  kOther,        ///< another work-item's or group's, or none
};
/// The holder that a tag names, other than 0, in the allocation that its address leads to.
Holder holder_of(const Batch& batch, std::uint32_t lane, const memory::Allocation& allocation,
                 std::uint64_t tag);

/// TagPointer and TagLife, in the running lanes.
void tag_lanes(const Inst* ip, std::byte* r, const Batch* batch);
void tag_lives(const Inst* ip, std::byte* r, const Batch* batch);

}  // namespace transpire::vm::exec
