// Renders a Diagnostic for people: a headline, the place, notes and a hint. Colours are ANSI
// sequences and off by default. JSON is not made here.
#include "transpire/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/excerpt.h"

namespace transpire {
namespace {

constexpr std::string_view kReset = "\033[0m";
constexpr std::string_view kBold = "\033[1m";
constexpr std::string_view kDim = "\033[2m";
constexpr std::string_view kCyan = "\033[36m";

struct SeverityStyle {
  std::string_view word;
  std::string_view colour;
};

SeverityStyle style_of(Severity severity) {
  switch (severity) {
    case Severity::kNote:
      return {"note", "\033[1;36m"};
    case Severity::kWarning:
      return {"warning", "\033[1;33m"};
    case Severity::kError:
      break;
  }
  return {"error", "\033[1;31m"};
}

/// True if the place in `source` is shown, not that in the module made of it.
bool is_of_source(const Diagnostic& diagnostic) {
  if (!diagnostic.source.known()) return false;
  if (!diagnostic.assembly.empty() || diagnostic.source.file == diagnostic.input) return true;
  return !diagnostic.word_offset && diagnostic.instruction.empty();
}

/// "word 412, OpStore"
std::string spell_word(const Diagnostic& diagnostic) {
  std::string where;
  if (diagnostic.word_offset) where = fmt::format("word {}", *diagnostic.word_offset);
  if (!diagnostic.instruction.empty())
    where += fmt::format("{}{}", where.empty() ? "" : ", ", diagnostic.instruction);
  return where;
}

/// "kernel.cl:3:14", or "saxpy.spv: word 412, OpStore (saxpy.cl:7)"; empty when nothing of the place is known.
std::string place(const Diagnostic& diagnostic) {
  if (is_of_source(diagnostic)) {
    SourceLine source = diagnostic.source;
    if (source.file.empty()) source.file = diagnostic.input;
    return text_of(source);
  }
  std::string where = spell_word(diagnostic);
  if (diagnostic.source.known()) {
    const std::string source = text_of(diagnostic.source);
    where = where.empty() ? source : fmt::format("{} ({})", where, source);
  }
  if (diagnostic.input.empty() || where.empty()) return diagnostic.input + where;
  return fmt::format("{}: {}", diagnostic.input, where);
}

/// "word 239 of k.spv: OpStore %arrayidx %int_7"
std::string spell_assembly(const Diagnostic& diagnostic) {
  std::string where;
  if (diagnostic.word_offset) where = fmt::format("word {}", *diagnostic.word_offset);
  if (!diagnostic.input.empty() && diagnostic.input != diagnostic.source.file)
    where += fmt::format("{}{}", where.empty() ? "" : " of ", diagnostic.input);
  return where.empty() ? diagnostic.assembly : fmt::format("{}: {}", where, diagnostic.assembly);
}

/// "in 'at'", "called by 'step' at heat.cl:14", ..., the kernel last.
std::vector<std::string> spell_frames(const Diagnostic& diagnostic) {
  std::vector<std::string> lines;
  for (const Frame& frame : diagnostic.frames) {
    const bool is_kernel = &frame == &diagnostic.frames.back();
    std::string line = fmt::format("{} {}'{}'", lines.empty() ? "in" : "called by",
                                   is_kernel ? "kernel " : "", frame.function);
    if (!lines.empty() && frame.where.known())
      line += fmt::format(" at {}", text_of(frame.where));
    else if (!lines.empty() && frame.word_offset)
      line += fmt::format(" at word {}", *frame.word_offset);
    lines.push_back(std::move(line));
  }
  return lines;
}

/// An excerpt's lines behind a bar.
std::string quoted(std::string_view excerpt) {
  std::string out;
  while (!excerpt.empty()) {
    const std::size_t end = std::min(excerpt.find('\n'), excerpt.size() - 1) + 1;
    out += fmt::format("   | {}", excerpt.substr(0, end));
    excerpt.remove_prefix(end);
  }
  return out;
}

}  // namespace

std::string format(const Diagnostic& diagnostic, bool colour) {
  const auto painted = [colour](std::string_view code, std::string_view text) {
    return colour ? fmt::format("{}{}{}", code, text, kReset) : std::string(text);
  };
  const SeverityStyle style = style_of(diagnostic.severity);
  const std::string tag = diagnostic.rule.empty()
                              ? std::string(style.word)
                              : fmt::format("{}[{}]", style.word, diagnostic.rule);
  std::string out =
      fmt::format("{}{}\n", painted(style.colour, tag), painted(kBold, ": " + diagnostic.message));
  if (const std::string where = place(diagnostic); !where.empty())
    out += fmt::format("  {} {}\n", painted(kDim, "-->"), where);
  if (!diagnostic.excerpt.empty()) out += quoted(diagnostic.excerpt);
  std::vector<std::string> notes = spell_frames(diagnostic);
  if (!diagnostic.assembly.empty())
    notes.insert(notes.begin(), "instruction: " + spell_assembly(diagnostic));
  notes.insert(notes.end(), diagnostic.notes.begin(), diagnostic.notes.end());
  for (const std::string& note : notes) out += fmt::format("  {} {}\n", painted(kDim, "="), note);
  if (!diagnostic.help.empty())
    out += fmt::format("{} {}\n", painted(kCyan, "help:"), diagnostic.help);
  return out;
}

}  // namespace transpire
