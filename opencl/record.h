// Records of launches: each is a launch file (docs/launch-file.md) with its module and memory, so
// that `transpire run DIR/0001-NAME.launch` repeats the launch alone and compares the results.
//
//   DIR/0001-NAME.launch   the launch, and its results as `expect` lines
//   DIR/0001-NAME/*.bin    contents of memory that are too long for a line
//   DIR/modules/HASH.spv   each module once
//
// Numbers are unique among all threads and processes that share DIR: a counter in DIR/.next, locked
// while it is read and written. A record has all memory that the kernel could see: overlapping
// buffers are slices of one, shared virtual memory and program-scope variables are complete.
// Concurrent changes by other launches, and results that depend on the order of work-groups, are
// recorded as they happened.
#pragma once

#include <memory>
#include <string>

#include "transpire/transpire.hpp"

namespace transpire::opencl {

class Record {
 public:
  /// Writes the launch's initial state, so call it right before the launch. `folder` need not
  /// exist. A failure to write is reported once on standard error.
  Record(const std::string& folder, const Launch& launch, const Device& device);
  ~Record();
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;

  /// Writes the launch file with the launch's result. `call` is the host's, as report() shows it.
  void finish(const Result<LaunchResult>& result, const std::string& call);

 private:
  class Writer;
  std::unique_ptr<Writer> writer_;  ///< null if writing failed
};

}  // namespace transpire::opencl
