// Where in the module an instruction comes from.
#pragma once

#include <cstdint>
#include <spirv/unified1/spirv.hpp11>

namespace transpire::vm {

/// An <id> of the module.
using Id = std::uint32_t;

/// SPIR-V's opcodes are below, those of extensions as well.
inline constexpr std::uint32_t kMostOpcodes = 8192;

/// Where a value came from, for findings: an instruction of the module, and the call sites it was
/// inlined through (innermost first).
struct Source {
  std::uint32_t word_offset = 0;
  spv::Op op = spv::Op::OpNop;
  std::uint32_t line = 0;         ///< index into decoder::Module::lines
  std::uint32_t function = 0;     ///< <id> of the function it stands in
  std::uint32_t called_from = 0;  ///< index into Program::sources of the OpFunctionCall that this
                                  ///< was inlined through; 0 = none
};

}  // namespace transpire::vm
