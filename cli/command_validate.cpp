// `transpire validate`: checks a module against an OpenCL environment and a device.
#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/json_output.h"
#include "cli/sarif.h"
#include "launch/report/diagnose.h"
#include "launch/report/files.h"
#include "transpire/validate.hpp"

namespace transpire::cli {
namespace {

OpenQuestion answer_of(const std::string& text) {
  if (text.empty()) return OpenQuestion::kDefault;
  return text == "accept" ? OpenQuestion::kAccept : OpenQuestion::kReject;
}

Result<ValidateOptions> options_of(const ValidateCommand& command, const WarningRules& warnings) {
  ValidateOptions options;
  options.environment = command.environment;
  options.strictness = strictness_named(command.strictness);
  options.irreducible = answer_of(command.irreducible);
  options.struct_arrays = answer_of(command.struct_arrays);
  options.other_scopes = answer_of(command.scopes);
  options.all = command.all;
  options.max_errors = command.max_errors;
  options.warnings_as_errors = warnings.all();
  set_severities(warnings, options);
  options.second_opinion = command.second_opinion == "yes";
  if (command.device.empty()) return options;
  const auto bytes = read_file(command.device);
  if (!bytes) return bytes.errors();
  options.device.assign(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  options.device_name = command.device;
  // An empty text would mean that no description was given; an empty file must be an error.
  if (options.device.empty()) options.device = " ";
  return options;
}

/// "3 errors, 1 warning".
std::string counted(const Validation& validation) {
  const auto text_of = [](std::uint64_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  return fmt::format("{}, {}", text_of(validation.errors, "error"),
                     text_of(validation.warnings, "warning"));
}

/// "opencl2.2 (field, 2 remarks held back: --strictness=strict shows them)".
std::string judged_by(const ValidateCommand& command, const JudgedValidation& judged) {
  const Validation& validation = judged.validation;
  std::string text = fmt::format("{} ({}", validation.environment, command.strictness);
  if (validation.held_back != 0)
    text += fmt::format(", {} remark{} held back: --strictness=strict shows {}",
                        validation.held_back, validation.held_back == 1 ? "" : "s",
                        validation.held_back == 1 ? "it" : "them");
  if (!validation.no_second_opinion.empty())
    text += ", without SPIRV-Tools' second opinion: " + validation.no_second_opinion;
  if (const std::uint64_t used = judged.suppressions.used(); used != 0)
    text += ", " + suppressed_text(used);
  return text + ")";
}

Result<Validation> validate_named(const std::string& file, ValidateOptions options,
                                  const LoadOptions& load) {
  if (!is_read_once(file)) return validate_file(file, std::move(options), load);
  const auto bytes = read_file(file);  // keeps the bytes: SARIF counts columns in them
  if (!bytes) return bytes.errors();
  if (file != "-") options.name = file;
  return validate_input(*bytes, std::move(options), load);
}

/// Validates, collects suppressed diagnostics, and warns of unused suppressions.
Result<JudgedValidation> judge(const ValidateCommand& command, ValidateOptions options,
                               FindingRules rules, const LoadOptions& load) {
  JudgedValidation judged;
  if (!rules.suppressions.empty())
    options.suppressed = [&](const Diagnostic& found) {
      const auto entry = rules.suppressions.take({found});
      if (entry && judged.suppressed.size() < kMostSuppressedKept)
        judged.suppressed.push_back({found, *entry});
      return entry.has_value();
    };
  auto validation = validate_named(command.file, std::move(options), load);
  if (!validation) return validation.errors();
  judged.validation = std::move(validation).value();
  // True if the maximum number of errors ended the validation, so that others may be missing.
  const bool ended =
      command.max_errors != 0 && !command.all && judged.validation.errors >= command.max_errors;
  for (Diagnostic& unused : ended ? Diagnostics() : rules.suppressions.unused()) {
    rules.warnings.judge(unused);
    judged.unused.push_back(std::move(unused));
  }
  judged.suppressions = std::move(rules.suppressions);
  return judged;
}

int code_of(const JudgedValidation& judged) {
  return judged.validation.valid ? exit_code_of(judged.unused) : kInvalidModule;
}

/// Reports why the module could not be judged.
int refuse(const ValidateCommand& command, const Diagnostics& errors) {
  if (command.format != "sarif") return fail("validate", command, errors);
  JudgedValidation judged;
  judged.validation.diagnostics = errors;
  print(sarif_of(judged, command.file == "-"));
  return exit_code_of(errors);
}

}  // namespace

Strictness strictness_named(const std::string& name) {
  if (name == "none") return Strictness::kNone;
  return name == "field" ? Strictness::kField : Strictness::kStrict;
}

int command_validate(const ValidateCommand& command) {
  auto words = words_of(command.build_options);
  if (!words) return refuse(command, words.errors());
  auto rules = FindingRules::read(command.warning_words, command.suppress);
  if (!rules) return refuse(command, rules.errors());
  auto options = options_of(command, rules->warnings);
  if (!options) return refuse(command, options.errors());
  LoadOptions load;
  load.build_options = std::move(words).value();
  const auto judged = within_memory(fmt::format("validating '{}'", command.file), [&] {
    return judge(command, std::move(options).value(), std::move(rules).value(), load);
  });
  if (!judged) return refuse(command, judged.errors());
  const int code = code_of(*judged);
  if (command.json()) {
    print(json_of_validation(command.file, command.strictness, *judged, code));
    return code;
  }
  if (command.format == "sarif") {
    print(sarif_of(*judged, command.file == "-"));
    return code;
  }
  const Validation& validation = judged->validation;
  for (const Diagnostic& diagnostic : validation.diagnostics)
    std::fputs(format(with_clause(diagnostic), wants_colour()).c_str(), stderr);
  show(judged->unused);
  const std::string by = judged_by(command, *judged);
  if (validation.valid)
    print(fmt::format("{}: valid for {}\n", command.file, by));
  else
    std::fputs(
        fmt::format("{}: not valid for {}: {}\n", command.file, by, counted(validation)).c_str(),
        stderr);
  return code;
}

}  // namespace transpire::cli
