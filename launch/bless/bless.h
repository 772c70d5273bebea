// Blessing: writes the results of a run into its launch file as expectations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "launch/runner/run_plan.h"

namespace transpire::launch {

/// A change of the launch file: a line and the lines that replace it, of which there may be none.
struct LineChange {
  std::uint32_t line = 0;  ///< 1-based; the last line plus 1 for lines added at the end
  std::string before;      ///< the old line; in JSON it may be several
  std::vector<std::string> after;
  bool added = false;  ///< keeps the old line; `after` follows it
};

/// The changes of a launch file and its data files. write() writes them.
struct Blessing {
  std::string path;
  std::vector<LineChange> changes;  ///< in the order of their lines
  std::string text;                 ///< new text of the whole file
  /// Data files and their contents: files that expectations name, and new ones for values too long for a line.
  std::vector<std::pair<std::string, std::vector<std::byte>>> data;
};

/// Returns the changes that make the launch file expect the results of a run: buffers, printf, faults and refusals. The run
/// had RunOverrides::collect_found. Fails with C0021 if the form of the file cannot express them (.sim), or no expectation
/// can describe how the run ended.
Result<Blessing> blessing_of(const LaunchPlan& plan, const RunReport& report);

/// The changes as text below the file's name: "- expect y = 1", "+ expect y = 2". The names of data files come last.
std::string difference_of(const Blessing& blessing);

/// Writes the launch file and the data files. Fails with C0024.
Status write(const Blessing& blessing);

}  // namespace transpire::launch
