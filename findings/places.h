// Places of a module's instructions, for people: lines of the assembly that the user gave, else of the source that debug
// information names, else word offsets.
#pragma once

#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "decoder/module.h"
#include "decoder/view/place_renderer.h"
#include "findings/source_texts.h"
#include "transpire/transpire.hpp"
#include "vm/program/program.h"

namespace transpire::findings {

/// " in 'put', called at heat.cl:40:3 in 'step'": the functions around an instruction.
std::string calls_text(const std::vector<Frame>& frames);

/// Gives places of a module's instructions. Thread-safe.
class Places {
 public:
  /// `viewed` is the same module. All arguments must outlive this object.
  Places(const decoder::Module& module, const decoder::view::ViewedModule& viewed,
         std::span<const SourceText> sources);

  /// Adds an instruction's place and excerpt to a diagnostic. `line` is an index into Module::lines.
  void show(std::uint32_t word_offset, std::uint32_t line, Diagnostic& diagnostic) const;
  /// Adds place and excerpt to a diagnostic that has only a word offset.
  void show_word(Diagnostic& diagnostic) const;
  /// "heat.cl:31:5", or "word 412".
  std::string spell(const vm::Source& source) const;
  /// The call stack at an instruction of the program: the innermost function first, the kernel last.
  std::vector<Frame> frames(const vm::Program& program, const vm::Source& source) const;

 private:
  SourceLine place_of(std::uint32_t word_offset, std::uint32_t line) const;
  bool is_forwarding(const vm::Source& call) const;
  std::string function_name(decoder::Id id) const;

  const decoder::Module& module_;
  decoder::view::PlaceRenderer renderer_;
  /// Guards renderer_, which caches the last instruction, and texts_, which caches files.
  mutable std::mutex showing_;
  mutable SourceTexts texts_;
};

}  // namespace transpire::findings
