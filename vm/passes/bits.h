// The bits of a Kind as an unsigned and as a signed 64-bit number.
#pragma once

#include <cstdint>

#include "vm/simd/kind.h"

namespace transpire::vm::lir {

/// All bits that a value of the kind may have set.
constexpr std::uint64_t kind_mask(Kind kind) {
  const std::uint32_t width = width_bits(kind);
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

/// The low bits that belong to the kind, sign-extended.
constexpr std::int64_t sign_extend(std::uint64_t bits, Kind kind) {
  const std::uint32_t unused = 64 - width_bits(kind);
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

}  // namespace transpire::vm::lir
