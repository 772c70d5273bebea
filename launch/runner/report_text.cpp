// Text of a RunReport for people: see launch/runner/run_plan.h.
#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"
#include "launch/report/diagnose.h"
#include "launch/runner/amounts.h"
#include "launch/runner/launch_tree.h"
#include "launch/runner/run_plan.h"

namespace transpire::launch {
namespace {

std::string format_rate(double per_second) {
  double rate = per_second;
  for (const char* unit : {"", " k", " M"}) {
    if (rate < 999.5) return amount_text(rate) + unit;
    rate /= 1000;
  }
  return amount_text(rate) + " G";
}

std::string_view format_end(LaunchResult::End end) {
  switch (end) {
    case LaunchResult::End::kTooManyFindings:
      return "; ended early: too many findings";
    case LaunchResult::End::kStepLimit:
      return "; ended early: step limit";
    case LaunchResult::End::kTimeLimit:
      return "; ended early: time limit";
    case LaunchResult::End::kCancelled:
      return "; cancelled";
    case LaunchResult::End::kNoProgress:
      return "; ended early: no progress";
    case LaunchResult::End::kCompleted:
      break;
  }
  return "";
}

std::string format_launch(const LaunchReport& launch) {
  const std::string repeats = launch.repeats == 1 ? "" : fmt::format(" {} times", launch.repeats);
  std::string text = fmt::format("{}{}: {} work-item{} in groups of {}, {}", launch.kernel, repeats,
                                 size_text(launch.global_size, launch.dimensions),
                                 launch.dimensions == 1 && launch.global_size[0] == 1 ? "" : "s",
                                 size_text(launch.local_size, launch.dimensions),
                                 seconds_text(launch.wall_seconds));
  // The number of work-items that ran is unknown for a launch that ended early.
  if (launch.wall_seconds > 0 && launch.end == LaunchResult::End::kCompleted)
    text += fmt::format(", {} work-items/s",
                        format_rate(static_cast<double>(launch.work_items) / launch.wall_seconds));
  return fmt::format("{}{}{}\n", text, format_enqueued(launch), format_end(launch.end));
}

}  // namespace

std::string format_compiled_for_checks(const RunReport& report) {
  if (report.compiled_for_checks.empty()) return {};
  return fmt::format(
      "compiled with -O0 for the checks: {} ('-O2' among the build options keeps clang's "
      "optimiser)\n",
      fmt::join(report.compiled_for_checks, ", "));
}

std::string format_summary(const RunReport& report) {
  std::string text;
  for (const LaunchReport& launch : report.launches) {
    text += format_launch(launch) + format_tree(launch);
    for (const auto& [name, count] : launch.instruction_counts)
      text += fmt::format("{:>14} {}\n", count, name);
  }
  text += format_compiled_for_checks(report);
  if (const std::uint64_t hidden = report.hidden_warnings; hidden != 0)
    text += fmt::format("validated for {}: {} warning{} not shown, --warnings shows {}\n",
                        report.environment, hidden, hidden == 1 ? "" : "s",
                        hidden == 1 ? "it" : "them");
  std::uint64_t suppressed = 0;
  for (const Suppression& entry : report.suppressions) suppressed += entry.used;
  if (suppressed != 0) text += suppressed_text(suppressed) + "\n";
  // An expectation that was not checked counts as unmet.
  const bool is_known = !report.failures.empty() || report.errors.empty();
  if (report.expectations != 0 && is_known)
    text += report.failures.empty() ? fmt::format("{} expectation{} met\n", report.expectations,
                                                  report.expectations == 1 ? "" : "s")
                                    : fmt::format("{} of {} expectations failed\n",
                                                  report.failures.size(), report.expectations);
  return text;
}

std::string format_messages(const RunReport& report, bool colour) {
  std::string text;
  for (const ShowReport& shown : report.shown)
    text += fmt::format("show: '{}'{}{} ({})\n", shown.name, shown.range.empty() ? "" : " ",
                        shown.range, shown.file);
  std::size_t faults = 0;
  for (const ReportedFinding& finding : report.findings) {
    if (!is_open(finding)) continue;
    text += format(finding.finding.diagnostic, colour);
    faults += finding.finding.is_error();
  }
  for (const Diagnostic& error : report.errors) text += format(error, colour);
  for (const Diagnostic& warning : report.warnings) text += format(with_clause(warning), colour);
  for (const FailedExpectation& failure : report.failures)
    text += format(failure.diagnostic, colour);
  const bool too_many = std::any_of(
      report.launches.begin(), report.launches.end(),
      [](const LaunchReport& l) { return l.end == LaunchResult::End::kTooManyFindings; });
  if (too_many)
    text += fmt::format("the first {}; there may be more, the launch was ended\n",
                        count_text(report.findings.size(), "finding"));
  else if (faults > 1)
    text += fmt::format("{} errors were found\n", faults);
  return text;
}

}  // namespace transpire::launch
