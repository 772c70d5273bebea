// How diagnostics spell ids, types and instructions of a ModuleView.
#pragma once

#include <string>
#include <vector>

#include "decoder/view/module_view.h"

namespace transpire::decoder::view {

/// "'%name'" by its OpName, else "'%12'".
std::string spell_id(const ModuleView& view, Id id);

/// A type in the words of OpenCL C and of the specification: "uint4", "float* (CrossWorkgroup)",
/// "struct Particle", "OpTypeImage '%12'"; "no type" when the id is none.
std::string spell_type(const ModuleView& view, Id id);

/// Columns of a line, counted from 0; `length` 0: none.
struct TextSpan {
  std::size_t start = 0, length = 0;
};

/// An instruction as assembly, with the columns of its parts.
struct SpelledInstruction {
  std::string text;
  TextSpan opcode, result, type;
  std::vector<TextSpan> operands;  ///< one for each of ModuleView's
};
SpelledInstruction spell_instruction(const ModuleView& view, std::uint32_t instruction);

}  // namespace transpire::decoder::view
