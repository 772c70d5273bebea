// Where the instructions of a module stand, for people: in the assembly that the user gave, else in the source that
// debug information names, else among the words.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/excerpt.h"
#include "decoder/module.h"
#include "transpire/transpire.hpp"
#include "validator/render.h"
#include "vm/program/program.h"

namespace transpire::runtime {

/// The texts that debug information names: those that were given, else files. A module may name any file: only those in
/// the current folder and in that of the module itself, and below them, are read. Thread-safe.
class SourceTexts {
 public:
  /// Larger files are not read.
  static constexpr std::uint64_t kMaxBytes = std::uint64_t{16} << 20;

  /// `given` outlives it. `input` is the module's own file.
  SourceTexts(std::span<const SourceText> given, std::string input)
      : given_(given), input_(std::move(input)) {}

  /// The line with a caret below the column; empty when the text or the line is not there.
  std::string excerpt(const SourceLine& where);

 private:
  struct Text {
    explicit Text(std::string of) : text(std::move(of)), lines(text) {}
    const std::string text;
    const TextLines lines;
  };
  const TextLines* lines_of(const std::string& file);
  bool may_read(const std::string& file) const;

  std::span<const SourceText> given_;
  const std::string input_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<const Text>> texts_;  ///< null: there is none
};

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
  mutable SourceTexts texts_;
};

}  // namespace transpire::runtime
