// Workflow commands of GitHub: "::error file=...,line=...,title=...::message".
#include <fmt/format.h>

#include "suite/formats.h"

namespace transpire::suite {
namespace {

std::string escaped(std::string_view text, bool is_property) {
  std::string out;
  for (const char c : text) {
    if (c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ',')))
      out += fmt::format("%{:02X}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string github_of(const TestResult& result) {
  std::string text;
  for (const Problem& problem : result.problems) {
    const Diagnostic& diagnostic = problem.diagnostic;
    const SourceLine where = place_of(problem, result.path);
    std::string properties = "file=" + escaped(where.file, true);
    if (where.line != 0) properties += fmt::format(",line={}", where.line);
    if (where.column != 0) properties += fmt::format(",col={}", where.column);
    properties += ",title=" + escaped(diagnostic.rule + " in " + result.path, true);
    std::string message = diagnostic.message;
    for (const std::string& note : diagnostic.notes) message += "\n" + note;
    if (!diagnostic.help.empty()) message += "\nhelp: " + diagnostic.help;
    const bool error = diagnostic.severity == Severity::kError;
    text += fmt::format("::{} {}::{}\n", error ? "error" : "warning", properties,
                        escaped(message, false));
  }
  return text;
}

}  // namespace transpire::suite
