// What the options of `run` describe, which other commands have as well.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "cli/commands.h"
#include "launch/language/plan_builder.h"
#include "launch/report/diagnose.h"

namespace transpire::cli {

namespace {

/// What is given of a launch, as statements of the launch language.
std::vector<std::pair<std::string_view, std::string>> statements_in(const RunOptions& options) {
  std::vector<std::pair<std::string_view, std::string>> statements{{"threads", options.threads}};
  for (const std::string& check : options.checks) statements.emplace_back("check", check);
  for (std::size_t i = 0; i < std::size(kSettings); ++i)
    statements.emplace_back(kSettings[i].word, options.settings[i]);
  statements.emplace_back("env", options.environment);
  for (std::size_t i = 0; i < std::size(kLimits); ++i)
    statements.emplace_back(kLimits[i].word, options.limits[i]);
  std::erase_if(statements, [](const auto& statement) { return statement.second.empty(); });
  for (std::size_t i = 0; i < std::size(kSettings); ++i)
    if (options.flags[i]) statements.emplace_back(kSettings[i].word, "");
  return statements;
}

}  // namespace

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
  // Of a source, who names the kernel describes a launch of its own; who does not changes the one that the source describes.
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

Result<PlanSettings> settings_of(const RunOptions& options) {
  PlanBuilder builder("");
  Diagnostics errors;
  for (const auto& [name, text] : statements_in(options)) {
    const Status read = builder.setting(name, text);
    if (read) continue;
    for (Diagnostic error : read.errors()) {
      error.notes.push_back(fmt::format("in '--{} {}'", name, text));
      errors.push_back(std::move(error));
    }
  }
  if (!errors.empty()) return errors;
  const auto plan = builder.finish();
  if (!plan) return plan.errors();
  PlanSettings settings = plan->settings;
  settings.isa = options.isa;
  return settings;
}

}  // namespace transpire::cli
