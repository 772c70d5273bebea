// Groups of the ops that give a built-in variable's value (vm/ops/builtin.def).
#pragma once

#include "vm/ops/op.h"

namespace transpire::vm::lir {

/// The op has a value for each dimension of the launch; which one, its immediate says.
inline bool has_dimension(Op op) {
  static_assert(Op::kGlobalId < Op::kGlobalOffset && Op::kGlobalOffset < Op::kWorkDim);
  return op >= Op::kGlobalId && op <= Op::kGlobalOffset;
}

/// The value is a size or an offset that all work-items of a group share.
inline bool is_launch_size(Op op) {
  static_assert(Op::kGroupId < Op::kNumGroups && Op::kWorkDim < Op::kGlobalLinearId);
  return op >= Op::kNumGroups && op <= Op::kWorkDim;
}

}  // namespace transpire::vm::lir
