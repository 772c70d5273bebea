// A module's view together with the assembly text that it was made of, and the places of its instructions
// there, which SPIRV-Tools' assembler does not return.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "decoder/view/module_view.h"

namespace transpire::decoder::view {

/// One word of the text. Lines and columns count from 1.
struct TextToken {
  std::uint32_t line = 0, column = 0, length = 0;
};

/// The words of one instruction.
struct TextInstruction {
  TextToken opcode;
  TextToken result;               ///< length 0: no result
  std::vector<TextToken> others;  ///< tokens behind the opcode
};

/// The assembly text that a module was made of; empty if words were given.
struct ModuleText {
  std::string_view text{};
  /// Its instructions, one for each of the module's; empty if their numbers differ.
  std::vector<TextInstruction> instructions{};
};

/// A module and its text. The view calls ids as the text does.
struct ViewedModule {
  ModuleView view;
  ModuleText text{};
};

/// Views words and the text that they were made of. Both must outlive the result.
ViewedModule view_module(std::span<const std::uint32_t> words, std::string_view text = {});

}  // namespace transpire::decoder::view
