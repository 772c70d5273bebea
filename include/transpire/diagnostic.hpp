// Diagnostics: what is wrong with an input, or what a launch found, as values.
// Every diagnostic has a stable rule id (`TSP-D0003`), whose page `transpire explain` prints.
// Public header: depends on the standard library only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "transpire/export.hpp"

namespace transpire {

enum class Severity : std::uint8_t { kNote, kWarning, kError };

/// A place in the source text a module was compiled from (OpLine), or in an input text file.
struct SourceLine {
  std::string file;
  std::uint32_t line = 0;    ///< 1-based; 0 when unknown
  std::uint32_t column = 0;  ///< 1-based; 0 when unknown
  bool known() const { return line != 0; }
};

/// A function that was being executed.
struct Frame {
  std::string function;  ///< its name, or "%12"
  SourceLine where;  ///< of what it was executing: the instruction, or the call that led further in
  /// Of the same; none of a call that a compiler expanded.
  std::optional<std::uint64_t> word_offset;
};

/// One error, warning or note. Messages are lower case without a final period and say what was
/// expected and what was found.
struct Diagnostic {
  std::string rule;  ///< stable id, e.g. "TSP-D0003"
  Severity severity = Severity::kError;
  std::string message;
  std::string input;  ///< the module's or launch file's name as the user gave it
  std::optional<std::uint64_t> word_offset;  ///< in 32-bit words from the start of the module
  std::string instruction;                   ///< e.g. "OpStore"; empty when none
  SourceLine source;                         ///< from debug information, or of a text input
  std::vector<std::string> notes;            ///< printed as "  = ..." lines
  std::string help;                          ///< a hint; empty when none
  std::string clause;  ///< title and heading of the specification; empty when none
  /// The line in question of a text input or of the source, or the instruction as assembly, and below it a
  /// line with a caret; empty when none. Lines end with a newline.
  std::string excerpt;
  /// The instruction as assembly where `source`, which the module was compiled from, is what is shown first.
  std::string assembly{};
  /// Of what a launch found: the functions that were being executed, the innermost first, the kernel last.
  std::vector<Frame> frames{};
};

using Diagnostics = std::vector<Diagnostic>;

/// The diagnostic as people read it: several lines, the last one ended with a newline.
TRANSPIRE_API std::string format(const Diagnostic& diagnostic, bool colour = false);

/// One page of `transpire explain`.
struct RulePage {
  std::string id;
  std::string title;        ///< one line
  std::string explanation;  ///< paragraphs
  std::string clause;       ///< where a specification says so; empty for rules of our own
  Severity severity = Severity::kError;
  /// Assembly texts, of rules of the validator: what breaks the rule, and the same put right.
  std::string bad_example, good_example;
};

/// All rules, in the order of `transpire explain`. `find_rule` gives null when the id is unknown.
TRANSPIRE_API const std::vector<RulePage>& rule_pages();
TRANSPIRE_API const RulePage* find_rule(const std::string& id);

}  // namespace transpire
