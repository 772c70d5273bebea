// Exit gate: the process may end while commands wait or run. Worker threads start no command once it
// does, so that none meets the destroyed objects of the library; the exit waits a moment for such as run.
#pragma once

namespace transpire::opencl {

/// Makes the process close the gate when it exits. Before the first passage.
void watch_exit();

/// A worker's time with a command. Does not return once the process exits.
class Passage {
 public:
  Passage();
  ~Passage();
  Passage(const Passage&) = delete;
  Passage& operator=(const Passage&) = delete;
};

}  // namespace transpire::opencl
