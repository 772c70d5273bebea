// Rough costs of ops on rows: enough to decide which values may be computed for nothing.
#pragma once

#include "vm/lir/lir.h"

namespace transpire::vm::lir {

/// A value that may be computed anywhere its operands are known, any number of times.
inline bool is_movable(const Value& value) {
  const OpInfo& op = info(value.op);
  return op.shape != Shape::kValue && op.is_pure();
}

/// One or two instructions a vector.
inline bool is_cheap(const Value& value) {
  return is_movable(value) && (info(value.op).cheap & bit(operand_kind(value))) != 0;
}

}  // namespace transpire::vm::lir
