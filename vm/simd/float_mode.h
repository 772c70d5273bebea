// The floating-point mode that handlers are written for. A host may run with another one: programs
// linked with -ffast-math flush denormals in every thread that they start.
#pragma once

#include <xmmintrin.h>

#include "vm/simd/rounding.h"

namespace transpire::vm {

/// MXCSR with another rounding mode: bits 13 and 14 are 0 to nearest even, 1 down, 2 up, 3 towards
/// zero. Always inline: instruction sets must not share it out of line.
inline __attribute__((always_inline)) unsigned with_rounding(unsigned mxcsr, Rounding rounding) {
  const unsigned field = rounding == Rounding::kRtz   ? 3u
                         : rounding == Rounding::kRtp ? 2u
                         : rounding == Rounding::kRtn ? 1u
                                                      : 0u;
  return (mxcsr & ~0x6000u) | field << 13;
}

/// While it lives, this thread rounds to nearest even, keeps denormals and masks exceptions; then
/// the caller's mode is back. MXCSR: "Intel 64 and IA-32 Architectures SDM", volume 1, 10.2.3.
class FloatMode {
 public:
  FloatMode() : saved_(_mm_getcsr()) {
    if (differs()) _mm_setcsr(kDefault);
  }
  ~FloatMode() {
    if (differs()) _mm_setcsr(saved_);
  }
  FloatMode(const FloatMode&) = delete;
  FloatMode& operator=(const FloatMode&) = delete;

 private:
  static constexpr unsigned kDefault = 0x1f80;
  static constexpr unsigned kFlags = 0x3f;  ///< exceptions that happened: no part of the mode

  bool differs() const { return (saved_ & ~kFlags) != kDefault; }

  unsigned saved_;
};

}  // namespace transpire::vm
