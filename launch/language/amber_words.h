// Words and blocks of Amber scripts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "launch/report/diagnose.h"
#include "transpire/result.hpp"

namespace transpire::launch {

/// The words of a script. A line continues behind a backslash.
class AmberWords {
 public:
  AmberWords(std::string_view text, const std::string& file) : text_(text), where_{file, 1, 1} {}

  /// Place of the last word.
  const SourceLine& where() const { return where_; }

  /// The next word of the line; empty at its end.
  std::string_view word();

  /// The next word, on this line or another; empty at the script's end.
  std::string_view any_word();

  /// The line's next word without taking it.
  std::string_view peek() {
    const AmberWords before = *this;
    const std::string_view found = word();
    *this = before;
    return found;
  }

  void skip_line() {
    while (!word().empty()) continue;
  }

  /// The lines up to END as they are, with blank lines in place of the script's before.
  std::string block();

 private:
  void next_line() {
    ++where_.line;
    line_start_ = at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  SourceLine where_;
};

/// The bytes of SPIRV-HEX: pairs of digits, with "0x" before them or not. Fails with C0021.
Result<std::string> bytes_of_hex(std::string_view digits);

}  // namespace transpire::launch
