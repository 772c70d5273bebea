// Text: see the header.
#include "launch/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace transpire::launch {

std::string wrapped(std::string_view text, std::size_t columns) {
  std::string out;
  std::size_t column = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\n') {
      out += '\n';
      column = 0;
      ++at;
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (column != 0 && column + 1 + word.size() > columns) {
      out += '\n';
      column = 0;
    } else if (column != 0) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    at = end + (end < text.size() && text[end] == ' ' ? 1 : 0);
  }
  return out;
}

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7f'; }

std::string printable(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (is_control(c) && c != '\n' && c != '\t')
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    else
      out += c;
  return out;
}

std::string one_line(std::string_view text) {
  std::string line(text);
  for (char& c : line)
    if (is_control(c)) c = ' ';
  return line;
}

}  // namespace transpire::launch
