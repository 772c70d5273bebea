// Where the instructions of a module stand, for people: in the assembly that the user gave, else in the source that
// debug information names, else among the words.
#pragma once

#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "decoder/module.h"
#include "runtime/source_texts.h"
#include "transpire/transpire.hpp"
#include "validator/render.h"
#include "vm/program/program.h"

namespace transpire::runtime {

/// " in 'put', called at heat.cl:40:3 in 'step'": the functions around an instruction.
std::string spelled_calls(const std::vector<Frame>& frames);

/// Launches of a module ask for places from any threads.
class Places {
 public:
  /// `assembly`: the text that the words were made of, or empty. All outlive it.
  Places(const decoder::Module& module, std::string_view assembly,
         std::span<const SourceText> sources);

  /// Fills in where an instruction stands, and how it is spelled. `line` is an index into Module::lines.
  void show(std::uint32_t word_offset, std::uint32_t line, Diagnostic& diagnostic) const;
  /// The same of a diagnostic that knows a word alone.
  void show_word(Diagnostic& diagnostic) const;
  /// "heat.cl:31:5", or "word 412".
  std::string spell(const vm::Source& source) const;
  /// The functions around an instruction of the program, the innermost first, the kernel last.
  std::vector<Frame> frames(const vm::Program& program, const vm::Source& source) const;

 private:
  SourceLine place_of(std::uint32_t word_offset, std::uint32_t line) const;
  bool is_forwarding(const vm::Source& call) const;
  std::string function_name(decoder::Id id) const;

  const decoder::Module& module_;
  validator::ModuleView view_;
  validator::Renderer renderer_;
  /// While renderer_ spells, which keeps the last instruction, and texts_ reads, which keeps files.
  mutable std::mutex showing_;
  mutable SourceTexts texts_;
};

}  // namespace transpire::runtime
