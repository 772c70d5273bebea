// Findings that a program's launches have again and again.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "transpire/transpire.hpp"

namespace transpire::opencl {

/// What makes two findings one kind: they are of one rule at one place of one program, in the same words but for numbers
/// that are none of a place.
std::string kind_of(const Diagnostic& finding);

/// Tells which findings an earlier launch had too, by kind. After some ten thousand different ones it begins anew, and keeps the counts alone.
class Repeated {
 public:
  /// One of a launch's findings. Launches have different numbers. A launch may have two that differ by numbers alone: the
  /// second one is none that came before.
  bool came_before(std::uint64_t launch, const Diagnostic& finding);
  /// What people read when the process ends: how often each came again; empty where none did.
  std::string summary() const;

 private:
  struct Kind {
    std::uint64_t first = 0;  ///< the launch that had it first
    std::uint64_t last = 0;   ///< that was counted
    std::uint64_t later = 0;  ///< launches
    std::string name;         ///< rule, place and kernel
  };
  std::map<std::string, std::uint64_t> later() const;

  std::map<std::string, Kind> kinds_;
  std::map<std::string, std::uint64_t> forgotten_;  ///< later launches, by name
};

}  // namespace transpire::opencl
