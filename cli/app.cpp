// The command line: parsing, errors, help. See the header.
#include "cli/app.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <cstdio>
#include <new>
#include <sstream>
#include <stdexcept>

#include "cli/json_output.h"
#include "cli/options.h"
#include "cli/usage_error.h"
#include "launch/report/diagnose.h"

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
  // One command may give an option other choices than the rest.
  description.choices = choices_of(command + " " + name);
  if (description.choices.empty()) description.choices = choices_of(name);
  // Removes the choices of a flag whose value stands only behind '='.
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

/// The word after "--format" or behind "--format=". The command line is not checked yet.
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

/// The command on the command line; none if the options of other commands are shown, too.
std::string_view needed_command(int argc, const char* const* argv) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  return command == "help" || command == "completion" ? "" : command;
}

int parse_and_run(int argc, const char* const* argv) {
  AllOptions all;
  const auto app = make_app(all, needed_command(argc, argv));
  int code = kSuccess;
  try {
    app->parse(argc, argv);
    code = run_parsed(*app, all);
  } catch (const CLI::Success& help) {
    std::ostringstream text;
    code = app->exit(help, text, text);
    print(text.str());
  } catch (const CLI::ParseError& error) {
    Diagnostics errors = usage_errors(argc, argv);
    if (errors.empty()) errors = {command_error(kBadCommandLine, error.what())};
    code = fail(command_of(argc, argv), wanted_output(argc, argv), errors);
  }
  return exit_code_after_output(code);
}

/// Reports that memory ran out where no command expects it. The command's own memory has been
/// freed.
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
