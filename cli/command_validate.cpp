// `transpire validate`: whether a module keeps the rules of an OpenCL environment and a device.
#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/json_output.h"
#include "cli/sarif.h"
#include "launch/diagnose.h"
#include "launch/value_spec.h"
#include "transpire/validate.hpp"

namespace transpire::cli {
namespace {

OpenQuestion answer_of(const std::string& text) {
  if (text.empty()) return OpenQuestion::kDefault;
  return text == "accept" ? OpenQuestion::kAccept : OpenQuestion::kReject;
}

Status check_rules(const std::vector<std::string>& ids) {
  for (const std::string& id : ids)
    if (!find_rule(full_rule_id(id)))
      return command_error(kNoSuchRule, fmt::format("no rule has the id '{}'", id),
                           "'transpire explain' without a rule lists all of them");
  return Unit{};
}

Result<ValidateOptions> options_of(const ValidateCommand& command) {
  ValidateOptions options;
  options.environment = command.environment;
  options.strictness = strictness_named(command.strictness);
  options.irreducible = answer_of(command.irreducible);
  options.struct_arrays = answer_of(command.struct_arrays);
  options.other_scopes = answer_of(command.scopes);
  options.all = command.all;
  options.max_errors = command.max_errors;
  options.warnings_as_errors = command.warnings == "error";
  options.second_opinion = command.second_opinion == "yes";
  if (const Status known = check_rules(command.suppress); !known) return known.errors();
  options.suppress = command.suppress;
  if (command.device.empty()) return options;
  const auto bytes = read_file(command.device);
  if (!bytes) return bytes.errors();
  options.device.assign(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  options.device_name = command.device;
  // An empty file is no description; an empty text would mean that none was given.
  if (options.device.empty()) options.device = " ";
  return options;
}

/// "3 errors, 1 warning".
std::string counted(const Validation& validation) {
  const auto spelled = [](std::uint64_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  return fmt::format("{}, {}", spelled(validation.errors, "error"),
                     spelled(validation.warnings, "warning"));
}

/// "opencl2.2 (field, 2 remarks held back: --strictness=strict shows them)".
std::string judged_by(const ValidateCommand& command, const Validation& validation) {
  std::string text = fmt::format("{} ({}", validation.environment, command.strictness);
  if (validation.held_back != 0)
    text += fmt::format(", {} remark{} held back: --strictness=strict shows {}",
                        validation.held_back, validation.held_back == 1 ? "" : "s",
                        validation.held_back == 1 ? "it" : "them");
  return text + ")";
}

}  // namespace

Strictness strictness_named(const std::string& name) {
  if (name == "none") return Strictness::kNone;
  return name == "field" ? Strictness::kField : Strictness::kStrict;
}

int command_validate(const ValidateCommand& command) {
  auto words = words_of(command.build_options);
  if (!words) return fail("validate", command, words.errors());
  auto options = options_of(command);
  if (!options) return fail("validate", command, options.errors());
  LoadOptions load;
  load.build_options = std::move(words).value();
  const auto validation = within_memory(fmt::format("validating '{}'", command.file), [&] {
    return validate_file(command.file, *options, load);
  });
  if (!validation) return fail("validate", command, validation.errors());
  const int code = validation->valid ? kSuccess : kInvalidModule;
  if (command.json()) {
    print(json_of_validation(command.file, command.strictness, *validation, code));
    return code;
  }
  if (command.format == "sarif") {
    print(sarif_of(*validation));
    return code;
  }
  for (const Diagnostic& diagnostic : validation->diagnostics)
    std::fputs(format(with_clause(diagnostic), wants_colour()).c_str(), stderr);
  const std::string judged = judged_by(command, *validation);
  if (code == kSuccess)
    print(fmt::format("{}: valid for {}\n", command.file, judged));
  else
    std::fputs(fmt::format("{}: not valid for {}: {}\n", command.file, judged, counted(*validation))
                   .c_str(),
               stderr);
  return code;
}

}  // namespace transpire::cli
