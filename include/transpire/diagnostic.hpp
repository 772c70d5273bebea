// Diagnostics as values: errors in an input, and findings of a launch.
// Every diagnostic has a stable rule id (`TSP-D0003`); `transpire explain` prints the page of a rule.
// Public header: depends on the standard library only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "transpire/export.hpp"

namespace transpire {

enum class Severity : std::uint8_t { kNote, kWarning, kError };

/// A place in the source that a module was compiled from (OpLine), or in a text file that was read.
struct SourceLine {
  std::string file;
  std::uint32_t line = 0;    ///< 1-based; 0 when unknown
  std::uint32_t column = 0;  ///< 1-based; 0 when unknown
  bool known() const { return line != 0; }
};

/// A frame of the call stack: a function that was being executed.
struct Frame {
  std::string function;  ///< the function's name, or "%12"
  SourceLine where;      ///< place of the instruction in question, or of the next frame's call
  /// Word offset of the same instruction or call; none if a compiler inlined the call.
  std::optional<std::uint64_t> word_offset;
};

/// One error, warning or note.
struct Diagnostic {
  std::string rule;  ///< stable id, e.g. "TSP-D0003"
  Severity severity = Severity::kError;
  std::string message;  ///< one line, lower case, no final period: the expected and the found
  std::string input;    ///< name of the module or launch file, as the user gave it
  std::optional<std::uint64_t> word_offset;  ///< in 32-bit words from the start of the module
  std::string instruction;                   ///< e.g. "OpStore"; empty when none
  SourceLine source;                         ///< from debug information, or in a text input
  std::vector<std::string> notes;            ///< printed as "  = ..." lines
  std::string help;                          ///< a hint; empty when none
  std::string clause;  ///< title and heading in a specification; empty when none
  /// The line in question, and below it a line with a caret. The line is from the source or another text input,
  /// or it is the instruction as assembly. Each line ends with a newline. Empty when none.
  std::string excerpt;
  /// The instruction as assembly, if `excerpt` shows a line of the source that the module was compiled from.
  std::string assembly{};
  /// The call stack at a finding of a launch: the innermost function first, the kernel last.
  std::vector<Frame> frames{};
};

using Diagnostics = std::vector<Diagnostic>;

/// The diagnostic as text for people: several lines, each ended with a newline.
TRANSPIRE_API std::string format(const Diagnostic& diagnostic, bool colour = false);

/// One page of `transpire explain`.
struct RulePage {
  std::string id;
  std::string title;        ///< one line
  std::string explanation;  ///< paragraphs
  std::string clause;       ///< place in a specification; empty for Transpire's own rules
  Severity severity = Severity::kError;
  /// Assembly texts for rules of the validator: a module that breaks the rule, and the corrected module.
  std::string bad_example, good_example;
};

/// All rules, in the order of `transpire explain`. `find_rule` returns null for an unknown id. The pages live as long as
/// the process. Thread-safe.
TRANSPIRE_API const std::vector<RulePage>& rule_pages();
TRANSPIRE_API const RulePage* find_rule(const std::string& id);

}  // namespace transpire
