#include "vm/build/float_mode.h"

#include <fmt/format.h>

#include <optional>

namespace transpire::vm::builder {
namespace {

std::size_t index_of(Kind kind) {
  return static_cast<std::size_t>(kind) - static_cast<std::size_t>(Kind::kF16);
}

std::optional<Kind> float_of_width(std::uint32_t bits) {
  if (bits == 16) return Kind::kF16;
  if (bits == 32) return Kind::kF32;
  if (bits == 64) return Kind::kF64;
  return std::nullopt;
}

}  // namespace

void FloatMode::choose(lir::Function& function) {
  using Of = FloatModeSource::Of;
  for (const Kind kind : {Kind::kF16, Kind::kF32}) {
    controls_[index_of(kind)] = request_.options.float_controls();
    FloatModeSource& source = function.float_modes[index_of(kind)];
    if (request_.options.float_controls().rounding != Rounding::kRte) source.rounding = Of::kLaunch;
    if (request_.options.float_controls().flushes_denorms) source.denorms = Of::kLaunch;
  }
  for (const decoder::ExecutionMode& mode : request_.entry.modes) {
    if (mode.kind == spv::ExecutionMode::FloatingPointModeALTINTEL)
      return refusals_.refuse(Rule::kU0003,
                              fmt::format("the execution mode FloatingPointModeALTINTEL of "
                                          "kernel '{}' is not supported",
                                          request_.entry.name));
    const std::optional<Kind> kind = float_of_width(mode.operands.empty() ? 0 : mode.operands[0]);
    if (kind) obey(mode.kind, index_of(*kind), function.float_modes[index_of(*kind)]);
  }
  for (const FloatControls& controls : controls_)
    is_usual_ = is_usual_ && controls == FloatControls{};
}

/// An execution mode of the kernel for one of the float kinds, if it is one.
void FloatMode::obey(spv::ExecutionMode mode, std::size_t kind, FloatModeSource& source) {
  FloatControls& controls = controls_[kind];
  if (mode == spv::ExecutionMode::DenormFlushToZero || mode == spv::ExecutionMode::DenormPreserve) {
    controls.flushes_denorms = mode == spv::ExecutionMode::DenormFlushToZero;
    source.denorms = FloatModeSource::Of::kKernel;
    return;
  }
  switch (mode) {
    case spv::ExecutionMode::RoundingModeRTE:
      controls.rounding = Rounding::kRte;
      break;
    case spv::ExecutionMode::RoundingModeRTZ:
      controls.rounding = Rounding::kRtz;
      break;
    case spv::ExecutionMode::RoundingModeRTPINTEL:
      controls.rounding = Rounding::kRtp;
      break;
    case spv::ExecutionMode::RoundingModeRTNINTEL:
      controls.rounding = Rounding::kRtn;
      break;
    default:
      return;
  }
  source.rounding = FloatModeSource::Of::kKernel;
}

const FloatControls& FloatMode::controls(Kind kind) const {
  // In a malformed module, only some operands may be floats; their results are refused.
  static constexpr FloatControls kUsual;
  if (!is_float(kind)) return kUsual;
  return controls_[index_of(kind)];
}

bool FloatMode::expect_usual(Kind kind) {
  if (!is_float(kind) || controls(kind) == FloatControls{}) return true;
  refusals_.refuse(Rule::kU0003,
                   fmt::format("{} of {}-bit floats is supported only with rounding to nearest "
                               "even and denormals kept",
                               decoder::opcode_name(position_.instruction->op), width_bits(kind)));
  return false;
}

}  // namespace transpire::vm::builder
