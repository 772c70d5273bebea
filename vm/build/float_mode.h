// FloatMode: the kernel's rounding mode, and whether denormals count as zeros: from its execution
// modes of SPV_KHR_float_controls, or from the launch.
#pragma once

#include <array>

#include "vm/build/refusals.h"

namespace transpire::vm::builder {

class FloatMode {
 public:
  FloatMode(const Request& request, const Position& position, Refusals& refusals)
      : request_(request), position_(position), refusals_(refusals) {}

  /// Also notes in the function who chose the modes.
  void choose(lir::Function& function);

  /// Controls for floats of this kind; the usual ones for other kinds.
  const FloatControls& controls(Kind kind) const;
  /// All floats round to nearest even and keep denormals.
  bool is_usual() const { return is_usual_; }
  /// Refuses the current instruction where it would compute floats of this kind in another mode.
  bool expect_usual(Kind kind);

 private:
  void obey(spv::ExecutionMode mode, std::size_t kind, FloatModeSource& source);

  const Request& request_;
  const Position& position_;
  Refusals& refusals_;
  std::array<FloatControls, 3> controls_;  ///< for half, float, double
  bool is_usual_ = true;
};

}  // namespace transpire::vm::builder
