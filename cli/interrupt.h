// Ctrl-C and SIGTERM while launches run.
#pragma once

namespace transpire::cli {

/// From `hold()` on the first of these signals is kept: whoever runs asks for it, and ends in order. Before, and at
/// the second one, the process ends as it would without this. One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  void hold();
  /// The signal that came; 0 when none did.
  static int signal();
  /// What a shell gives as the exit code of a process that a signal ended.
  static int exit_code() { return 128 + signal(); }
};

}  // namespace transpire::cli
