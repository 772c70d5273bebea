// Lines and words of text.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
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

/// `line` with value_of(X), where there is one, for each "{X}".
template <class ValueOf>
std::string replaced(std::string_view line, const ValueOf& value_of) {
  std::string text;
  while (!line.empty()) {
    const std::size_t begin = std::min(line.find('{'), line.size());
    text += line.substr(0, begin);
    line.remove_prefix(begin);
    const std::size_t end = line.find('}');
    const std::optional<std::string> value =
        end == line.npos ? std::nullopt : value_of(line.substr(1, end - 1));
    if (value) {
      text += *value;
      line.remove_prefix(end + 1);
    } else if (!line.empty()) {
      text += line[0];
      line.remove_prefix(1);
    }
  }
  return text;
}

/// The lines as one text, those that begin with `launch` with the places of "{@name}".
inline std::string with_places(const std::vector<std::string_view>& lines, std::string_view launch,
                               const Values& places) {
  const auto place_of = [&](std::string_view name) -> std::optional<std::string> {
    const auto place = places.find(name);
    return place == places.end() ? std::nullopt : std::optional(place->second);
  };
  std::string text;
  for (const std::string_view line : lines)
    (text += line.starts_with(launch) ? replaced(line, place_of) : line) += '\n';
  return text;
}

}  // namespace transpire::shorthand
