// The exit gate. Its state belongs to the process and is never destroyed.
#include "opencl/exit_gate.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace transpire::opencl {
namespace {

/// Time that an exit waits for running commands. A kernel may run for ever.
constexpr auto kPatience = std::chrono::milliseconds(200);

std::atomic<int> inside{0};
std::atomic<bool> closed{false};

void close_gate() {
  closed = true;
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (inside != 0 && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace

void watch_exit() { [[maybe_unused]] static const int watched = std::atexit(close_gate); }

Passage::Passage() {
  ++inside;
  if (!closed) return;
  --inside;
  while (true) pause();
}

Passage::~Passage() { --inside; }

}  // namespace transpire::opencl
