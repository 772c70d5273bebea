// Interrupt: see the header.
#include "cli/interrupt.h"

#include <time.h>

#include <csignal>

namespace transpire::cli {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM};

volatile std::sig_atomic_t holding = 0;
volatile std::sig_atomic_t kept = 0;
timespec kept_at{};

/// True for a signal that repeats the first: `timeout` or a service manager may signal each process
/// and also the group. That is no second Ctrl-C.
bool is_same_wish() {
  constexpr double kSeconds = 0.25;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec - kept_at.tv_sec) +
             static_cast<double>(now.tv_nsec - kept_at.tv_nsec) * 1e-9 <
         kSeconds;
}

extern "C" void note_signal(int number) {
  if (holding != 0 && kept == 0) {
    clock_gettime(CLOCK_MONOTONIC, &kept_at);
    kept = number;
    return;
  }
  if (kept != 0 && is_same_wish()) return;
  std::signal(number, SIG_DFL);
  std::raise(number);
}

}  // namespace

Interrupt::Interrupt() {
  holding = 0;
  kept = 0;
  for (const int number : kSignals) {
    struct sigaction before {};
    // A process started with a signal ignored (nohup, a shell's background job) keeps ignoring it.
    if (sigaction(number, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = note_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(number, &action, nullptr);
  }
}

Interrupt::~Interrupt() {
  // A repeated signal may arrive while the command still ends.
  if (kept != 0) return;
  for (const int number : kSignals) {
    struct sigaction now {};
    if (sigaction(number, nullptr, &now) == 0 && now.sa_handler == note_signal)
      std::signal(number, SIG_DFL);
  }
}

void Interrupt::hold() { holding = 1; }

int Interrupt::signal() { return static_cast<int>(kept); }

}  // namespace transpire::cli
