// Ctrl-C and SIGTERM while launches run.
#pragma once

namespace transpire::cli {

/// From `hold()` on, the first of these signals is kept: code that runs launches polls it and ends
/// in order. Before `hold()`, and at the second signal, the process ends as it would without this
/// class. One object at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  void hold();
  /// The number of the signal that came; 0: none.
  static int signal();
  /// The exit code that a shell gives for a process that a signal ended.
  static int exit_code() { return 128 + signal(); }
};

}  // namespace transpire::cli
