// `transpire validate`: whether a module keeps the rules of an OpenCL environment.
#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/diagnose.h"
#include "cli/json_output.h"
#include "cli/run_plan.h"
#include "transpire/transpire.hpp"

namespace transpire::cli {

int command_validate(const ValidateOptions& options) {
  auto words = words_of(options.build_options);
  if (!words) return fail("validate", options, words.errors());
  LoadOptions load;
  load.build_options = std::move(words).value();
  const auto module = load_module_file(options.file, load);
  if (!module) return fail("validate", options, module.errors());
  const Diagnostics found = module->validate(options.environment);
  const int code = exit_code_of(found);
  if (options.json()) {
    print(json_of_validation(options.file, options.environment, found, code));
    return code;
  }
  for (const Diagnostic& diagnostic : found)
    std::fputs(format(diagnostic, wants_colour()).c_str(), stderr);
  if (code == kSuccess) print(fmt::format("{}: valid for {}\n", options.file, options.environment));
  return code;
}

}  // namespace transpire::cli
