// Printing for all commands: see cli/commands.h.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "cli/commands.h"
#include "cli/diagnose.h"
#include "cli/json_output.h"
#include "cli/plan_builder.h"

namespace transpire::cli {

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
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
  for (const Diagnostic& error : errors) {
    const std::string text = format(error, wants_colour());
    std::fwrite(text.data(), 1, text.size(), stderr);
  }
  return code;
}

std::vector<std::string> words_of(const std::vector<std::string>& build_options) {
  std::vector<std::string> words;
  for (const std::string& option : build_options)
    for (std::string& word : shell_words(option)) words.push_back(std::move(word));
  return words;
}

}  // namespace transpire::cli
