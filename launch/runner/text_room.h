// TextRoom: a text that a run keeps, such as its printed output. It may be gigabytes long, so its time and memory are limited.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "launch/report/step_limit.h"

namespace transpire::launch {

/// A text of at most `max_bytes` bytes, built within a time limit.
class TextRoom {
 public:
  TextRoom(const StepLimit& limit, std::uint64_t max_bytes)
      : pacer_(limit), max_bytes_(max_bytes) {}

  /// Appends a part. Returns false if it does not fit; no later part is added then. Throws LimitReached.
  bool add(std::string_view part) {
    pacer_.step();
    if (is_full_ || part.size() > max_bytes_ - text_.size()) is_full_ = true;
    if (!is_full_) text_ += part;
    return !is_full_;
  }
  /// The pacer, for work that takes time and adds no text.
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
