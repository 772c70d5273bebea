// A place in a text as diagnostics show it: its name, and its line with a caret below what is meant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "transpire/diagnostic.hpp"

namespace transpire {

/// "heat.cl:31:5"; without what is not known of it.
std::string spelled(const SourceLine& where);

/// The line, and below it a caret at byte `start` with as many '~' as make `length`; both end with a newline.
/// Of a long line the part around the caret. What is not printable is '?'.
std::string excerpt_of(std::string_view line, std::size_t start, std::size_t length);

/// The lines of a text that outlives it.
class TextLines {
 public:
  explicit TextLines(std::string_view text);
  /// Line `number`, counted from 1, without its end; empty when there is none.
  std::string_view line(std::uint32_t number) const;

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;
};

/// How many bytes the word that begins there has: a name, a number, or one other character.
std::size_t word_length(std::string_view line, std::size_t start);

}  // namespace transpire
