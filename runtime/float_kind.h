// The API's floating-point types as the engine's kinds.
#pragma once

#include "transpire/float_type.hpp"
#include "vm/ops/kind.h"

namespace transpire::runtime {

constexpr vm::Kind kind_of(FloatType type) {
  return type == FloatType::kHalf    ? vm::Kind::kF16
         : type == FloatType::kFloat ? vm::Kind::kF32
                                     : vm::Kind::kF64;
}

}  // namespace transpire::runtime
