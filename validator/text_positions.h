// Where the instructions of an assembly text stand. The assembler of SPIRV-Tools does not tell.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "validator/module_view.h"

namespace transpire::validator {

/// One word of the text. Lines and columns count from 1.
struct TextToken {
  std::uint32_t line = 0, column = 0, length = 0;
};

/// The words of one instruction.
struct TextInstruction {
  TextToken opcode;
  TextToken result;               ///< length 0: it has none
  std::vector<TextToken> others;  ///< what stands behind the opcode
};

/// The instructions of the text, in order. Text that does not assemble gives something or other.
std::vector<TextInstruction> find_instructions(std::string_view text);

/// What the text calls the ids of the words that were made of it, without "%"; nothing when they do not fit.
std::unordered_map<Id, std::string> names_in_text(std::string_view text, const ModuleView& view);

}  // namespace transpire::validator
