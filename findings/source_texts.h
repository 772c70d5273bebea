// Lines of the source texts that debug information names, for excerpts.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "base/excerpt.h"
#include "transpire/transpire.hpp"

namespace transpire::findings {

/// Finds source texts: texts that the caller gave, else files. Since a module may name any file, only files in or below the
/// current folder and the module's folder are read. Thread-safe.
class SourceTexts {
 public:
  /// Larger files are not read.
  static constexpr std::uint64_t kMaxBytes = std::uint64_t{16} << 20;

  /// `given` must outlive this object. `input` is the module's own file.
  SourceTexts(std::span<const SourceText> given, std::string input)
      : given_(given), input_(std::move(input)) {}

  /// The line with a caret below the column; empty if the text or the line is missing.
  std::string excerpt(const SourceLine& where);

 private:
  struct Text {
    explicit Text(std::string of) : text(std::move(of)), lines(text) {}
    const std::string text;
    const TextLines lines;
  };
  const TextLines* lines_of(const std::string& file);
  bool may_read(const std::string& file) const;

  std::span<const SourceText> given_;
  const std::string input_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<const Text>> texts_;  ///< null: there is none
};

}  // namespace transpire::findings
