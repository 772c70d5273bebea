// FloatConstant: a number as bits of each float kind.
#pragma once

#include <cstdint>

#include "vm/build/names.h"

namespace transpire::vm::builder {

struct FloatConstant {
  std::uint64_t half, single, twice;

  std::uint64_t bits(Kind kind) const {
    return kind == Kind::kF16 ? half : kind == Kind::kF32 ? single : twice;
  }
};
inline constexpr FloatConstant kZero{0, 0, 0};
inline constexpr FloatConstant kOne{0x3c00, 0x3f800000, 0x3ff0000000000000};
inline constexpr FloatConstant kTwo{0x4000, 0x40000000, 0x4000000000000000};
inline constexpr FloatConstant kThree{0x4200, 0x40400000, 0x4008000000000000};

}  // namespace transpire::vm::builder
