// TextRoom: a text that a run keeps, such as what it prints. It may be made of gigabytes, so time and memory have limits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "launch/step_limit.h"

namespace transpire::launch {

/// A text that is made until a limit of time, and up to so many bytes.
class TextRoom {
 public:
  TextRoom(const StepLimit& limit, std::uint64_t max_bytes)
      : pacer_(limit), max_bytes_(max_bytes) {}

  /// False where there is no room for it, and none for what comes later. Throws LimitReached.
  bool add(std::string_view part) {
    pacer_.step();
    if (is_full_ || part.size() > max_bytes_ - text_.size()) is_full_ = true;
    if (!is_full_) text_ += part;
    return !is_full_;
  }
  /// For what takes time and adds nothing.
  Pacer& pacer() { return pacer_; }
  bool is_full() const { return is_full_; }
  const std::string& text() const { return text_; }

 private:
  Pacer pacer_;
  std::uint64_t max_bytes_;
  bool is_full_ = false;
  std::string text_;
};

}  // namespace transpire::launch
