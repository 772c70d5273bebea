// Blessing: writing what came out of a run into its launch file, as what is expected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "launch/run_plan.h"

namespace transpire::launch {

/// A line of the launch file, and what stands in its place: nothing, one line, or several.
struct LineChange {
  std::uint32_t line = 0;  ///< 1-based; one behind the last for lines that are added at the end
  std::string before;      ///< of JSON perhaps several lines
  std::vector<std::string> after;
  bool added = false;  ///< `after` follows the line, which stays
};

/// Nothing is written yet.
struct Blessing {
  std::string path;
  std::vector<LineChange> changes;  ///< in the order of their lines
  std::string text;                 ///< of the whole file
  /// Files of data that expectations name, or that came to be since there were too many numbers for a line.
  std::vector<std::pair<std::string, std::vector<std::byte>>> data;
};

/// True where a value stands in a file of data, which blessing writes.
bool is_in_file(const ValueSpec& value);

/// What makes the launch file say what came out: expectations of buffers and of printf, faults that were found or were
/// not, refusals. `report` is of a run with RunOverrides::collect_found. Fails with C0021 where the file's form has no
/// words for them (.sim), and where the run ended for a reason that no expectation can be of.
Result<Blessing> blessing_of(const LaunchPlan& plan, const RunReport& report);

/// "- expect y = 1", "+ expect y = 2", below the file's name; the files that are written at the end.
std::string difference_of(const Blessing& blessing);

/// Fails with C0024.
Status write(const Blessing& blessing);

}  // namespace transpire::launch
