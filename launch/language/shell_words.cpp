#include "launch/language/shell_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "launch/report/diagnose.h"

namespace transpire::launch {

Result<std::vector<std::string>> shell_words(std::string_view text, Backslash backslash) {
  const std::string_view blanks = backslash == Backslash::kEscapes ? " \t\n\r" : " \t";
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && blanks.find(c) != std::string_view::npos) {
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
    return command_error(
        kBadValue,
        fmt::format("the {} quote in '{}' is not closed", quote == '"' ? "double" : "single", text),
        fmt::format("close it with another one; for the character itself write {}",
                    quote == '"' ? "'\"'" : "\"'\""));
  return words;
}

std::string shell_word(std::string_view word) {
  if (!word.empty() && word.find_first_of(" \t\n\r#'\"") == std::string_view::npos)
    return std::string(word);
  std::string text;
  do {
    // Chooses the kind of quotes that can enclose more of the word.
    const std::size_t apostrophe = std::min(word.find('\''), word.size());
    const std::size_t double_quote = std::min(word.find('"'), word.size());
    const char quote = double_quote < apostrophe ? '\'' : '"';
    const std::size_t end = std::max(apostrophe, double_quote);
    text += quote;
    text += word.substr(0, end);
    text += quote;
    word.remove_prefix(end);
  } while (!word.empty());
  return text;
}

}  // namespace transpire::launch
