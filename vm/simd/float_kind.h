// The API's floating-point types as the engine's kinds.
#pragma once

#include "transpire/float_type.hpp"
#include "vm/simd/kind.h"

namespace transpire::vm {

constexpr Kind kind_of(FloatType type) {
  return type == FloatType::kHalf    ? Kind::kF16
         : type == FloatType::kFloat ? Kind::kF32
                                     : Kind::kF64;
}

}  // namespace transpire::vm
