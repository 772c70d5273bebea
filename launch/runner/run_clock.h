// RunClock: the time limits of a run: `timeout` for each part of it, `timeout-total` for the whole.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>

#include "launch/language/asked_settings.h"
#include "launch/report/step_limit.h"

namespace transpire::launch {

class RunClock {
 public:
  /// Begins the whole run, and its first part. `interrupted` is true once the caller wants the end; it may be empty.
  RunClock(const AskedSettings& settings, std::function<bool()> interrupted)
      : each_(settings.timeout_seconds.value_or(0)),
        interrupted_(std::move(interrupted)),
        total_(WorkLimit::after(settings.total_timeout_seconds.value_or(0))) {
    begin();
  }

  /// Begins the part of the run before or behind a launch. After an interrupt, which has ended the launches, the part behind
  /// them is done all the same.
  void begin() {
    limit_.time = WorkLimit::after(seconds_left());
    const bool ended = interrupted_ && interrupted_();
    limit_.interrupted = ended ? nullptr : interrupted_;
  }
  /// Limit of the part that began last. Types may keep the reference.
  const StepLimit& limit() const { return limit_; }
  /// Seconds that a part, or a launch, may take from now on; 0 means no limit.
  double seconds_left() const {
    const double all = total_.seconds_left();
    return each_ > 0 && all > 0 ? std::min(each_, all) : std::max(each_, all);
  }
  /// True if the time of the whole run is over.
  bool is_over() const { return total_.spent(); }

 private:
  double each_;
  std::function<bool()> interrupted_;
  WorkLimit total_;
  StepLimit limit_;
};

}  // namespace transpire::launch
