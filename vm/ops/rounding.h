// Rounding: the imm of conversions whose result is a float.
#pragma once

#include <cstdint>

namespace transpire::vm {

/// Names as in SPIR-V "FP Rounding Mode".
enum class Rounding : std::uint8_t {
  kRte,  ///< to nearest, ties to even
  kRtz,  ///< towards zero
  kRtp,  ///< towards positive infinity
  kRtn,  ///< towards negative infinity
};

}  // namespace transpire::vm
