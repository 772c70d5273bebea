// Side data of instructions that print, and of stores whose results are recorded.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "vm/ops/op.h"
#include "vm/program/printf_format.h"

namespace transpire::vm {

/// One printf call's constants.
struct PrintfInfo {
  std::vector<PrintfPiece> pieces;
  struct Argument {
    Kind kind;  ///< of a component
    std::uint32_t components = 1;
    bool is_string = false;  ///< a constant string: `text`, no operand values
    std::string text;
    bool is_pointer = false;
  };
  std::vector<Argument> arguments;  ///< operands stand in order, components in a row
};

/// An operation that may have made a stored value, as far as its last step goes: what another
/// implementation may give instead depends on it (runtime/result_log.h).
struct ResultOrigin {
  /// Numbers that OpenCL.std does not have: OpDot, and a sum of which another implementation may fuse
  /// a product where only the sum is known.
  static constexpr std::uint16_t kDot = 0xfffe, kFused = 0xffff;
  /// The function of OpenCL.std, counted from 1; or one of the above; 0: `op` says it.
  std::uint16_t function = 0;
  Op op = Op::kConst;      ///< Load: the value was read, not computed
  Kind kind = Kind::kF32;  ///< that the operation rounded to
  /// The bounds that are recorded hold both the fused result and the one of two roundings.
  bool fused_known = false;

  friend auto operator<=>(const ResultOrigin&, const ResultOrigin&) = default;
};

/// A store whose results are recorded: what its value may come from, in ascending order.
struct ResultSite {
  std::vector<ResultOrigin> origins;
};

}  // namespace transpire::vm
