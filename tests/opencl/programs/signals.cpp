// A host program that begins a launch while the driver gives a signal back. The sigaction() and kill() of this file stand
// before those of the C library, for the driver as well: they let the launch come in between.
#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

#include "tests/opencl/programs/programs.h"

namespace {

std::atomic<bool> delays_check{false}, delays_delivery{false};
std::atomic<bool> at_check{false};   ///< the driver is about to look at the program's action
std::atomic<bool> begun{false};      ///< a launch has begun since
std::atomic<int> undelivered{0};     ///< the signal that the driver sent
thread_local bool restored = false;  ///< this thread's last call set the action of SIGTERM

template <typename Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

template <typename Holds>
void wait_until(const Holds& holds) {
  while (!holds()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace

/// The driver looks at the actions of SIGINT and SIGTERM and sets them, in this order. When it looks at SIGTERM again
/// directly after that, it is about to give SIGTERM back.
extern "C" [[gnu::visibility("default")]] int sigaction(int number, const struct sigaction* action,
                                                        struct sigaction* before) noexcept {
  static const auto real = next<int(int, const struct sigaction*, struct sigaction*)>("sigaction");
  if (number == SIGTERM && action == nullptr && restored && delays_check) {
    at_check = true;
    wait_until([] { return begun.load(); });
  }
  restored = number == SIGTERM && action != nullptr;
  return real(number, action, before);
}

extern "C" [[gnu::visibility("default")]] int kill(pid_t process, int number) noexcept {
  static const auto real = next<int(pid_t, int)>("kill");
  if (!delays_delivery.exchange(false)) return real(process, number);
  undelivered = number;
  return 0;
}

namespace transpire::test {

/// A launch that never ends, until SIGTERM comes, and one more that begins before the program gets the signal. The first
/// word says at which moment: "check", before the driver looks what the program does with the signal, or "delivery",
/// when the driver has sent the signal and no thread has taken it yet. Then the program has a handler, which exits
/// with 7. Exits with 3 when the signal is lost.
HOST_PROGRAM_ALONE(overtaken) {
  const bool at_delivery = words[0] == "delivery";
  if (at_delivery) signal(SIGTERM, [](int) { _exit(7); });
  const Application host;
  const Kernel hang = host.kernel_of(
      "kernel void hang(global volatile uint* turns) { while (true) turns[0] = turns[0] + 1; }",
      "hang");
  const Queue other = make_queue(host.context);
  Event event;
  const auto begin = [&](cl_command_queue queue, cl_event* made) {
    auto* const turns = static_cast<std::atomic<cl_uint>*>(clSVMAlloc(
        host.context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, sizeof(cl_uint), 0));
    CHECK(turns != nullptr);
    *turns = 0;
    CHECK(clSetKernelArgSVMPointer(hang, 0, turns) == CL_SUCCESS);
    CHECK(enqueue(queue, hang, {1}, {1}, {}, made) == CL_SUCCESS);
    CHECK(clFlush(queue) == CL_SUCCESS);
    wait_until([&] { return *turns != 0; });
  };
  begin(host.queue, &event);
  (at_delivery ? delays_delivery : delays_check) = true;
  std::fprintf(stderr, "ready\n");
  wait_until([] { return at_check || undelivered != 0; });
  if (at_delivery) wait_until([&] { return status_of(event) < 0; });
  begin(other, nullptr);
  begun = true;
  if (at_delivery) {
    kill(getpid(), undelivered);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // a sanitizer's turn for signals
  } else {
    wait_until([&] { return status_of(event) < 0; });
  }
  _exit(3);
}

}  // namespace transpire::test
