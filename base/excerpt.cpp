// Excerpts: see the header.
#include "base/excerpt.h"

#include <fmt/format.h>

#include <algorithm>

namespace transpire {
namespace {

constexpr std::size_t kLongestLine = 160;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

std::string text_of(const SourceLine& where) {
  std::string text = where.file;
  if (!text.empty()) text += ':';
  text += fmt::to_string(where.line);
  if (where.column != 0) text += fmt::format(":{}", where.column);
  return text;
}

std::string excerpt_of(std::string_view line, std::size_t start, std::size_t length) {
  std::size_t from = 0;
  if (line.size() > kLongestLine && start > kLongestLine / 2) from = start - kLongestLine / 2;
  if (from > line.size()) from = line.size();
  const std::string_view shown = line.substr(from, kLongestLine);
  std::string out;
  for (const char c : shown) out += c == '\t' || (c >= ' ' && c <= '~') ? c : '?';
  out += '\n';
  // The line's own tabs before the caret, so that it stands below what it means.
  for (std::size_t i = 0; i < start - from && i < shown.size(); ++i)
    out += shown[i] == '\t' ? '\t' : ' ';
  out += '^';
  if (length > 1) out += std::string(std::min(length - 1, kLongestLine), '~');
  return out + "\n";
}

TextLines::TextLines(std::string_view text) : text_(text) {
  starts_.push_back(0);
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
    starts_.push_back(at + 1);
}

std::string_view TextLines::line(std::uint32_t number) const {
  if (number == 0 || number > starts_.size()) return {};
  std::string_view line = text_.substr(starts_[number - 1]);
  line = line.substr(0, line.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::size_t word_length(std::string_view line, std::size_t start) {
  std::size_t end = start;
  while (end < line.size() && is_word(line[end])) ++end;
  return std::max<std::size_t>(end - start, 1);
}

}  // namespace transpire
