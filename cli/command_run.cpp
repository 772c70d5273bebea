// `transpire run`: launches described by flags, a launch file, or lines in the kernel's own source.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/json_output.h"
#include "cli/progress_line.h"
#include "cli/sarif.h"
#include "cli/watchdog.h"
#include "launch/bless/bless.h"
#include "launch/report/diagnose.h"
#include "launch/runner/run_plan.h"

namespace transpire::cli {
namespace {

bool reads_input(const RunOptions& options) {
  return std::ranges::find(options.launch.modules, "-") != options.launch.modules.end();
}

int refuse(const RunOptions& options, const Diagnostics& errors) {
  if (options.format != "sarif") return fail("run", options, errors);
  RunReport report;
  report.errors = errors;
  print(sarif_of(report, reads_input(options)));
  return exit_code_of(errors);
}

/// The watchdog's action. No other thread prints before the first launch has begun.
void end_by_time_limit(const RunOptions& options) {
  const Diagnostic error =
      command_error(kTimeLimit, "the time limit was reached before the first launch",
                    "the limit holds for reading, compiling, decoding and validating together");
  const int code = refuse(options, {error});  // flushes its output; other files may be locked
  std::_Exit(code);
}

RunReport run_with_progress(const LaunchPlan& plan, const AskedSettings& settings,
                            const FindingRules& rules, const RunOptions& options) {
  RunOverrides overrides;
  overrides.settings = settings;
  overrides.rules = rules;
  overrides.strictness = strictness_named(options.strictness);
  overrides.warnings = options.warnings;
  overrides.collect_buffers = false;
  overrides.collect_found = options.bless;
  overrides.difference_folder = options.difference;
  ProgressLine line(isatty(STDERR_FILENO) != 0);
  Watchdog watchdog(reading_limit(merged(plan.settings, settings)).time.seconds_left(), [&] {
    line.stop();
    end_by_time_limit(options);
  });
  Interrupt interrupt;
  overrides.prepared = [&] {
    watchdog.release();
    interrupt.hold();
  };
  overrides.interrupted = [] { return Interrupt::signal() != 0; };
  overrides.begins = [&line](const std::string& part) { line.begin(part); };
  overrides.progress = [&line](const LaunchProgress& progress) {
    line.update(progress);
    return Interrupt::signal() == 0;
  };
  RunReport report = run_plan(plan, overrides);
  if (Interrupt::signal() != 0) report.exit_code = Interrupt::exit_code();
  return report;
}

/// Writes the results into the launch file, and prints the change.
int bless(const RunOptions& options, const LaunchPlan& plan, const RunReport& report) {
  const auto blessing = blessing_of(plan, report);
  if (!blessing) return refuse(options, blessing.errors());
  print(blessing->changes.empty() && blessing->data.empty()
            ? fmt::format("{}: nothing to change\n", blessing->path)
            : difference_of(*blessing));
  if (const Status written = write(*blessing); !written) return refuse(options, written.errors());
  return kSuccess;
}

/// Fails if standard output would get both a document and a buffer's contents.
Status check_standard_output(const RunOptions& options, const LaunchPlan& plan) {
  if (options.format == "text") return Unit{};
  for (const Step& step : plan.steps) {
    const auto* const output = std::get_if<OutputStep>(&step);
    if (output != nullptr && output->file == "-")
      return command_error(kBadCommandLine,
                           fmt::format("'{}' cannot be written to standard output, which has the "
                                       "{} document",
                                       output->buffer, options.format),
                           fmt::format("write it to a file: '--out {}=FILE'", output->buffer));
  }
  return Unit{};
}

/// Checks that a seed comes with the random schedule, which alone uses it.
Status check_seed(const AskedSettings& given, const LaunchPlan& plan) {
  const Schedule schedule = merged(plan.settings, given).schedule.value_or(Schedule::kLockstep);
  if (!given.seed || schedule == Schedule::kRandom) return Unit{};
  return seed_without_effect();
}

/// Prints the report as text. If standard output gets a buffer's contents, nothing else goes there.
void show_report(const RunReport& report, bool quiet) {
  const std::string summary = quiet ? std::string() : format_summary(report);
  if (report.standard_output) {
    for (const std::string* text : {&report.text, &summary}) std::fputs(text->c_str(), stderr);
    print({reinterpret_cast<const char*>(report.standard_output->data()),
           report.standard_output->size()});
  } else {
    print(report.text);
    print(summary);
  }
  std::fputs(format_messages(report, wants_colour()).c_str(), stderr);
}

}  // namespace

namespace {

/// The errors of all results, in this order.
template <class... Results>
Diagnostics errors_of(const Results&... results) {
  Diagnostics all;
  const auto add = [&all](const auto& result) {
    if (!result) all.insert(all.end(), result.errors().begin(), result.errors().end());
  };
  (add(results), ...);
  return all;
}

}  // namespace

int command_run(const RunOptions& options) {
  auto settings = settings_of(options);
  const ReadLimit limit = settings ? reading_limit(*settings) : text_limit();
  const auto rules = FindingRules::read(options.warning_words, options.suppress, limit);
  Watchdog watchdog(limit.time.seconds_left(), [&options] { end_by_time_limit(options); });
  const auto plan =
      within_memory(fmt::format("the launch that '{}' describes", options.launch.modules[0]),
                    [&] { return plan_of(options, limit); });
  watchdog.release();
  if (const Diagnostics errors = errors_of(settings, rules, plan); !errors.empty())
    return refuse(options, errors);
  if (options.is_test && !merged(plan->settings, *settings).poison) settings->poison = true;
  if (const Status fine = check_standard_output(options, *plan); !fine)
    return refuse(options, fine.errors());
  if (const Status fine = check_seed(*settings, *plan); !fine)
    return refuse(options, fine.errors());
  const RunReport report = run_with_progress(*plan, *settings, *rules, options);
  if (options.bless && Interrupt::signal() == 0) return bless(options, *plan, report);
  if (options.json()) {
    print(format_json(report));
    return report.exit_code;
  }
  if (options.format == "sarif") {
    print(sarif_of(report, reads_input(options)));
    return report.exit_code;
  }
  show_report(report, options.quiet);
  return report.exit_code;
}

}  // namespace transpire::cli
