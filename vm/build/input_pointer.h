// InputPointer: a pointer into Input storage. It is no address: it names a built-in variable.
#pragma once

#include <cstdint>

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Groups;

/// Computes a component of a built-in variable, an i64, out of others.
using ComputedBuiltin = ValueId (*)(Groups& groups, std::uint64_t component);

/// A pointer to a built-in variable, a component of it, or its bytes under another type.
struct InputPointer {
  Op op = Op::kConst;  ///< the builtin's op, unless it is `computed`
  ComputedBuiltin computed = nullptr;
  std::uint32_t dimensions = 3;   ///< 1 for scalars
  Kind component = Kind::kI64;    ///< kind of the variable's components
  const Type* pointee = nullptr;  ///< type that a load through the pointer gives
  std::int64_t offset = 0;        ///< bytes from the variable's start
  ValueId index = kNoValue;       ///< an i64: components to go on, besides
};

}  // namespace transpire::vm::builder
