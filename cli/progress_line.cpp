#include "cli/progress_line.h"

#include <fmt/format.h>

#include <cstdio>

namespace transpire::cli {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::seconds kUnseen{1};
constexpr milliseconds kPeriod{200};
/// After this time in one work-group, the line shows its instructions.
constexpr std::chrono::seconds kLongGroup{2};

double seconds(ProgressLine::Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

std::string in_short(std::uint64_t count) {
  double amount = static_cast<double>(count);
  for (const char* unit : {"", " k", " M"}) {
    if (amount < 999.5) return fmt::format("{:.3g}{}", amount, unit);
    amount /= 1000;
  }
  return fmt::format("{:.4g} G", amount);
}

ProgressLine::ProgressLine(bool shown) {
  if (shown) thread_ = std::thread([this] { show(); });
}

void ProgressLine::begin(const std::string& part) {
  const std::lock_guard lock(mutex_);
  part_ = part;
  part_start_ = Clock::now();
}

void ProgressLine::update(const launch::LaunchProgress& progress) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  const bool is_another = !part_.empty() || progress.kernel != progress_.kernel ||
                          progress.done < progress_.done ||
                          progress.instructions < progress_.instructions;
  if (is_another) {
    part_.clear();
    part_start_ = now;
  }
  if (is_another || progress.done != progress_.done) {
    group_start_ = now;
    instructions_before_ = progress.instructions;
  }
  progress_ = progress;
}

void ProgressLine::stop() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void ProgressLine::show() {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, start_ + kUnseen, [this] { return ends_; });
  while (!ends_) {
    if (const std::string line = text(Clock::now()); !line.empty()) {
      fmt::print(stderr, "\r\033[K{}", line);
      std::fflush(stderr);
      written_ = true;
    }
    changed_.wait_for(lock, kPeriod, [this] { return ends_; });
  }
  if (!written_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

std::string ProgressLine::text(Clock::time_point now) const {
  if (part_.empty()) return launch_text(now);
  return fmt::format("{}, {:.0f} s", part_, seconds(now - part_start_));
}

/// "heat: 25 %, 4 of 16 work-groups, 12 s, about 36 s left", and the instructions executed in a
/// long group.
std::string ProgressLine::launch_text(Clock::time_point now) const {
  const auto& [kernel, done, total, instructions] = progress_;
  if (kernel.empty()) return {};
  const double percent =
      total == 0 ? 100 : 100 * static_cast<double>(done) / static_cast<double>(total);
  const double elapsed = seconds(now - part_start_);
  std::string line = fmt::format("{}: {:.0f} %, {} of {} work-groups, {:.0f} s", kernel, percent,
                                 done, total, elapsed);
  if (done != 0 && done < total)
    line += fmt::format(", about {:.0f} s left",
                        elapsed * static_cast<double>(total - done) / static_cast<double>(done));
  if (done < total && now - group_start_ >= kLongGroup)
    line += fmt::format(", {} steps {}", in_short(instructions - instructions_before_),
                        done == 0 ? "so far" : "since the last group ended");
  return line;
}

}  // namespace transpire::cli
