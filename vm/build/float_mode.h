// FloatMode: in which rounding mode the kernel computes floats, and whether denormals count as zeros: its
// execution modes of SPV_KHR_float_controls, or what the launch asks for.
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

  /// Of floats of this kind; of other kinds the usual ones.
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
  std::array<FloatControls, 3> controls_;  ///< of half, float, double
  bool is_usual_ = true;
};

}  // namespace transpire::vm::builder
