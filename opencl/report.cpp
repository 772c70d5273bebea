#include "opencl/report.h"

#include <fmt/format.h>

#include <cstdio>
#include <mutex>

#include "opencl/platform.h"

namespace transpire::opencl {
namespace {

/// One line for programs to read: rule, severity, place, message, call.
std::string report_line(const Diagnostic& diagnostic, const std::string& call) {
  const char* const severity = diagnostic.severity == Severity::kError     ? "error"
                               : diagnostic.severity == Severity::kWarning ? "warning"
                                                                           : "note";
  const SourceLine& source = diagnostic.source;
  const std::string place =
      source.known() ? fmt::format("{}:{}", source.file, source.line) : std::string();
  return fmt::format("{}\t{}\t{}\t{}\t{}\n", diagnostic.rule, severity, place, diagnostic.message,
                     call);
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
  for (const Finding& finding : result.findings) {
    messages += format(finding.diagnostic);
    lines += report_line(finding.diagnostic, call);
  }
  if (!messages.empty()) messages += fmt::format("  = in {}\n", call);
  if (result.end == LaunchResult::End::kTooManyFindings)
    messages += "  = there may be more: the launch was ended\n";
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
