// How one test of a suite ended.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "launch/report/mismatch.h"
#include "launch/report/suppressions.h"
#include "transpire/diagnostic.hpp"

namespace transpire::suite {

enum class Outcome : std::uint8_t {
  kPassed,
  kFailed,     ///< an expectation was not met, or there was a finding
  kBroken,     ///< it could not be run: no launch file, a refused module, no memory
  kTimeLimit,  ///< the test's time limit
  kCrashed,
  kNotRun,  ///< the suite ended before
};

/// "passed", "failed", "broken", "time limit", "crashed", "not run".
std::string_view name_of(Outcome outcome);

/// A failure of a test.
struct Problem {
  Diagnostic diagnostic;
  std::vector<launch::Mismatch> mismatches{};  ///< expectations of values: the first few
                                               ///< differences
  std::uint64_t different = 0;                 ///< number of differences
};

struct TestResult {
  std::string path;
  Outcome outcome = Outcome::kNotRun;
  double seconds = 0;
  std::vector<Problem> problems{};
  std::string output{};                             ///< output of the kernels
  std::vector<launch::Suppression> suppressions{};  ///< with the number of uses of each
};

/// Reads a finished run: its exit code and its JSON document, docs/output.schema.json, "run". An
/// invalid document counts as a crash.
TestResult result_of_run(const std::string& path, int exit_code, std::string_view document);

/// "y.cl:3:7: error[TSP-R0021]: ..." and "12 of 64 values of 'y' differ": place and text of the
/// first problem; empty if there is none.
std::string headline_of(const TestResult& result);

/// The place in the source that the diagnostic shows first, or the launch file's line.
SourceLine place_of(const Problem& problem, const std::string& path);

}  // namespace transpire::suite
