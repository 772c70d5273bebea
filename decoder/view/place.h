// Places in a module, which diagnostics show.
#pragma once

#include <cstdint>

#include "decoder/view/module_view.h"

namespace transpire::decoder::view {

/// An instruction, perhaps one of its operands; a word of the header; or the whole module.
struct Place {
  static constexpr int kWhole = -1, kResult = -2, kType = -3;

  std::uint32_t instruction = kNone;
  int operand = kWhole;        ///< counted as in ModuleView, or one of the constants above
  std::uint32_t word = kNone;  ///< word of the module, if there is no instruction

  static Place at(std::uint32_t instruction, int operand = kWhole) {
    return {instruction, operand, kNone};
  }
  static Place header(std::uint32_t word) { return {kNone, kWhole, word}; }
  static Place module() { return {}; }
};

}  // namespace transpire::decoder::view
