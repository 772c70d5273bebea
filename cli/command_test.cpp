// `transpire test`: runs every launch file under some paths, each in a process of its own.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <thread>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "launch/language/number.h"
#include "launch/language/plan_builder.h"
#include "launch/language/shell_words.h"
#include "launch/report/diagnose.h"
#include "suite/discover.h"
#include "suite/formats.h"
#include "suite/run_suite.h"

namespace transpire::cli {
namespace {

/// The parsed options.
struct Asked {
  suite::SuiteOptions suite;
  std::vector<std::string> tests;
  FindingRules rules;
  bool all = true;  ///< no test was left out
};

Result<suite::SuiteOptions> suite_options(const TestOptions& options) {
  suite::SuiteOptions suite;
  suite.program = "/proc/self/exe";
  suite.jobs = std::max(1U, std::thread::hardware_concurrency());
  if (!options.jobs.empty()) {
    const auto jobs = parse_count(options.jobs, "number of tests at a time");
    if (!jobs) return jobs.errors();
    suite.jobs = static_cast<unsigned>(std::clamp<std::uint64_t>(*jobs, 1, 1024));
  }
  const auto timeout = parse_seconds(options.timeout);
  if (!timeout) return timeout.errors();
  suite.timeout_seconds = *timeout;
  for (const std::string& text : options.run_options) {
    auto words = shell_words(text);
    if (!words) return words.errors();
    suite.run_options.insert(suite.run_options.end(), words->begin(), words->end());
  }
  for (const std::string& word : options.warning_words) suite.run_options.push_back("-W" + word);
  for (const std::string& what : options.suppress)
    suite.run_options.insert(suite.run_options.end(), {"--suppress", what});
  suite.run_options.emplace_back("--as-test");
  suite.difference_folder = options.difference;
  // Other tests may use an entry that one test does not use.
  suite.run_options.push_back(fmt::format("-Wno-error={}", kUnusedSuppression));
  return suite;
}

Result<Asked> asked_for(const TestOptions& options) {
  auto suite = suite_options(options);
  if (!suite) return suite.errors();
  auto rules = FindingRules::read(options.warning_words, options.suppress,
                                  text_limit(WorkLimit::after(suite->timeout_seconds)));
  if (!rules) return rules.errors();
  suite::Shard shard;
  if (!options.shard.empty()) {
    const auto parsed = suite::parse_shard(options.shard);
    if (!parsed) return parsed.errors();
    shard = *parsed;
  }
  auto tests = suite::find_tests(options.paths);
  if (!tests) return tests.errors();
  const std::size_t found = tests->size();
  if (!options.filters.empty())
    std::erase_if(*tests, [&](const std::string& test) {
      return std::ranges::none_of(
          options.filters, [&](const std::string& filter) { return suite::matches(test, filter); });
    });
  if (tests->empty())
    return command_error(kBadCommandLine, fmt::format("none of {} tests is like {}", found,
                                                      listed(options.filters)));
  Asked asked{std::move(suite).value(), suite::part_of(*tests, shard), std::move(rules).value()};
  asked.all = asked.tests.size() == found;
  return asked;
}

/// A status line on standard error, overwritten in place.
class StatusLine {
 public:
  void update(const suite::Progress& progress) {
    if (!terminal_) return;
    std::string text = fmt::format("{} of {}, {} failed", progress.done, progress.total,
                                   progress.done - progress.passed);
    for (const std::string& test : progress.running) text += " | " + test;
    constexpr std::size_t kColumns = 79;
    if (text.size() > kColumns) text = text.substr(0, kColumns - 3) + "...";
    fmt::print(stderr, "\r\033[K{}", text);
    std::fflush(stderr);
  }
  void clear() const {
    if (terminal_) std::fputs("\r\033[K", stderr);
  }

 private:
  bool terminal_ = isatty(STDERR_FILENO) != 0;
};

suite::SuiteReport run_with_status(const Asked& asked, const TestOptions& options) {
  StatusLine line;
  Interrupt interrupt;
  interrupt.hold();
  suite::SuiteEvents events;
  events.ended = [&](const suite::TestResult& result) {
    line.clear();
    const bool passed = result.outcome == suite::Outcome::kPassed;
    if (options.format == "text" && (!passed || options.verbose))
      print(suite::text_of(result, wants_colour()));
    // GitHub reads both streams. JSON is a document and must stand alone.
    if (options.github && !passed && options.format == "text") print(suite::github_of(result));
    if (options.github && !passed && options.format != "text")
      std::fputs(suite::github_of(result).c_str(), stderr);
    std::fflush(stdout);
  };
  events.waiting = [&](const suite::Progress& progress) { line.update(progress); };
  events.interrupted = [] { return Interrupt::signal() != 0; };
  suite::SuiteReport report = suite::run_suite(asked.tests, asked.suite, events);
  line.clear();
  return report;
}

/// Blesses the launch files of failed tests. Returns true if all could be written.
bool bless_all(const suite::SuiteReport& report, const suite::SuiteOptions& options) {
  bool all = true;
  for (const suite::TestResult& result : report.results) {
    if (result.outcome == suite::Outcome::kPassed) continue;
    const suite::Blessed blessed = suite::bless(result.path, options);
    print(blessed.text);
    all &= blessed.done;
  }
  return all;
}

/// Suppressions that no test used, if all tests ran to their end. -W may make them errors.
Diagnostics unused_entries(const Asked& asked, const suite::SuiteReport& report) {
  if (!asked.all || !report.is_complete()) return {};
  Suppressions suppressions = asked.rules.suppressions;
  for (const suite::TestResult& result : report.results)
    for (const Suppression& entry : result.suppressions) suppressions.merge(entry);
  Diagnostics unused = suppressions.unused();
  for (Diagnostic& each : unused) asked.rules.warnings.judge(each);
  return unused;
}

}  // namespace

int command_test(const TestOptions& options) {
  const auto asked = asked_for(options);
  if (!asked) return fail("test", options, asked.errors());
  if (options.list) {
    for (const std::string& test : asked->tests) print(test + "\n");
    return kSuccess;
  }
  const suite::SuiteReport report = run_with_status(*asked, options);
  const bool passed = report.count(suite::Outcome::kPassed) == report.results.size();
  int code = passed ? kSuccess : kExpectationFailed;
  if (Interrupt::signal() != 0) code = Interrupt::exit_code();
  if (options.bless && code == kExpectationFailed && bless_all(report, asked->suite))
    code = kSuccess;
  const Diagnostics unused = unused_entries(*asked, report);
  if (!options.json()) show(unused);
  if (code == kSuccess) code = exit_code_of(unused);
  if (options.format == "json") print(suite::json_of(report, unused, code));
  if (options.format == "tap") print(suite::tap_of(report));
  if (options.format == "text") print(suite::summary_of(report));
  if (!options.junit.empty()) {
    const std::string xml = suite::junit_of(report);
    if (const Status written = write_file(options.junit, std::as_bytes(std::span(xml))); !written)
      return fail("test", options, written.errors());
  }
  return code;
}

}  // namespace transpire::cli
