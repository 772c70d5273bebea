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
  /// Module and name must outlive this. `source` gives available lines of the source that the words
  /// were compiled from.
  Renderer(const ViewedModule& module, const std::string& input_name, SourceExcerpt source = {});
  /// Other words of the same text, with instructions at the same positions: types have other names.
  Renderer(const ModuleView& view, const ModuleText& text, const std::string& input_name,
           SourceExcerpt source = {});

  Diagnostic render(const Report& report) const;

  /// Fills in the place of an instruction or operand: in the text, else among the words.
  void show(const Place& place, Diagnostic& diagnostic) const;
  /// As show(), for a diagnostic that knows only a word. One with an excerpt stays as it is.
  void show_word(Diagnostic& diagnostic) const;

  /// The instruction that contains the word; kNone if there is none.
  std::uint32_t instruction_at(std::uint64_t word_offset) const;
  std::string assembly_of(std::uint32_t instruction) const;
  /// Place of its opcode in the text; unknown without a text.
  SourceLine place_of(std::uint32_t instruction) const;

 private:
  /// Keeps the last one: findings of one instruction are consecutive, and there may be tens of
  /// thousands.
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
      64;  // each spelling is a walk, and hostile modules have any number of findings
  mutable std::size_t stand_ins_ = 0;
  mutable std::uint32_t spelled_instruction_ = kNone;
  mutable SpelledInstruction spelled_;
};

}  // namespace transpire::validator
