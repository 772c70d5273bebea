#include "launch/language/amber_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "launch/language/grammar.h"

namespace transpire::launch {

std::string_view AmberWords::word() {
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    if (c == '\\' && trimmed(text_.substr(at_ + 1, end - at_ - 1)).empty()) {
      at_ = end;
      next_line();
    } else if (c == '#') {
      at_ = end - 1;
    } else if (c == '\n') {
      return {};
    } else if (c != ' ' && c != '\t' && c != '\r') {
      break;
    }
  }
  where_.column = static_cast<std::uint32_t>(at_ - line_start_ + 1);
  const std::size_t end = std::min(text_.find_first_of(" \t\r\n#", at_), text_.size());
  const std::string_view found = text_.substr(at_, end - at_);
  at_ = end;
  return found;
}

std::string_view AmberWords::any_word() {
  for (;;) {
    const std::string_view found = word();
    if (!found.empty() || at_ == text_.size()) return found;
    ++at_;
    next_line();
  }
}

std::string AmberWords::block() {
  at_ = std::min(text_.find('\n', at_), text_.size() - 1) + 1;
  next_line();
  std::string found(where_.line - 1, '\n');
  while (at_ < text_.size()) {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view line = text_.substr(at_, end - at_);
    std::string_view rest = trimmed(line);
    if (take_word(rest) == "END") {
      at_ = end;
      return found;
    }
    found.append(line) += '\n';
    at_ = std::min(end + 1, text_.size());
    next_line();
  }
  return found;
}

Result<std::string> bytes_of_hex(std::string_view digits) {
  std::string bytes;
  for (digits = digits.substr(std::min(digits.find_first_not_of(" \t\r\n"), digits.size()));
       !digits.empty();
       digits = digits.substr(std::min(digits.find_first_not_of(" \t\r\n,"), digits.size()))) {
    if (digits.starts_with("0x")) digits.remove_prefix(2);
    unsigned value = 0;
    const std::size_t length = std::min<std::size_t>(digits.size(), 2);
    if (std::from_chars(digits.data(), digits.data() + length, value, 16).ptr !=
        digits.data() + length)
      return command_error(kBadLaunchFile,
                           fmt::format("'{}' is no byte of SPIRV-HEX", digits.substr(0, length)));
    bytes += static_cast<char>(value);
    digits.remove_prefix(length);
  }
  return bytes;
}

}  // namespace transpire::launch
