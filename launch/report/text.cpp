// Operations on text: see the header.
#include "launch/report/text.h"

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

std::uint32_t utf16_units(std::string_view text) {
  std::uint32_t units = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead >= 0xf0 && lead < 0xf8   ? 4
                               : lead >= 0xe0 && lead < 0xf0 ? 3
                               : lead >= 0xc2 && lead < 0xe0 ? 2
                                                             : 1;
    const std::string_view rest = text.substr(at + 1, length - 1);
    const bool whole = rest.size() == length - 1 && std::ranges::all_of(rest, [](unsigned char c) {
                         return (c & 0xc0) == 0x80;
                       });
    at += whole ? length : 1;
    units += whole && length == 4 ? 2 : 1;
  }
  return units;
}

std::string one_line(std::string_view text) {
  std::string line(text);
  for (char& c : line)
    if (is_control(c)) c = ' ';
  return line;
}

std::string as_file_name(std::string_view text) {
  std::string name(text);
  for (char& c : name) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!is_letter && !(c >= '0' && c <= '9') && c != '-' && c != '.') c = '_';
  }
  return name.find_first_not_of('.') == name.npos ? name + "_" : name;
}

}  // namespace transpire::launch
