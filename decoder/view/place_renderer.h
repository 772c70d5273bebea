// Shows places of a module's instructions in diagnostics: file, line and column, and the line in question with a caret. The
// line is the assembly text's, else the source's where its text is at hand, else the instruction as assembly.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/excerpt.h"
#include "decoder/view/place.h"
#include "decoder/view/spelling.h"
#include "decoder/view/viewed_module.h"

namespace transpire::decoder::view {

/// A line of source that debug information names, with a caret below the place; empty if it is not
/// available.
using SourceExcerpt = std::function<std::string(const SourceLine&)>;

/// Shows places of one module. Not thread-safe: it keeps what it spelled last.
class PlaceRenderer {
 public:
  /// Module and name must outlive this. `source` gives available lines of the source that the words
  /// were compiled from.
  PlaceRenderer(const ViewedModule& module, const std::string& input_name,
                SourceExcerpt source = {});
  /// Other words of the same text, with instructions at the same positions: types have other names.
  PlaceRenderer(const ModuleView& view, const ModuleText& text, const std::string& input_name,
                SourceExcerpt source = {});

  const std::string& input_name() const { return input_name_; }

  /// Fills in the place, and the instruction's opcode.
  void show(const Place& place, Diagnostic& diagnostic) const;
  /// As show(), for a diagnostic that knows only a word. One with an excerpt stays as it is.
  void show_word(Diagnostic& diagnostic) const;

  /// The instruction that contains the word; kNone if there is none.
  std::uint32_t instruction_at(std::uint64_t word_offset) const;
  std::string assembly_of(std::uint32_t instruction) const;
  /// Place of its opcode in the text; unknown without a text.
  SourceLine place_of(std::uint32_t instruction) const;
  /// Place and assembly in one line: "k.spvasm:4:10: %x = OpTypeInt 32 1".
  std::string spell_place(std::uint32_t instruction) const;

 private:
  /// Keeps the last one: findings of one instruction are consecutive, and there may be tens of
  /// thousands.
  const SpelledInstruction& spell(std::uint32_t instruction) const;
  void place_in_text(const Place& place, Diagnostic& diagnostic) const;
  void place_in_words(const Place& place, Diagnostic& diagnostic) const;
  void place_in_source(std::uint32_t instruction, Diagnostic& diagnostic) const;

  const ModuleView& view_;
  const std::string& input_name_;
  SourceExcerpt source_;
  const std::vector<TextInstruction>& positions_;  ///< by instruction; empty for words
  TextLines lines_;
  /// Each search is a walk, and hostile modules have any number of findings.
  static constexpr std::size_t kMostSearches = 64;
  mutable std::size_t searches_ = 0;  ///< for nearest_with_line()
  mutable std::uint32_t spelled_instruction_ = kNone;
  mutable SpelledInstruction spelled_;
};

}  // namespace transpire::decoder::view
