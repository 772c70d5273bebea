// Shows places in a text for diagnostics: the place's name, and its line with a caret below it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "transpire/diagnostic.hpp"

namespace transpire {

/// "heat.cl:31:5"; unknown parts are left out.
std::string text_of(const SourceLine& where);

/// The line, and below it a marker of `length` characters at byte `start`: '^' and then '~'. Both end with a newline. A
/// long line is cut to the part around the marker. Characters that cannot be printed become '?'.
std::string excerpt_of(std::string_view line, std::size_t start, std::size_t length);

/// Access to the lines of a text by number. The text must outlive it.
class TextLines {
 public:
  explicit TextLines(std::string_view text);
  /// Line `number`, from 1, without its line end; empty if there is none.
  std::string_view line(std::uint32_t number) const;

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;
};

/// Length in bytes of the word at `start`: a name, a number, or one other character.
std::size_t word_length(std::string_view line, std::size_t start);

}  // namespace transpire
