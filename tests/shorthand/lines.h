// Lines and words of text.
#pragma once

#include <algorithm>
#include <map>
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

using Values = std::map<std::string, std::string, std::less<>>;

/// `line` with the value of X for each "{X}".
inline std::string substituted(std::string_view line, const Values& values) {
  std::string text;
  while (!line.empty()) {
    const std::size_t begin = std::min(line.find('{'), line.size());
    text += line.substr(0, begin);
    line.remove_prefix(begin);
    const std::size_t end = line.find('}');
    const auto value = end == line.npos ? values.end() : values.find(line.substr(1, end - 1));
    if (value != values.end()) {
      text += value->second;
      line.remove_prefix(end + 1);
    } else if (!line.empty()) {
      text += line[0];
      line.remove_prefix(1);
    }
  }
  return text;
}

}  // namespace transpire::shorthand
