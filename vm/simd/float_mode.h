// The floating-point mode that handlers are written for. A host may run with another one: programs
// linked with -ffast-math flush denormals in every thread that they start.
#pragma once

#include "vm/simd/float_control.h"

namespace transpire::vm {

/// While it lives, this thread rounds to nearest even, keeps denormals and masks exceptions; then
/// the caller's mode is back.
class FloatMode {
 public:
  FloatMode() : saved_(FloatControl::read()) {
    if (differs()) FloatControl::write(FloatControl::kUsual);
  }
  ~FloatMode() {
    if (differs()) FloatControl::write(saved_);
  }
  FloatMode(const FloatMode&) = delete;
  FloatMode& operator=(const FloatMode&) = delete;

 private:
  bool differs() const { return (saved_ & ~FloatControl::kFlags) != FloatControl::kUsual; }

  FloatControl::Word saved_;
};

}  // namespace transpire::vm
