// How pointers pass from value to value.
#pragma once

#include "vm/lir/lir.h"

namespace transpire::vm::lir {

/// True if the value is the pointer `operand`, may be it, or is an address computed from it.
inline bool leads_on(const Value& value, ValueId operand) {
  switch (value.op) {
    case Op::kPhi:
    case Op::kTagPointer:
    case Op::kTagLife:
    case Op::kGenericToSpace:
      return true;
    case Op::kAddress:
      return value.args[0] == operand;
    case Op::kSelect:
      return value.args[1] == operand || value.args[2] == operand;
    default:
      return false;
  }
}

/// True if the instruction stores to memory; its first operand is then the address.
inline bool writes_memory(const Value& value) {
  return value.op == Op::kStore || value.op == Op::kCopyMemory || value.op == Op::kAsyncCopy ||
         value.op == Op::kPipeRead || value.op == Op::kPipeReadReserved ||
         (is_atomic(value.op) && value.op != Op::kAtomicLoad);
}

}  // namespace transpire::vm::lir
