// Makes plans from the options of `transpire run`, and changes the plan of a launch file by options.
#include <fmt/format.h>

#include <algorithm>

#include "launch/language/plan_builder.h"
#include "launch/language/statements.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

bool is_check(const Statement& statement) { return statement.override_by == nullptr; }

/// The name of an option in messages: "-k" of "-k,--kernel".
std::string_view short_name(const Statement& statement) {
  return statement.names.substr(0, statement.names.find(','));
}

Status read_option(PlanBuilder& builder, const Statement& statement, std::string_view text) {
  if (statement.option != nullptr) return statement.option(builder, text);
  if (statement.line != nullptr) return statement.line(builder, text);
  std::string_view left;
  std::string_view right;
  if (!split_at_equals(text, left, right))
    return command_error(kBadCommandLine, "'=' is missing between name and value");
  return statement.assignment(builder, left, right);
}

/// Feeds options to a builder. The place of their errors is the option.
Status read_options(PlanBuilder& builder, const LaunchFlags& flags, bool checks_only) {
  Diagnostics errors;
  for (const Statement& statement : statements()) {
    const auto given = flags.given.find(statement.word);
    if (given == flags.given.end() || (checks_only && !is_check(statement))) continue;
    for (const std::string& text : given->second) {
      const SourceLine place = place_of_flag(short_name(statement), text);
      builder.set_place(place);
      const Status read = read_option(builder, statement, text);
      if (read) continue;
      for (Diagnostic& error : placed(read.errors(), place)) errors.push_back(std::move(error));
    }
  }
  builder.set_place({});
  if (!errors.empty()) return errors;
  return Unit{};
}

/// Appends the prints, outputs and expectations of another plan.
void take_checks(LaunchPlan& plan, LaunchPlan extra) {
  for (Step& step : extra.steps)
    if (!std::holds_alternative<LaunchStep>(step)) plan.steps.push_back(std::move(step));
  for (auto& fault : extra.expected_faults) plan.expected_faults.push_back(std::move(fault));
  if (extra.no_faults) plan.no_faults = extra.no_faults;
  for (auto& refusal : extra.expected_refusals)
    plan.expected_refusals.push_back(std::move(refusal));
}

}  // namespace

bool LaunchFlags::has(std::string_view word) const {
  const auto found = given.find(word);
  return found != given.end() && !found->second.empty();
}

bool describes_launch(const LaunchFlags& flags) {
  return std::ranges::any_of(statements(), [&](const Statement& statement) {
    return !is_check(statement) && flags.has(statement.word);
  });
}

Result<LaunchPlan> plan_from_flags(const LaunchFlags& flags) {
  PlanBuilder builder("");
  for (const std::string& path : flags.modules) builder.use_module(path);
  if (const Status read = read_options(builder, flags, false); !read) return read.errors();
  return builder.finish();
}

Status override_plan(LaunchPlan& plan, const LaunchFlags& flags) {
  LaunchFlags without_files = flags;
  without_files.modules.clear();
  auto given = plan_from_flags(without_files);
  if (!given) return given.errors();
  for (const Statement& statement : statements())
    if (!is_check(statement) && flags.has(statement.word))
      if (const Status done = statement.override_by(plan, *given); !done) return done;
  take_checks(plan, std::move(given).value());
  return Unit{};
}

Status add_checks(LaunchPlan& plan, const LaunchFlags& flags) {
  PlanBuilder builder("");
  if (const Status read = read_options(builder, flags, true); !read) return read;
  auto extra = builder.finish();
  if (!extra) return extra.errors();
  take_checks(plan, std::move(extra).value());
  return Unit{};
}

}  // namespace transpire::launch
