#include "launch/shell_words.h"

#include <fmt/format.h>

#include "launch/diagnose.h"

namespace transpire::launch {

Result<std::vector<std::string>> shell_words(std::string_view text, Backslash backslash) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    const bool escapes = c == '\\' && backslash == Backslash::kEscapes && quote != '\'';
    if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else if (quote != 0 && c == quote)
      quote = 0;
    else if (escapes && i + 1 < text.size())
      words.back() += text[++i];
    else
      words.back() += c;
  }
  if (quote != 0)
    return command_error(kBadValue, fmt::format("the {} quote in '{}' is not closed",
                                                quote == '"' ? "double" : "single", text));
  return words;
}

}  // namespace transpire::launch
