#include "cli/watchdog.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace transpire::cli {
namespace {

/// Extra time for code that checks the limit itself and can say more about what it was doing.
constexpr std::chrono::milliseconds kGrace{500};
/// Longer than any process lives; converting larger numbers would overflow.
constexpr double kMostSeconds = 1e8;

}  // namespace

Watchdog::Watchdog(double seconds, std::function<void()> over) {
  if (!(seconds > 0)) return;
  const std::chrono::duration<double> time{std::min(seconds, kMostSeconds)};
  try {
    thread_ = std::thread([this, time, over = std::move(over)] { watch(time, over); });
  } catch (const std::exception&) {
    // Without a thread, only code that checks the limit itself ends in time.
  }
}

void Watchdog::release() {
  {
    const std::lock_guard lock(mutex_);
    released_ = true;
  }
  released_now_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Watchdog::watch(std::chrono::duration<double> time, const std::function<void()>& over) {
  std::unique_lock lock(mutex_);
  if (!released_now_.wait_for(lock, time + kGrace, [this] { return released_; })) over();
}

}  // namespace transpire::cli
