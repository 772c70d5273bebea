// Small operations on text that several readers and writers share.
#pragma once

#include <string>
#include <string_view>

namespace transpire::cli {

/// Without blanks at both ends.
inline std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// In lines of at most `columns`, cut at blanks; line ends of the text stay.
std::string wrapped(std::string_view text, std::size_t columns);

}  // namespace transpire::cli
