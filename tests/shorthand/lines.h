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

__extension__ using Whole = __int128;  // holds what unsigned and signed integers of 64 bits hold

/// A number such as "12", or the number that a name stands for.
inline std::optional<Whole> number_of(std::string_view word, const Values& values) {
  const auto value = values.find(word);
  if (value != values.end()) word = value->second;
  const bool is_negative = value != values.end() && word.starts_with('-');
  if (is_negative) word.remove_prefix(1);
  if (word.empty() || word.size() > 20) return std::nullopt;
  Whole number = 0;
  for (const char c : word) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return is_negative ? -number : number;
}

/// A sum of products, such as "4*INDEX+3" or "MAX-1"; none where `text` is no such sum or names
/// nothing.
inline std::optional<std::string> sum_of(std::string_view text, const Values& values) {
  Whole sum = 0, product = 1;
  for (bool has_name = false;;) {
    const std::size_t end = std::min(text.find_first_of("+-*"), text.size());
    const std::optional<Whole> number = number_of(text.substr(0, end), values);
    if (!number) return std::nullopt;
    has_name = has_name || values.contains(text.substr(0, end));
    product *= *number;
    const char sign = end == text.size() ? '+' : text[end];
    if (sign != '*') {
      sum += product;
      product = sign == '-' ? -1 : 1;
    }
    if (end == text.size()) {
      if (!has_name) return std::nullopt;
      return fmt::format("{}", sum);
    }
    text.remove_prefix(end + 1);
  }
}

/// The text that replaces `text` between braces; none where nothing does.
inline std::optional<std::string> value_of(std::string_view text, const Values& values) {
  const auto value = values.find(text);
  if (value != values.end()) return value->second;
  return sum_of(text, values);
}

/// `line` with the value of X for each "{X}".
inline std::string substituted(std::string_view line, const Values& values) {
  std::string text;
  while (!line.empty()) {
    const std::size_t begin = std::min(line.find('{'), line.size());
    text += line.substr(0, begin);
    line.remove_prefix(begin);
    const std::size_t end = line.find('}');
    const std::optional<std::string> value =
        end == line.npos ? std::nullopt : value_of(line.substr(1, end - 1), values);
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
  std::string text;
  for (const std::string_view line : lines)
    (text += line.starts_with(launch) ? substituted(line, places) : line) += '\n';
  return text;
}

}  // namespace transpire::shorthand
