// Assembly texts for SPIRV-Tools' assembler, which may be too old for what they name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace transpire::decoder {

struct PreparedText {
  std::string text;
  bool keeps_numbers =
      true;  ///< numeric ids keep their number; otherwise the assembler numbers all anew
};

/// The text with names that the assembler may not know replaced: enumerants by their numbers, `!6460`, instructions of
/// decoder/newer_instructions.json by their words behind a mark, `OpNop !262152 %4 %2 %3`: without it the assembler takes them for operands of
/// the instruction before. Such an instruction stands on one line. Lines stay lines.
PreparedText prepared_text(std::string_view text);

/// The words that the assembler made of a prepared text, without the marks.
std::vector<std::uint32_t> without_marks(std::span<const std::uint32_t> words);

}  // namespace transpire::decoder
