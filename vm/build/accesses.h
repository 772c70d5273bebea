// Accesses: single loads, stores and copies: of a scalar or vector, or of bytes.
#pragma once

#include "vm/build/constant_memory.h"
#include "vm/build/object_place.h"
#include "vm/build/passed_scalars.h"

namespace transpire::vm::builder {

/// The memory operands of an access.
struct MemoryOperands {
  bool is_volatile = false;
  bool is_robust = false;         ///< see Types::is_robust()
  std::uint32_t align_bytes = 0;  ///< from Aligned; 0: not given
  Sharing sharing{};
  ObjectPlace place{};  ///< with --check=uninit: target of a store
};

/// A copy of bytes, as the operands say: those of the side in global memory.
lir::MemAccess byte_access(lir::Space target, lir::Space source, MemoryOperands operands = {});

class Accesses {
 public:
  Accesses(Core& core, Pointers& pointers, ConstantMemory& constant_memory,
           const PassedScalars& passed_scalars);

  /// One access of `components` scalars of a kind.
  ValueList load(lir::MemAccess access, ValueId pointer);
  void store(lir::MemAccess access, ValueId pointer, Values values);
  void copy(ValueId target, ValueId source, ValueId bytes, lir::MemAccess access);
  /// --check=sync: places a check that no asynchronous copy to or from there is pending.
  void check_copies(ValueId pointer, lir::Space space, std::uint64_t bytes, bool writes);

 private:
  const Request& request_;
  Refusals& refusals_;
  Writer& writer_;
  lir::Function& function_;
  Pointers& pointers_;
  ConstantMemory& constant_memory_;
  const PassedScalars& passed_scalars_;
  bool has_events_ = false;  ///< the module has asynchronous copies
};

}  // namespace transpire::vm::builder
