// `transpire fuzz`: runs a launch in many orders of work-items and compares the results.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <thread>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/json_output.h"
#include "launch/fuzz/fuzz.h"
#include "launch/language/number.h"
#include "launch/language/plan_builder.h"
#include "launch/report/diagnose.h"

namespace transpire::cli {
namespace {

constexpr std::uint64_t kMostJobs = 1024, kMostSeeds = std::uint64_t{1} << 32;

Status read_count(const std::string& text, std::string_view unit, std::uint64_t most,
                  std::uint64_t* count) {
  if (text.empty()) return Unit{};
  const auto parsed = parse_count(text, unit);
  if (!parsed) return parsed.errors();
  if (*parsed > most)
    return command_error(kBadValue, fmt::format("'{}' is too large: at most {}", text, most));
  *count = *parsed;
  return Unit{};
}

/// Reads the options, except those of the run itself.
Status read_limits(const FuzzCommand& command, FuzzOptions* options) {
  std::uint64_t seed = options->first_seed;
  std::uint64_t jobs = std::max(1U, std::thread::hardware_concurrency());
  if (!command.seconds.empty()) {
    const auto seconds = parse_seconds(command.seconds);
    if (!seconds) return seconds.errors();
    options->seconds = *seconds;
    if (*seconds > 0) options->runs = 0;
  }
  if (const Status read = read_count(command.runs, "number of runs", kMostSeeds, &options->runs);
      !read)
    return read;
  if (const Status read = read_count(command.jobs, "number of runs at a time", kMostJobs, &jobs);
      !read)
    return read;
  if (const Status read = read_count(command.seed, "seed", kMostSeeds - 1, &seed); !read)
    return read;
  options->first_seed = static_cast<std::uint32_t>(seed);
  options->jobs = static_cast<unsigned>(std::max<std::uint64_t>(jobs, 1));
  options->ignored = command.ignored;
  options->wants_replay = !command.save.empty();
  if (options->runs == 0 && options->seconds == 0)
    return command_error(kBadCommandLine, "'--runs 0' never ends",
                         "give a time with it: '--seconds 60'");
  return Unit{};
}

Result<FuzzOptions> options_of(const FuzzCommand& command) {
  const auto settings = settings_of(command.run);
  if (!settings) return settings.errors();
  auto rules =
      FindingRules::read(command.run.warning_words, command.run.suppress, reading_limit(*settings));
  if (!rules) return rules.errors();
  FuzzOptions options;
  options.overrides.settings = *settings;
  options.overrides.rules = std::move(rules).value();
  options.overrides.strictness = strictness_named(command.run.strictness);
  options.overrides.warnings = command.run.warnings;
  if (const Status read = read_limits(command, &options); !read) return read.errors();
  return options;
}

/// Runs the orders, and shows the progress in a line on a terminal.
FuzzReport fuzz_with_status(const LaunchPlan& plan, FuzzOptions options) {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  Interrupt interrupt;
  interrupt.hold();
  options.waiting = [&](std::uint64_t done) {
    if (terminal) {
      fmt::print(stderr, "\r\033[K{} orders of work-items", done);
      std::fflush(stderr);
    }
    return Interrupt::signal() == 0;
  };
  FuzzReport report = fuzz(plan, options);
  if (terminal) std::fputs("\r\033[K", stderr);
  report.interrupted |= Interrupt::signal() != 0;
  if (Interrupt::signal() != 0 && !report.difference) report.exit_code = Interrupt::exit_code();
  return report;
}

/// A note that an unfinished search does not know the first order that differs.
std::string unfinished_in(const FuzzReport& report) {
  if (report.unfinished == 0) return {};
  return fmt::format("; {} before it did not come to {} end", report.unfinished,
                     report.unfinished == 1 ? "its" : "their");
}

std::string summary_of(const FuzzReport& report) {
  std::string text =
      fmt::format("{} order{} of work-items, {} buffer{} compared: ", report.runs,
                  report.runs == 1 ? "" : "s", report.compared, report.compared == 1 ? "" : "s");
  if (report.order != Order{})
    return text + fmt::format("the last one {}, {}{}\n",
                              report.difference ? "differs" : "is not in order",
                              report.order.words(), unfinished_in(report));
  return text + (report.interrupted ? "interrupted, no difference so far\n" : "no difference\n");
}

void show_report(const FuzzReport& report, bool quiet) {
  if (!quiet && report.runs != 0 && report.run.errors.empty())
    print(summary_of(report) + format_compiled_for_checks(report.run));
  std::fflush(stdout);
  std::fputs(format_messages(report.run, wants_colour()).c_str(), stderr);
  if (report.finding) show({report.finding->diagnostic});
}

/// Does nothing if there is nothing to save.
Status save(const FuzzReport& report, const std::string& file) {
  if (file.empty() || !report.replay) return Unit{};
  if (!*report.replay) return report.replay->errors();
  return write_file(file, std::as_bytes(std::span(report.replay->value())));
}

}  // namespace

int command_fuzz(const FuzzCommand& command) {
  const auto options = options_of(command);
  if (!options) return fail("fuzz", command.run, options.errors());
  const auto plan = within_memory(
      fmt::format("the launch that '{}' describes", command.run.launch.modules[0]),
      [&] { return plan_of(command.run, reading_limit(options->overrides.settings)); });
  if (!plan) return fail("fuzz", command.run, plan.errors());
  const FuzzReport report = fuzz_with_status(*plan, *options);
  const Status saved = save(report, command.save);
  if (command.run.json() && saved) {
    print(json_of_fuzz(report));
    return report.exit_code;
  }
  if (!command.run.json()) show_report(report, command.run.quiet);
  return saved ? report.exit_code : fail("fuzz", command.run, saved.errors());
}

}  // namespace transpire::cli
