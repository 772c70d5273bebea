// Handles SIGINT and SIGTERM while launches run, if TRANSPIRE_CL_INTERRUPT asks for it, as
// `transpire cl` does. The driver only delays a signal: the program gets it a moment later.
//
//   signal --> kept; the launches that run are cancelled --> they report --> the last one gives the signal back
//
// At other times the program's own handlers stay installed. A signal that the program ignores stays
// ignored.
#pragma once

#include "transpire/transpire.hpp"

namespace transpire::opencl {

/// Number of signals kept so far. A launch enqueued before the last one does not begin.
unsigned interrupts();

/// Lets interrupts end the launch, if they are handled.
void make_interruptible(Launch& launch);

/// Spans a launch's time, including its report.
class Interruptible {
 public:
  /// `enqueued_at`: interrupts() when it was enqueued.
  Interruptible(const Launch& launch, unsigned enqueued_at);
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  /// False if a signal came before the launch.
  bool may_run() const { return may_run_; }

 private:
  const std::optional<Canceller>& canceller_;
  bool may_run_ = true;
};

}  // namespace transpire::opencl
