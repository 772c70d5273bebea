// A suite's report in the forms that people and CI systems read.
#pragma once

#include <string>

#include "suite/run_suite.h"

namespace transpire::suite {

/// A test that did not pass, with all that is known of it; a test that passed in one line.
std::string text_of(const TestResult& result, bool colour);
/// "14 of 15 tests passed, 1 failed (2.3 s)".
std::string summary_of(const SuiteReport& report);

/// JUnit's XML, as CI systems read it.
std::string junit_of(const SuiteReport& report);
/// The Test Anything Protocol, version 14.
std::string tap_of(const SuiteReport& report);
/// A workflow command of GitHub for each problem, which puts it beside its line.
std::string github_of(const TestResult& result);
/// docs/output.schema.json, "test".
std::string json_of(const SuiteReport& report, const Diagnostics& warnings, int exit_code);

}  // namespace transpire::suite
