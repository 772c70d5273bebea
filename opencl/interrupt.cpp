// Interrupts. Signal handlers use statics; the rest belongs to the process, too, and is never
// destroyed.
#include "opencl/interrupt.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "opencl/platform.h"

namespace transpire::opencl {
namespace {

constexpr std::array kSignals{SIGINT, SIGTERM};
/// A sender may signal each process of a group and also the group, and `transpire cl` passes
/// signals on. A repetition within this time is no second request.
constexpr std::int64_t kSameWishNs = 250'000'000;

std::atomic<unsigned> kept_so_far{0};
std::atomic<int> kept{0};  ///< signal not yet given to the program; 0: none
/// Time of the last request; 0: none. The program may have got it, and have begun its next launch.
std::atomic<std::int64_t> wished_at{0};
std::atomic<pid_t> owner{0};  ///< process of the thread below; a fork has no such thread
std::array<struct sigaction, kSignals.size()> programs_own;
sem_t came;

std::int64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// From here on the program handles the signal, beginning with this one.
void give_way(int number) {
  for (std::size_t i = 0; i < kSignals.size(); ++i)
    if (kSignals[i] == number) sigaction(number, &programs_own[i], nullptr);
  raise(number);  // arrives when the handler returns
}

bool sent_by_this_process(const siginfo_t* info) {
  if (info == nullptr) return false;
  const bool has_sender =
      info->si_code == SI_USER || info->si_code == SI_QUEUE || info->si_code == SI_TKILL;
  return has_sender && info->si_pid == getpid();
}

extern "C" void keep_signal(int number, siginfo_t* info, void*) {
  const int error = errno;
  const bool raised = sent_by_this_process(info) && info->si_code == SI_TKILL;
  int none = 0;
  const std::int64_t now = monotonic_ns();
  std::int64_t last = wished_at;
  const bool same_wish = last != 0 && now - last <= kSameWishNs;
  if (raised || owner != getpid()) {
    give_way(number);
  } else if (same_wish && sent_by_this_process(info) && kept != number) {
    // give_back() sent it and a launch began before it came, or the program's own handler sends it on. Nobody sends it again.
    give_way(number);
  } else if (same_wish || !wished_at.compare_exchange_strong(last, now)) {
    // Nothing to do: it is the same wish as the last one, or as one that another thread keeps just now.
  } else if (kept.compare_exchange_strong(none, number)) {
    ++kept_so_far;
    sem_post(&came);
  } else {
    give_way(number);
  }
  errno = error;
}

bool is_ours(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == keep_signal;
}

/// Gives the signal to the program, which handles it now.
void give_back(int number) {
  struct sigaction action {};
  if (sigaction(number, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) {
    kill(getpid(), number);
    return;
  }
  // The signal ends the process. This thread waits for that.
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  raise(number);
}

class Watch {
 public:
  /// False if a signal is kept.
  bool enter(const Canceller& launch) {
    const std::lock_guard lock(mutex_);
    if (owner != getpid() && !begin()) return true;
    if (kept != 0) return false;
    if (running_.empty() && giving_back_ == 0) take_signals();
    running_.push_back(&launch);
    return true;
  }

  /// Launches that have ended wait here while a signal is kept, until the last one: the program
  /// would go on although it is to end.
  void leave(const Canceller& launch) {
    std::unique_lock lock(mutex_);
    if (std::erase(running_, &launch) == 0) return;
    if (!running_.empty()) {
      const unsigned before = given_back_;
      if (kept != 0) changed_.wait(lock, [&] { return given_back_ != before; });
      return;
    }
    restore_signals();
    const int number = kept.exchange(0);
    if (number != 0) hand_over(number, lock);
  }

 private:
  /// Starts the thread for work that a handler may not do. A child process starts another one.
  bool begin() {
    running_.clear();
    giving_back_ = 0;
    kept = 0;
    wished_at = 0;
    sem_init(&came, 0, 0);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);  // the program's threads get the signals
    try {
      std::thread([this] { serve(); }).detach();
      owner = getpid();
    } catch (const std::exception&) {
      // No thread can be started: signals act as without this file.
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return owner == getpid();
  }

  void serve() {
    while (true) {
      while (sem_wait(&came) != 0) continue;
      std::unique_lock lock(mutex_);
      if (kept == 0) continue;  // given back meanwhile; a launch that runs now began after that
      for (const Canceller* const launch : running_) launch->cancel();
      if (!running_.empty()) continue;
      const int number = kept.exchange(0);  // the last one left when it came
      if (number != 0) hand_over(number, lock);
    }
  }

  /// Gives the signal back, for which the mutex is released. A launch that begins meanwhile leaves the program's handlers
  /// in place until that is done: keep_signal() must not get what is given back.
  void hand_over(int number, std::unique_lock<std::mutex>& lock) {
    ++giving_back_;
    lock.unlock();
    give_back(number);
    lock.lock();
    if (--giving_back_ == 0 && !running_.empty()) take_signals();
    ++given_back_;
    changed_.notify_all();
  }

  static void take_signals() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      struct sigaction now {};
      if (sigaction(kSignals[i], nullptr, &now) != 0 || is_ours(now)) continue;
      programs_own[i] = now;
      const bool has_function = (now.sa_flags & SA_SIGINFO) != 0;
      if (!has_function && now.sa_handler == SIG_IGN) continue;
      struct sigaction action {};
      action.sa_sigaction = keep_signal;
      action.sa_mask = now.sa_mask;
      action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
      sigaction(kSignals[i], &action, nullptr);
    }
  }

  static void restore_signals() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      struct sigaction now {};  // the program may have set its own handler meanwhile
      if (sigaction(kSignals[i], nullptr, &now) == 0 && is_ours(now))
        sigaction(kSignals[i], &programs_own[i], nullptr);
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<const Canceller*> running_;
  unsigned giving_back_ = 0;  ///< threads that give a signal back just now
  unsigned given_back_ = 0;   ///< signals that the program got
};

Watch& watch() {
  static Watch* const made = new Watch;
  return *made;
}

}  // namespace

unsigned interrupts() { return kept_so_far; }

void make_interruptible(Launch& launch) {
  if (environment().interrupt) launch.canceller = Canceller::create();
}

Interruptible::Interruptible(const Launch& launch, unsigned enqueued_at)
    : canceller_(launch.canceller) {
  if (canceller_) may_run_ = enqueued_at == kept_so_far && watch().enter(*canceller_);
}

Interruptible::~Interruptible() {
  if (canceller_ && may_run_) watch().leave(*canceller_);
}

}  // namespace transpire::opencl
