// Opcodes that the SPIRV-Headers of Debian 12 have no enumerators for: kOpTypeCooperativeMatrixKHR, ...
#pragma once

#include <spirv/unified1/spirv.hpp11>

namespace transpire::decoder {

#define TRANSPIRE_NEWER_OPCODE(number, name) inline constexpr auto kOp##name = spv::Op(number);
#include "decoder/newer_opcodes.def"

}  // namespace transpire::decoder
