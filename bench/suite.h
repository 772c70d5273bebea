// Runs the contenders of a case side by side, each in its own process, and keeps the medians.
// Does not judge or print: report.h does.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "bench/contenders.h"

namespace transpire::bench {

struct Measurement {
  std::string error;    // why there are no figures; empty when there are
  bool absent = false;  // the error is that the contender is not installed
  double cpu_ns = 0;    // medians
  double wall_ns = 0;
  double time_ns = 0;  // the one that counts: CPU time on one thread, wall time on all
  std::size_t work_items = 0;
  std::size_t samples = 0;
};

/// True if the contender tried and failed.
inline bool Failed(const Measurement& measurement) {
  return !measurement.error.empty() && !measurement.absent;
}

struct CaseResult {
  std::string name;
  std::map<std::string, Measurement> by_label;
};

/// Measures `case_name` `repeats` times with every contender, in turns (A B C A B C), so that
/// whatever else the machine does hits all of them. `program` is the path of this executable.
CaseResult MeasureCase(const std::string& program, const std::string& case_name,
                       const std::vector<Contender>& contenders, unsigned repeats);

}  // namespace transpire::bench
