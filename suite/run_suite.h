// Running a suite: each test in a process of its own, several at a time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "suite/outcome.h"

namespace transpire::suite {

struct SuiteOptions {
  std::string program;                   ///< `transpire`
  std::vector<std::string> run_options;  ///< of `run`, for every test
  std::string difference_folder{};  ///< has a folder for the pictures of each test; empty: none
  unsigned jobs = 1;                ///< tests at a time
  double timeout_seconds = 0;       ///< for each test; 0: none
};

/// What is going on.
struct Progress {
  std::size_t done = 0, passed = 0, total = 0;
  std::vector<std::string> running;  ///< the tests that run now
};

/// Called by the thread that runs the suite.
struct SuiteEvents {
  std::function<void(const TestResult&)> ended;
  std::function<void(const Progress&)> waiting;  ///< several times a second
  std::function<bool()> interrupted;  ///< true: nothing more is begun, and what runs is ended
};

struct SuiteReport {
  std::vector<TestResult> results;  ///< in the order of the tests
  double seconds = 0;
  std::size_t count(Outcome outcome) const;
  /// All findings that were suppressed.
  std::uint64_t suppressed() const;
  /// Whether every test came to its end, so that an entry that was not used is one that nothing needs.
  bool is_complete() const;
};

SuiteReport run_suite(const std::vector<std::string>& tests, const SuiteOptions& options,
                      const SuiteEvents& events);

/// What `run --bless` said of a test.
struct Blessed {
  bool done = false;  ///< what came out is what the launch file expects now
  std::string text{};
};
Blessed bless(const std::string& test, const SuiteOptions& options);

}  // namespace transpire::suite
