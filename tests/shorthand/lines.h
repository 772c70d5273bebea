// Lines and words of text.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace transpire::shorthand {

inline std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Words between spaces; one in double quotes may hold spaces, and loses its quotes.
inline std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == ' ') {
      ++at;
      continue;
    }
    const bool is_quoted = text[at] == '"';
    if (is_quoted) ++at;
    const std::size_t end = std::min(text.find(is_quoted ? '"' : ' ', at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = end + (is_quoted ? 1 : 0);
  }
  return words;
}

}  // namespace transpire::shorthand
