// Runs other programs: without a shell, with empty standard input, until a limit.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/work_limit.h"

namespace transpire {

/// The end of a program, and its output.
struct ProcessEnd {
  bool started = false;  ///< false: there is no such program
  int exit_code = -1;    ///< negative: the signal that killed it
  /// The limit that killed it; kNone if it ended by itself.
  WorkLimit::End limit = WorkLimit::End::kNone;
  bool too_long = false;  ///< it was killed because it wrote more than ProcessOptions::max_bytes
  std::string output;  ///< standard output; with ProcessOptions::together, standard error as well
  std::string errors;  ///< standard error
};

struct ProcessOptions {
  WorkLimit limit{};
  /// At its limit the program gets SIGTERM. If it has not ended this many seconds later, it is killed.
  double grace_seconds = 0;
  /// Collects standard error together with standard output, in the order of writing.
  bool together = true;
  std::uint64_t max_bytes = ~std::uint64_t{0};  ///< limit of its output
  std::vector<std::pair<std::string, std::string>>
      environment{};  ///< variables set in addition to this process's own
  /// Runs the program and its children in a process group of their own. Killing the program kills them, and Ctrl-C at the
  /// terminal does not reach them.
  bool own_group = false;
};

/// Runs a program, given by a name in PATH or by its path, with these arguments, and waits for its end.
ProcessEnd run_process(const std::string& program, const std::vector<std::string>& arguments,
                       const ProcessOptions& options = {});

}  // namespace transpire
