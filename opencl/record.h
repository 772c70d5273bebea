// Records of launches: a launch as a launch file (docs/launch-file.md), with its module and its
// memory, so that `transpire run DIR/0001-NAME.launch` does the same again, alone, and compares.
//
//   DIR/0001-NAME.launch   what was launched, and what came out as `expect` lines
//   DIR/0001-NAME/*.bin    contents of memory that are too long for a line
//   DIR/modules/HASH.spv   each module once
//
// Numbers are unique among the threads and processes that share DIR: a counter in DIR/.next, locked
// while it is read and written. A record says what the kernel could see: overlapping buffers are
// slices of one, shared virtual memory and program-scope variables are complete. What other
// launches change meanwhile, or what depends on the order of work-groups, is as it happened to be.
#pragma once

#include <memory>
#include <string>

#include "transpire/transpire.hpp"

namespace transpire::opencl {

class Record {
 public:
  /// Writes what the launch starts from, so call it right before. `folder` need not exist. Failing
  /// to write is said once on standard error.
  Record(const std::string& folder, const Launch& launch, const Device& device);
  ~Record();
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;

  /// Writes the launch file, with what became of the launch. `call` is the host's, as report()
  /// shows it.
  void finish(const Result<LaunchResult>& result, const std::string& call);

 private:
  class Writer;
  std::unique_ptr<Writer> writer_;  ///< null when writing failed
};

}  // namespace transpire::opencl
