// Running other programs: without a shell, with nothing to read, until a limit.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/work_limit.h"

namespace transpire {

/// How a program that was run ended.
struct ProcessEnd {
  bool started = false;  ///< false: there is no such program
  int exit_code = -1;    ///< negative: the signal that killed it
  /// Why it was killed: the limit's time, the caller's wish; kNone when it ended by itself.
  WorkLimit::End limit = WorkLimit::End::kNone;
  bool too_long = false;  ///< it wrote more than it may, and was killed
  std::string output;     ///< standard output; standard error as well where they are together
  std::string errors;     ///< standard error
};

struct ProcessOptions {
  WorkLimit limit{};
  /// Beyond its limit a program is asked to end, with SIGTERM, and killed when it has not ended this many seconds later.
  double grace_seconds = 0;
  /// Standard error goes where standard output goes, in the order in which they are written.
  bool together = true;
  std::uint64_t max_bytes = ~std::uint64_t{0};  ///< of what it writes
  std::vector<std::pair<std::string, std::string>>
      environment{};  ///< set besides this process's own
  /// The program and all that it starts are a process group of their own: what ends it ends them, and Ctrl-C at
  /// the terminal reaches this process alone.
  bool own_group = false;
};

/// Runs a program found by PATH, or at a path, with these arguments, and waits for its end.
ProcessEnd run_process(const std::string& program, const std::vector<std::string>& arguments,
                       const ProcessOptions& options = {});

}  // namespace transpire
