// Findings that a program's launches have again and again.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "transpire/transpire.hpp"

namespace transpire::opencl {

/// Key for findings of the same kind: rule, place and program are the same, and so is the text
/// apart from numbers that are no part of a place.
std::string kind_of(const Diagnostic& finding);

/// Recognises findings that an earlier launch also had, by kind. After about ten thousand kinds it
/// begins anew and keeps only the counts.
class Repeated {
 public:
  /// Adds a launch's finding; returns true if an earlier launch had its kind. Each launch has
  /// another number. Two findings of one launch may be of the same kind; the second does not count
  /// as an earlier one.
  bool came_before(std::uint64_t launch, const Diagnostic& finding);
  /// Text for the end of the process: how often each finding came again; empty if none did.
  std::string summary() const;

 private:
  struct Kind {
    std::uint64_t first = 0;  ///< first launch that had it
    std::uint64_t last = 0;   ///< last launch counted
    std::uint64_t later = 0;  ///< number of launches after the first
    std::string name;         ///< rule, place and kernel
  };
  std::map<std::string, std::uint64_t> later() const;

  std::map<std::string, Kind> kinds_;
  std::map<std::string, std::uint64_t> forgotten_;  ///< by name: number of later launches
};

}  // namespace transpire::opencl
