// Interrupt: see the header.
#include "cli/interrupt.h"

#include <csignal>

namespace transpire::cli {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM};

volatile std::sig_atomic_t holding = 0;
volatile std::sig_atomic_t kept = 0;

extern "C" void note_signal(int number) {
  if (holding != 0 && kept == 0) {
    kept = number;
    return;
  }
  std::signal(number, SIG_DFL);
  std::raise(number);
}

}  // namespace

Interrupt::Interrupt() {
  holding = 0;
  kept = 0;
  for (const int number : kSignals) {
    struct sigaction before {};
    // Who was started with a signal ignored (nohup, a shell's background job) goes on ignoring it.
    if (sigaction(number, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = note_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(number, &action, nullptr);
  }
}

Interrupt::~Interrupt() {
  for (const int number : kSignals) {
    struct sigaction now {};
    if (sigaction(number, nullptr, &now) == 0 && now.sa_handler == note_signal)
      std::signal(number, SIG_DFL);
  }
}

void Interrupt::hold() { holding = 1; }

int Interrupt::signal() { return static_cast<int>(kept); }

}  // namespace transpire::cli
