// What ops cost on rows, roughly: enough to say what may be computed for nothing.
#pragma once

#include "vm/lir/lir.h"

namespace transpire::vm::lir {

/// A value that may be computed anywhere its operands are known, any number of times.
inline bool is_movable(const Value& value) {
  switch (value.op) {
    case Op::kConst:
    case Op::kArgument:
    case Op::kPhi:
    case Op::kResult:
      return false;
    default:
      return (info(value.op).flags & (kEffect | kReadsMemory | kConvergent)) == 0;
  }
}

/// One or two instructions a vector.
inline bool is_cheap(const Value& value) {
  switch (value.op) {
    case Op::kSMulHigh:
    case Op::kUMulHigh:
    case Op::kUDiv:
    case Op::kSDiv:
    case Op::kUMod:
    case Op::kSRem:
    case Op::kSMod:
    case Op::kFDiv:
    case Op::kFRem:
    case Op::kFMod:
    case Op::kBitReverse:
    case Op::kTagPointer:
    case Op::kGenericToSpace:
    case Op::kMemSemantics:
      return false;
    case Op::kIMul:
      return value.kind != Kind::kI64;
    case Op::kFAbs:
    case Op::kFMin:
    case Op::kFMax:
    case Op::kFNegate:
    case Op::kFAdd:
    case Op::kFSub:
    case Op::kFMul:
    case Op::kFma:
      return value.kind != Kind::kF16;
    default:
      break;
  }
  switch (info(value.op).shape) {
    case Shape::kUnary:
    case Shape::kBinary:
      return is_int(value.kind);
    case Shape::kCompare:
    case Shape::kTest:
      return value.from != Kind::kF16;
    case Shape::kMask:
    case Shape::kSelect:
      return true;
    case Shape::kConvert:
      return (is_int(value.from) && is_int(value.kind)) || value.op == Op::kBitcast;
    case Shape::kSpecial:
      return is_movable(value);
    default:
      return false;
  }
}

}  // namespace transpire::vm::lir
