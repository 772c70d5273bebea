// Rounding: the imm of conversions to floats, and of the ops of rounded.def; and the modes that a
// kernel or a launch sets for floats of one width.
#pragma once

#include <compare>
#include <cstdint>

namespace transpire::vm {

/// Names as in SPIR-V "FP Rounding Mode".
enum class Rounding : std::uint8_t {
  kRte,  ///< to nearest, ties to even
  kRtz,  ///< towards zero
  kRtp,  ///< towards positive infinity
  kRtn,  ///< towards negative infinity
};

/// How instructions on floats of one width compute, where the instruction does not say it itself
/// (SPV_KHR_float_controls).
struct FloatControls {
  Rounding rounding = Rounding::kRte;
  bool flushes_denorms = false;  ///< operands and results that are denormal count as zeros

  bool operator==(const FloatControls&) const = default;
  bool operator<(const FloatControls& other) const {
    return rounding != other.rounding ? rounding < other.rounding
                                      : flushes_denorms < other.flushes_denorms;
  }
};

/// The origin of the mode in which floats of one width are computed: the results that other
/// implementations may give depend on it.
struct FloatModeSource {
  enum class Of : std::uint8_t {
    kUsual,   ///< to nearest even, denormals kept
    kLaunch,  ///< as the launch asked: a device may do otherwise
    kKernel   ///< as the kernel's execution mode demands of every device
  };
  Of rounding = Of::kUsual, denorms = Of::kUsual;

  auto operator<=>(const FloatModeSource&) const = default;
};

}  // namespace transpire::vm
