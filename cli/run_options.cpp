// Converts the options of `run`, which other commands share, to a launch plan.
#include <fmt/format.h>

#include <utility>

#include "cli/commands.h"
#include "launch/language/plan_builder.h"
#include "launch/report/diagnose.h"

namespace transpire::cli {

std::string text_of(const GivenSettings& given, std::string_view word) {
  const auto found = given.find(word);
  return found == given.end() || found->second.empty() ? "" : found->second.back();
}

Diagnostic seed_without_effect() {
  return command_error(kBadCommandLine, "'--seed' chooses an order of the schedule 'random' alone",
                       "add '--schedule=random'");
}

Result<LaunchPlan> plan_of(const RunOptions& options, const ReadLimit& limit) {
  const LaunchFlags& flags = options.launch;
  const std::string& first = flags.modules[0];
  const bool described = describes_launch(flags);
  if (flags.modules.size() > 1) {
    for (const std::string& path : flags.modules) {
      Input part(path, limit);
      if (names_launch(part))
        return command_error(kBadCommandLine,
                             fmt::format("'{}' is a launch file, not a module to link", path),
                             "give it alone: its 'module' lines name the modules");
    }
    return plan_from_flags(flags);
  }
  // For a source: options that name the kernel describe a new launch; others change the launch that
  // the source describes.
  Input input(first, limit);
  const bool changes = !flags.has("kernel") && has_launch_lines(input);
  if (described && !names_launch(input) && !changes) return plan_from_flags(flags);
  auto plan = load_plan(input);
  if (!plan) return plan;
  if (described && options.bless)
    return command_error(kBadCommandLine,
                         fmt::format("'--bless' writes what '{}' by itself leads to", first),
                         "leave out -k, -g, -l, -a and the like");
  if (described) {
    if (const Status done = override_plan(*plan, flags); !done) return done.errors();
    return plan;
  }
  if (const Status added = add_checks(*plan, flags); !added) return added.errors();
  return plan;
}

Result<AskedSettings> settings_of(const RunOptions& options) {
  PlanBuilder builder("");
  Diagnostics errors;
  for (const auto& [word, texts] : options.settings)
    for (const std::string& text : texts) {
      const Status read = builder.setting(word, text);
      if (read) continue;
      for (Diagnostic error : read.errors()) {
        error.notes.push_back(fmt::format("in '--{} {}'", word, text));
        errors.push_back(std::move(error));
      }
    }
  if (!errors.empty()) return errors;
  auto plan = builder.finish();
  if (!plan) return plan.errors();
  return std::move(plan->settings);
}

}  // namespace transpire::cli
