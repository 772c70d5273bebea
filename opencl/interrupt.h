// SIGINT and SIGTERM while launches run, where the environment asks for it (TRANSPIRE_CL_INTERRUPT, which `transpire cl`
// sets). A driver is a guest in its process: the signals are the program's, which gets them a moment later.
//
//   signal --> kept; the launches that run are cancelled --> they report --> the last one gives the signal back
//
// At other times the program's own handlers stand, and those of signals that it ignores always do.
#pragma once

#include "transpire/transpire.hpp"

namespace transpire::opencl {

/// Signals kept so far: a launch that was enqueued before the last one is not begun any more.
unsigned interrupts();

/// Makes the launch one that interrupts end, if there are such.
void make_interruptible(Launch& launch);

/// A launch's time, its report included.
class Interruptible {
 public:
  /// `enqueued_at`: interrupts() when it was enqueued.
  Interruptible(const Launch& launch, unsigned enqueued_at);
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  /// False: a signal came before it.
  bool may_run() const { return may_run_; }

 private:
  const std::optional<Canceller>& canceller_;
  bool may_run_ = true;
};

}  // namespace transpire::opencl
