// Small operations on text that several readers and writers share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace transpire::launch {

/// Without blanks at both ends.
inline std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// In lines of at most `columns`, cut at blanks; line ends of the text stay.
std::string wrapped(std::string_view text, std::size_t columns);

/// White space and line ends.
bool is_blank(char c);
/// A control byte of ASCII.
bool is_control(char c);
/// Control bytes, but for line ends and tabs, as \xHH: what was read may hold any.
std::string printable(std::string_view text);
/// How many code units of UTF-16 a text in UTF-8 has; a byte that is none of UTF-8 counts as one.
std::uint32_t utf16_units(std::string_view text);
/// With blanks for control bytes, which line ends are.
std::string one_line(std::string_view text);

/// As the name of a file or folder: letters, digits and "-_.", and '_' for each other byte; never "." or "..".
std::string as_file_name(std::string_view text);

}  // namespace transpire::launch
