// Completion scripts for shells, from the description of the commands.
#include <fmt/format.h>

#include "cli/app.h"

namespace transpire::cli {
namespace {

std::string spaced(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string command_names(const CommandDescription& program) {
  std::vector<std::string> names;
  for (const CommandDescription& command : program.commands) names.push_back(command.name);
  return spaced(names);
}

/// Quotes text for a shell; a single quote inside needs escaping.
std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string bash_choices(const CommandDescription& program) {
  std::string text;
  for (const CommandDescription& command : program.commands) {
    for (const OptionDescription& option : command.options) {
      if (option.choices.empty() || option.names.empty()) continue;
      text += fmt::format("    {}:{}) COMPREPLY=($(compgen -W \"{}\" -- \"$cur\")); return;;\n",
                          command.name, option.names.back(), spaced(option.choices));
    }
  }
  return text;
}

std::string bash_script(const CommandDescription& program) {
  std::string options;
  for (const CommandDescription& command : program.commands) {
    std::vector<std::string> names;
    for (const OptionDescription& option : command.options)
      names.insert(names.end(), option.names.begin(), option.names.end());
    options += fmt::format("    {}) options=\"{}\";;\n", command.name, spaced(names));
  }
  return fmt::format(R"(# Completion of transpire for bash.
_transpire() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}} options=
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "{}" -- "$cur"))
    return
  fi
  [[ $cur == = ]] && cur=
  [[ $prev == = ]] && prev=${{COMP_WORDS[COMP_CWORD-2]}}
  case $command:$prev in
{}  esac
  case $command in
{}  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
  else
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}}
complete -o filenames -F _transpire transpire
)",
                     command_names(program), bash_choices(program), options);
}

/// Escapes brackets and colons, which separate the parts of a zsh specification.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_option(const OptionDescription& option) {
  if (option.names.empty())
    return fmt::format("        {}\n", shell_quoted(fmt::format("*:{}:_files", option.positional)));
  std::string text;
  for (const std::string& name : option.names) {
    std::string spec =
        fmt::format("*{}{}[{}]", name, option.value.empty() || name.size() == 2 ? "" : "=",
                    zsh_text(option.description));
    if (!option.choices.empty())
      spec += fmt::format(":{}:({})", option.value, spaced(option.choices));
    else if (!option.value.empty())
      spec += fmt::format(":{}:_files", zsh_text(option.value));
    text += fmt::format("        {}\n", shell_quoted(spec));
  }
  return text;
}

std::string zsh_script(const CommandDescription& program) {
  std::string commands;
  std::string cases;
  for (const CommandDescription& command : program.commands) {
    commands += fmt::format("    {}\n", shell_quoted(command.name + ":" + command.description));
    std::string options;
    for (const OptionDescription& option : command.options) options += zsh_option(option);
    cases += fmt::format("    {})\n      specs=(\n{}      );;\n", command.name, options);
  }
  return fmt::format(R"(#compdef transpire
# Completion of transpire for zsh.
_transpire() {{
  local -a commands specs
  commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[2] in
{}  esac
  shift words
  (( CURRENT-- ))
  _arguments -s $specs
}}
_transpire "$@"
)",
                     commands, cases);
}

std::string fish_option(const std::string& condition, const OptionDescription& option) {
  std::string text = fmt::format("complete -c transpire -n {}", condition);
  for (const std::string& name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.choices.empty())
    text += fmt::format(" -x -a {}", shell_quoted(spaced(option.choices)));
  else if (!option.value.empty())
    text += " -r";
  return fmt::format("{} -d {}\n", text, shell_quoted(option.description));
}

std::string fish_script(const CommandDescription& program) {
  std::string text = "# Completion of transpire for fish.\n";
  for (const CommandDescription& command : program.commands)
    text += fmt::format("complete -c transpire -n __fish_use_subcommand -x -a {} -d {}\n",
                        command.name, shell_quoted(command.description));
  for (const CommandDescription& command : program.commands) {
    const std::string condition = shell_quoted("__fish_seen_subcommand_from " + command.name);
    for (const OptionDescription& option : command.options)
      if (!option.names.empty()) text += fish_option(condition, option);
  }
  return text;
}

}  // namespace

std::string completion_script(const CommandDescription& program, const std::string& shell) {
  if (shell == "bash") return bash_script(program);
  return shell == "zsh" ? zsh_script(program) : fish_script(program);
}

}  // namespace transpire::cli
