// Exit gate: the process may exit while commands wait or run. Workers then start no further
// command, because the library's objects may be destroyed; the exit waits a moment for running
// ones.
#pragma once

namespace transpire::opencl {

/// Makes the process close the gate when it exits. Call it before the first passage.
void watch_exit();

/// Spans a worker's time with a command. The constructor does not return once the process exits.
class Passage {
 public:
  Passage();
  ~Passage();
  Passage(const Passage&) = delete;
  Passage& operator=(const Passage&) = delete;
};

}  // namespace transpire::opencl
