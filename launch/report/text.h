// Small operations on text, for readers and writers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace transpire::launch {

/// The text without blanks, tabs and carriage returns at both ends.
inline std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// Breaks the text at blanks into lines of at most `columns` characters. Its own line ends stay.
std::string wrapped(std::string_view text, std::size_t columns);

/// True for white space and line ends.
bool is_blank(char c);
/// True for a control byte of ASCII.
bool is_control(char c);
/// Replaces control bytes except line ends and tabs by \xHH. Text from users may contain any byte.
std::string printable(std::string_view text);
/// Length in UTF-16 code units of a text in UTF-8. A byte that is not valid UTF-8 counts as one.
std::uint32_t utf16_units(std::string_view text);
/// Replaces control bytes, which include line ends, by blanks.
std::string one_line(std::string_view text);

/// The text as a name of a file or folder. Keeps letters, digits and "-_.", and replaces all other bytes by '_'. Never "."
/// or "..".
std::string as_file_name(std::string_view text);

}  // namespace transpire::launch
