// The commands and their options. Only this file and app.cpp know the parser library.
#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"

namespace transpire::cli {

struct AllOptions {
  RunOptions run;
  TestOptions test;
  FuzzCommand fuzz;
  InfoOptions info;
  ValidateCommand validate;
  DisOptions dis;
  CompileCommand compile;
  ClOptions cl;
  UlpCommandOptions ulp;
  ExplainOptions explain;
  VersionOptions version;
  HelpOptions help;
  CompletionOptions completion;
};

/// The allowed values of an option such as "--isa" or "ulp --rounding"; empty: any.
std::vector<std::string> choices_of(const std::string& option);

/// Error text; follows the option's name.
inline constexpr const char* kEmptyValue = "has an empty value";

/// The parser, which fills in `all`; `all` must outlive it. If `only` is the name of a command, the
/// others get no options: making them took 4.2 of the 7.4 million instructions of `transpire
/// version`.
std::unique_ptr<CLI::App> make_app(AllOptions& all, std::string_view only = {});

}  // namespace transpire::cli
