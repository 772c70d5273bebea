// An opaque type of each row as assembly text.
#pragma once

#include <string>

#include "decoder/grammar.h"
#include "decoder/opaque_types.h"

namespace transpire::test {

/// Declares %it, and what it is made of; %void is there.
inline std::string declaration(const decoder::OpaqueType& type) {
  const std::string image = " %void 2D 0 0 0 0 Unknown ReadOnly\n";
  std::string parts, operands = "\n";
  if (type.op == spv::Op::OpTypeOpaque) operands = " \"thing\"\n";
  if (type.op == spv::Op::OpTypePipe) operands = " ReadOnly\n";
  if (type.op == spv::Op::OpTypeImage) operands = image;
  if (type.op == spv::Op::OpTypeSampledImage) {
    parts = "%image = OpTypeImage" + image;
    operands = " %image\n";
  }
  return parts + "%it = " + std::string(decoder::opcode_name(type.op)) + operands;
}

}  // namespace transpire::test
