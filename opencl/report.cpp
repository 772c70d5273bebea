#include "opencl/report.h"

#include <fmt/format.h>

#include <cstdio>
#include <mutex>

#include "opencl/platform.h"

namespace transpire::opencl {
namespace {

/// Findings of one launch that people are shown; report files have all.
constexpr std::size_t kMaxShown = 100;

/// As a string of JSON; what is not ASCII is taken for UTF-8.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + '"';
}

/// One line of JSON, for programs to read.
std::string report_line(const Diagnostic& diagnostic, const std::string& call) {
  const char* const severity = diagnostic.severity == Severity::kError     ? "error"
                               : diagnostic.severity == Severity::kWarning ? "warning"
                                                                           : "note";
  std::string line =
      fmt::format(R"({{"rule": {}, "severity": "{}", "message": {}, "call": {})",
                  quoted(diagnostic.rule), severity, quoted(diagnostic.message), quoted(call));
  if (const SourceLine& source = diagnostic.source; source.known())
    line += fmt::format(R"(, "source": {{"file": {}, "line": {}, "column": {}}})",
                        quoted(source.file), source.line, source.column);
  return line + "}\n";
}

void write(std::FILE* file, const std::string& text) {
  if (text.empty()) return;
  std::fwrite(text.data(), 1, text.size(), file);
  std::fflush(file);
}

/// Whole texts, one after the other.
void write_all(const std::string& printed, const std::string& messages, const std::string& lines) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  write(stdout, printed);
  write(stderr, messages);
  const std::string& path = environment().report_file;
  if (path.empty() || lines.empty()) return;
  if (std::FILE* const file = std::fopen(path.c_str(), "ae")) {
    write(file, lines);
    std::fclose(file);
  }
}

}  // namespace

void report(const LaunchResult& result, const std::string& call) {
  std::string messages, lines;
  std::size_t shown = 0;
  for (const Finding& finding : result.findings) {
    if (shown++ < kMaxShown) messages += format(finding.diagnostic);
    lines += report_line(finding.diagnostic, call);
  }
  if (shown > kMaxShown) messages += fmt::format("  = and {} more\n", shown - kMaxShown);
  if (!messages.empty()) messages += fmt::format("  = in {}\n", call);
  write_all(result.printf_output, messages, lines);
}

void report(const Diagnostics& errors, const std::string& call) {
  std::string messages, lines;
  for (const Diagnostic& error : errors) {
    messages += format(error);
    lines += report_line(error, call);
  }
  write_all({}, messages + fmt::format("  = in {}\n", call), lines);
}

}  // namespace transpire::opencl
