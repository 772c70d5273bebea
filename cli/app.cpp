// The command line: parsing, errors, help. See the header.
#include "cli/app.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <new>
#include <sstream>
#include <stdexcept>

#include "cli/json_output.h"
#include "cli/options.h"
#include "launch/diagnose.h"

namespace transpire::cli {
namespace {

OptionDescription describe(const CLI::Option& option, const std::string& command) {
  OptionDescription description;
  for (const std::string& name : option.get_snames()) description.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) description.names.push_back("--" + name);
  if (description.names.empty()) description.positional = option.get_name();
  if (option.get_type_size() != 0) description.value = option.get_type_name();
  description.description = option.get_description();
  std::replace(description.description.begin(), description.description.end(), '\n', ' ');
  description.required = option.get_required();
  description.repeated = option.get_items_expected_max() > 1;
  const std::string name =
      description.names.empty() ? description.positional : description.names.back();
  // An option may have choices of its own in one command.
  description.choices = choices_of(command + " " + name);
  if (description.choices.empty()) description.choices = choices_of(name);
  // A flag whose value may only stand behind '='.
  if (description.value.empty() && !description.names.empty()) description.choices.clear();
  return description;
}

CommandDescription describe(const CLI::App& app) {
  CommandDescription description{app.get_name(), app.get_description(), {}, {}};
  for (const CLI::Option* option :
       app.get_options([](const CLI::Option* o) { return !o->get_group().empty(); }))
    description.options.push_back(describe(*option, app.get_name()));
  for (const CLI::App* command :
       app.get_subcommands([](const CLI::App* c) { return !c->get_group().empty(); }))
    description.commands.push_back(describe(*command));
  return description;
}

int command_help(CLI::App& app, const HelpOptions& options) {
  if (options.man) {
    print(man_page(describe(app)));
    return kSuccess;
  }
  if (options.command.empty()) {
    print(app.help());
    return kSuccess;
  }
  std::vector<std::string> names;
  for (const CLI::App* command :
       app.get_subcommands([](const CLI::App* c) { return !c->get_group().empty(); })) {
    if (command->get_name() == options.command) {
      print(command->help("transpire"));
      return kSuccess;
    }
    names.push_back(command->get_name());
  }
  return fail(
      "help", {},
      {command_error(kBadCommandLine, fmt::format("there is no command '{}'", options.command),
                     suggestion(options.command, names, "commands"))});
}

int run_parsed(CLI::App& app, const AllOptions& all) {
  if (app.got_subcommand("run")) return command_run(all.run);
  if (app.got_subcommand("test")) return command_test(all.test);
  if (app.got_subcommand("fuzz")) return command_fuzz(all.fuzz);
  if (app.got_subcommand("info")) return command_info(all.info);
  if (app.got_subcommand("validate")) return command_validate(all.validate);
  if (app.got_subcommand("dis")) return command_dis(all.dis);
  if (app.got_subcommand("compile")) return command_compile(all.compile);
  if (app.got_subcommand("cl")) return command_cl(all.cl);
  if (app.got_subcommand("ulp")) return command_ulp(all.ulp);
  if (app.got_subcommand("explain")) return command_explain(all.explain);
  if (app.got_subcommand("version")) return command_version(all.version);
  if (app.got_subcommand("help")) return command_help(app, all.help);
  print(completion_script(describe(app), all.completion.shell));
  return kSuccess;
}

/// The word after "--format" or behind "--format=", before the command line is known to be right.
OutputOptions wanted_output(int argc, const char* const* argv) {
  OutputOptions output;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const bool json =
        word == "--format=json" || (word == "json" && std::string_view(argv[i - 1]) == "--format");
    if (json) output.format = "json";
  }
  return output;
}

/// The option of that name; null: there is none.
const OptionDescription* option_named(const CommandDescription& command, const std::string& name) {
  for (const OptionDescription& option : command.options)
    if (std::ranges::find(option.names, name) != option.names.end()) return &option;
  return nullptr;
}

/// The first word of the command line that looks like an option of the command and is none; empty: all are.
std::string unknown_option(const CommandDescription& command, int argc, const char* const* argv) {
  for (int i = 2; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    std::string word = argv[i];
    const std::size_t equals = std::min(word.find('='), word.size());
    const bool has_value = equals < word.size();
    word.resize(equals);
    if (const OptionDescription* const option = option_named(command, word)) {
      i += !option->value.empty() && !has_value ? 1 : 0;
      continue;
    }
    const bool is_long = word.starts_with("--");
    const bool is_short = !is_long && word.size() > 1 && word[0] == '-' &&
                          std::isalpha(static_cast<unsigned char>(word[1])) != 0;
    if (is_long || (is_short && option_named(command, word.substr(0, 2)) == nullptr)) return word;
  }
  return {};
}

/// The known option nearest to one that is not known, as a hint; empty when there is none.
std::string option_hint(const CommandDescription& command, const std::string& unknown) {
  std::vector<std::string> names;
  for (const OptionDescription& option : command.options)
    for (const std::string& name : option.names)
      if (name.starts_with("--")) names.push_back(name);
  const std::string near = nearest(unknown, names);
  return near.empty() ? "" : fmt::format("did you mean '{}'?", near);
}

/// The parser's message in our words.
std::string reworded(const std::string& message) {
  const std::string_view text = message;
  const std::size_t colon = std::min(text.find(": "), text.size());
  const std::string_view name = text.substr(0, colon);
  const std::string_view rest = text.substr(std::min(colon + 2, text.size()));
  if (text == "A subcommand is required") return "a command is missing";
  if (text.ends_with(" is required"))
    return fmt::format("{} is missing", text.substr(0, text.rfind(" is ")));
  if (name == "The following argument was not expected")
    return fmt::format("'{}' was not expected", rest);
  if (name == "The following arguments were not expected") {
    std::istringstream stream{std::string(rest)};
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.insert(words.begin(), word);
    return fmt::format("{} were not expected", listed(words));
  }
  if (rest == kEmptyValue) return fmt::format("'{}' {}", name, rest);
  if (rest.starts_with("1 required ") && rest.ends_with(" missing"))
    return fmt::format("'{}' needs a value", name);
  constexpr std::string_view kReceived = "At Most 1 required but received ";
  if (rest.starts_with(kReceived))
    return fmt::format("'{}' is given {} times", name, rest.substr(kReceived.size()));
  const std::size_t set = rest.find(" not in {");
  if (set == std::string_view::npos) return message;
  return fmt::format("'{}' is no value of {}", rest.substr(0, set), name);
}

/// The choices of the option or argument that the parser's message begins with; empty when there
/// are none.
std::string choices_hint(std::string_view message, const std::string& command) {
  const std::size_t colon = message.find(": ");
  const std::size_t set = message.find(" not in {");
  if (colon == std::string_view::npos || set == std::string_view::npos) return {};
  const std::string name(message.substr(0, colon));
  std::vector<std::string> choices = choices_of(command + " " + name);
  if (choices.empty()) choices = choices_of(name);
  return suggestion(message.substr(colon + 2, set - colon - 2), choices, "values");
}

int usage_error(const CLI::App& app, const CLI::ParseError& error, int argc,
                const char* const* argv) {
  const auto parsed = app.get_subcommands();
  const std::string command = parsed.empty() ? "" : parsed[0]->get_name();
  std::vector<std::string> names;
  for (const CLI::App* c : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(c->get_name());
  std::string message = reworded(error.what());
  std::string help = fmt::format("see 'transpire {}--help'", command.empty() ? "" : command + " ");
  if (!parsed.empty()) {
    const CommandDescription description = describe(*parsed[0]);
    const std::string unknown = unknown_option(description, argc, argv);
    // It is the reason why other words were not understood.
    if (!unknown.empty() && (message.ends_with(" expected") || message.ends_with(" missing")))
      message = fmt::format("'{}' was not expected", unknown);
    if (std::string hint = unknown.empty() ? "" : option_hint(description, unknown); !hint.empty())
      help = std::move(hint);
  }
  if (std::string hint = choices_hint(error.what(), command); !hint.empty()) help = std::move(hint);
  const bool unknown_command = command.empty() && argc > 1 && argv[1][0] != '-';
  if (unknown_command) {
    message = fmt::format("there is no command '{}'", argv[1]);
    if (const std::string near = nearest(argv[1], names); !near.empty())
      help = fmt::format("did you mean '{}'?", near);
  }
  return fail(command.empty() ? "none" : command, wanted_output(argc, argv),
              {command_error(kBadCommandLine, message, help)});
}

}  // namespace

std::optional<RunOptions> run_options(int argc, const char* const* argv) {
  AllOptions all;
  const auto app = make_app(all);
  try {
    app->parse(argc, argv);
  } catch (const CLI::Error&) {
    return std::nullopt;
  }
  if (!app->got_subcommand("run")) return std::nullopt;
  return all.run;
}

CommandDescription describe_commands() {
  AllOptions all;
  return describe(*make_app(all));
}

namespace {

int parse_and_run(int argc, const char* const* argv) {
  AllOptions all;
  const auto app = make_app(all);
  int code = kSuccess;
  try {
    app->parse(argc, argv);
    code = run_parsed(*app, all);
  } catch (const CLI::Success& help) {
    std::ostringstream text;
    code = app->exit(help, text, text);
    print(text.str());
  } catch (const CLI::ParseError& error) {
    code = usage_error(*app, error, argc, argv);
  }
  return exit_code_after_output(code);
}

/// Memory ran out where no command expected it to. What the command held has been given back.
int fail_without_memory(int argc, const char* const* argv) {
  try {
    const std::string command = argc > 1 ? argv[1] : "none";
    return fail(command, wanted_output(argc, argv),
                {out_of_memory(fmt::format("'transpire {}'", command))});
  } catch (...) {
    std::fputs("error[TSP-L0004]: there is no memory left\n", stderr);
    return kLimit;
  }
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  return fail_without_memory(argc, argv);
}

}  // namespace transpire::cli
