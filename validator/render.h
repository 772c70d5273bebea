// From a check's Report to a Diagnostic: the place, the line in question with a caret, notes and hint.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/excerpt.h"
#include "validator/context.h"
#include "validator/spelling.h"
#include "validator/text_positions.h"
#include "validator/validate.h"

namespace transpire::validator {

class Renderer {
 public:
  /// Module and name must outlive this. `source` gives lines of what the words were compiled from, as far as it has them.
  Renderer(const ViewedModule& module, const std::string& input_name, SourceExcerpt source = {});
  /// Other words of the same text, whose instructions stand where they stood: types named otherwise.
  Renderer(const ModuleView& view, const ModuleText& text, const std::string& input_name,
           SourceExcerpt source = {});

  Diagnostic render(const Report& report) const;

  /// Fills in where an instruction stands, or an operand of it: in the text, else among the words.
  void show(const Place& place, Diagnostic& diagnostic) const;
  /// The same for a diagnostic that knows a word alone; one that has an excerpt is left as it is.
  void show_word(Diagnostic& diagnostic) const;

  /// The instruction that has the word; kNone when there is none.
  std::uint32_t instruction_at(std::uint64_t word_offset) const;
  std::string assembly_of(std::uint32_t instruction) const;
  /// Where its opcode stands in the text; unknown without a text.
  SourceLine place_of(std::uint32_t instruction) const;

 private:
  /// Findings of one instruction come one after the other, and there may be tens of thousands.
  const SpelledInstruction& spell(std::uint32_t instruction) const;
  /// "k.spvasm:4:10: %x = OpTypeInt 32 1".
  std::string spell_place(std::uint32_t instruction) const;
  void place_in_text(const Place& place, Diagnostic& diagnostic) const;
  void place_in_words(const Place& place, Diagnostic& diagnostic) const;
  void place_in_source(std::uint32_t instruction, Diagnostic& diagnostic) const;

  const ModuleView& view_;
  const std::string& input_name_;
  SourceExcerpt source_;
  const std::vector<TextInstruction>& positions_;  ///< by instruction; empty for words
  TextLines lines_;
  static constexpr std::size_t kMostStandIns =
      64;  // each is a walk, and hostile modules have any number of findings
  mutable std::size_t stand_ins_ = 0;
  mutable std::uint32_t spelled_instruction_ = kNone;
  mutable SpelledInstruction spelled_;
};

}  // namespace transpire::validator
