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
  kFailed,     ///< an expectation was not met, or something was found
  kBroken,     ///< it could not be run: not a launch file, a module that is refused, no memory
  kTimeLimit,  ///< of the test
  kCrashed,
  kNotRun,  ///< the suite was ended before
};

/// "passed", "failed", "broken", "time limit", "crashed", "not run".
std::string_view name_of(Outcome outcome);

/// What is wrong with a test.
struct Problem {
  Diagnostic diagnostic;
  std::vector<launch::Mismatch> mismatches{};  ///< of an expectation about numbers, the first few
  std::uint64_t different = 0;                 ///< how many there are of them
};

struct TestResult {
  std::string path;
  Outcome outcome = Outcome::kNotRun;
  double seconds = 0;
  std::vector<Problem> problems{};
  std::string output{};  ///< what the kernels printed
  std::vector<launch::Suppression>
      suppressions{};  ///< that it asked for, and how often each was used
};

/// What a finished run says: its exit code and its JSON document, docs/output.schema.json, "run". A document that is none
/// is a crash.
TestResult result_of_run(const std::string& path, int exit_code, std::string_view document);

/// "y.cl:3:7: error[TSP-R0021]: ..." and "12 of 64 values of 'y' differ": where the first problem is, and what; empty when
/// there is none.
std::string headline_of(const TestResult& result);

/// The place in the source that the diagnostic shows first, or the launch file's line.
SourceLine place_of(const Problem& problem, const std::string& path);

}  // namespace transpire::suite
