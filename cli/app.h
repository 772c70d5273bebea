// The command line itself: its commands and options. All text generated from it (help, man page,
// completions) reads a CommandDescription, so only app.cpp knows the parser library.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace transpire::cli {

struct OptionDescription {
  std::vector<std::string> names;  ///< "-k", "--kernel"; empty for a positional
  std::string positional;          ///< "FILE"
  std::string value;               ///< its value's placeholder: "SIZE"; empty for a flag
  std::string description;
  std::vector<std::string> choices;  ///< the only values allowed, if they are few
  bool required = false;
  bool repeated = false;
};

struct CommandDescription {
  std::string name, description;
  std::vector<OptionDescription> options;
  std::vector<CommandDescription> commands;
};

/// Parses the command line, runs the command and returns the exit code of the process.
int run_command_line(int argc, const char* const* argv);

/// For tests: the options of `run` on a command line; none for another command or a mistake.
std::optional<RunOptions> run_options(int argc, const char* const* argv);

/// All visible commands.
CommandDescription describe_commands();

/// A man page in troff (section 1).
std::string man_page(const CommandDescription& program);
/// A completion script: "bash", "zsh" or "fish".
std::string completion_script(const CommandDescription& program, const std::string& shell);

}  // namespace transpire::cli
