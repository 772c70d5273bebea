// A RunReport for people: see cli/run_plan.h.
#include <fmt/format.h>

#include <algorithm>

#include "cli/diagnose.h"
#include "cli/run_plan.h"

namespace transpire::cli {
namespace {

std::string format_size(const std::array<std::uint64_t, 3>& size, std::uint32_t dimensions) {
  std::string text;
  for (std::uint32_t i = 0; i < dimensions; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : "x", size[i]);
  return text;
}

std::string format_seconds(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} s", seconds);
}

std::string format_rate(double per_second) {
  constexpr std::pair<double, const char*> kUnits[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
  for (const auto& [factor, unit] : kUnits)
    if (per_second >= factor) return fmt::format("{:.3g} {}", per_second / factor, unit);
  return fmt::format("{:.3g}", per_second);
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
    case LaunchResult::End::kCompleted:
      break;
  }
  return "";
}

std::string format_launch(const LaunchReport& launch) {
  const std::string repeats = launch.repeats == 1 ? "" : fmt::format(" {} times", launch.repeats);
  std::string text = fmt::format("{}{}: {} work-items in groups of {}, {}", launch.kernel, repeats,
                                 format_size(launch.global_size, launch.dimensions),
                                 format_size(launch.local_size, launch.dimensions),
                                 format_seconds(launch.wall_seconds));
  if (launch.wall_seconds > 0)
    text += fmt::format(", {} work-items/s",
                        format_rate(static_cast<double>(launch.work_items) / launch.wall_seconds));
  return fmt::format("{}{}\n", text, format_end(launch.end));
}

}  // namespace

std::string format_summary(const RunReport& report) {
  std::string text;
  for (const LaunchReport& launch : report.launches) text += format_launch(launch);
  if (report.expectations != 0)
    text += report.failures.empty() ? fmt::format("{} expectation{} met\n", report.expectations,
                                                  report.expectations == 1 ? "" : "s")
                                    : fmt::format("{} of {} expectations failed\n",
                                                  report.failures.size(), report.expectations);
  return text;
}

std::string format_messages(const RunReport& report, bool colour) {
  std::string text;
  std::size_t faults = 0;
  for (const ReportedFinding& finding : report.findings) {
    if (finding.expected) continue;
    text += format(finding.finding.diagnostic, colour);
    faults += finding.finding.is_error();
  }
  for (const Diagnostic& error : report.errors) text += format(error, colour);
  for (const Diagnostic& failure : report.failures) text += format(failure, colour);
  const bool too_many = std::any_of(
      report.launches.begin(), report.launches.end(),
      [](const LaunchReport& l) { return l.end == LaunchResult::End::kTooManyFindings; });
  if (too_many)
    text += fmt::format("the first {} findings; there may be more, the launch was ended\n",
                        report.findings.size());
  else if (faults > 1)
    text += fmt::format("{} errors were found\n", faults);
  return text;
}

}  // namespace transpire::cli
