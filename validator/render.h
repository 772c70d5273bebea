// From a check's Report to a Diagnostic: the place, the line in question with a caret, notes and hint.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "validator/context.h"
#include "validator/text_positions.h"

namespace transpire::validator {

class Renderer {
 public:
  /// `text`: the assembly that the words were made of, or empty. All must outlive this.
  Renderer(const ModuleView& view, const std::string& input_name, std::string_view text);

  Diagnostic render(const Report& report) const;

 private:
  /// "k.spvasm:4:10: %x = OpTypeInt 32 1".
  std::string spell_place(std::uint32_t instruction) const;
  void place_in_text(const Place& place, Diagnostic& diagnostic) const;
  void place_in_words(const Place& place, Diagnostic& diagnostic) const;
  std::string_view line(std::uint32_t number) const;

  const ModuleView& view_;
  const std::string& input_name_;
  std::string_view text_;
  std::vector<TextInstruction> positions_;  ///< by instruction; empty for words
  std::vector<std::size_t> line_starts_;
};

}  // namespace transpire::validator
