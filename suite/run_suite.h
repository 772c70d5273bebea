// Running a suite: each test in a process of its own, several at a time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "suite/outcome.h"

namespace transpire::suite {

struct SuiteOptions {
  std::string program;                   ///< path of `transpire`
  std::vector<std::string> run_options;  ///< options of `run`, for every test
  std::string difference_folder{};  ///< has a folder for the pictures of each test; empty: none
  unsigned jobs = 1;                ///< number of concurrent tests
  double timeout_seconds = 0;       ///< for each test; 0: none
};

/// The state of a running suite.
struct Progress {
  std::size_t done = 0, passed = 0, total = 0;
  std::vector<std::string> running;  ///< tests that are running
};

/// Callbacks; the thread that runs the suite calls them.
struct SuiteEvents {
  std::function<void(const TestResult&)> ended;
  std::function<void(const Progress&)> waiting;  ///< called several times a second
  std::function<bool()> interrupted;  ///< true: no further test begins, and running ones are ended
};

struct SuiteReport {
  std::vector<TestResult> results;  ///< in the order of the tests
  double seconds = 0;
  std::size_t count(Outcome outcome) const;
  /// Number of suppressed findings.
  std::uint64_t suppressed() const;
  /// True if every test came to its end, so that unused suppressions are needless.
  bool is_complete() const;
};

SuiteReport run_suite(const std::vector<std::string>& tests, const SuiteOptions& options,
                      const SuiteEvents& events);

/// The output of `run --bless` for a test.
struct Blessed {
  bool done = false;  ///< the launch file now expects the results
  std::string text{};
};
Blessed bless(const std::string& test, const SuiteOptions& options);

}  // namespace transpire::suite
