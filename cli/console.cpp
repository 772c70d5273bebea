// Printing for all commands: see cli/commands.h.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cli/commands.h"
#include "cli/json_output.h"
#include "launch/language/shell_words.h"
#include "launch/report/diagnose.h"

namespace transpire::cli {

namespace {

/// Error number of a failed write to standard output; 0: none.
int output_error = 0;

}  // namespace

void print(std::string_view text) {
  errno = 0;
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written && errno != EPIPE) output_error = errno != 0 ? errno : EIO;
}

int exit_code_after_output(int code) {
  if (output_error == 0) return code;
  const Diagnostic error = command_error(
      kFileUnwritable,
      fmt::format("cannot write to standard output: {}", std::strerror(output_error)));
  std::fputs(format(error, wants_colour()).c_str(), stderr);
  return code == kSuccess ? static_cast<int>(kUsage) : code;
}

bool wants_colour() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

int fail(std::string_view command, const OutputOptions& output, const Diagnostics& errors) {
  const int code = exit_code_of(errors);
  if (output.json()) {
    print(json_of_errors(std::string(command), errors, code));
    return code;
  }
  show(errors);
  return code;
}

void show(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) {
    const std::string text = format(diagnostic, wants_colour());
    std::fwrite(text.data(), 1, text.size(), stderr);
  }
}

Result<std::vector<std::string>> words_of(const std::vector<std::string>& build_options) {
  std::vector<std::string> words;
  for (const std::string& option : build_options) {
    auto split = shell_words(option);
    if (!split) return split.errors();
    for (std::string& word : *split) words.push_back(std::move(word));
  }
  return words;
}

}  // namespace transpire::cli
