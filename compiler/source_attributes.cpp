#include "compiler/source_attributes.h"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

namespace transpire::compiler {
namespace {

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The words and marks of OpenCL C, without comments and preprocessor lines. Literals are one token.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {}

  /// Returns an empty token at the end.
  std::string_view next() {
    skip();
    const std::size_t start = at_;
    if (at_ == text_.size()) return {};
    line_begins_ = false;
    const char first = text_[at_++];
    if (in_word(first))
      while (at_ < text_.size() && in_word(text_[at_])) ++at_;
    if (first == '"' || first == '\'') {
      while (at_ < text_.size() && text_[at_] != first) at_ += text_[at_] == '\\' ? 2 : 1;
      at_ = std::min(at_ + 1, text_.size());
    }
    return text_.substr(start, at_ - start);
  }

 private:
  void skip() {
    while (at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_);
      if (rest[0] == '\n' || std::isspace(static_cast<unsigned char>(rest[0])) != 0) {
        line_begins_ = line_begins_ || rest[0] == '\n';
        ++at_;
      } else if (rest.starts_with("//") || (rest[0] == '#' && line_begins_)) {
        skip_line();
      } else if (rest.starts_with("/*")) {
        at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
      } else if (rest.starts_with("\\\n")) {
        at_ += 2;
      } else {
        return;
      }
    }
  }

  /// Skips a preprocessor line; a backslash continues it.
  void skip_line() {
    while (at_ < text_.size() && (text_[at_] != '\n' || text_[at_ - 1] == '\\')) ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool line_begins_ = true;
};

/// Reads "((a, b(1)))" behind __attribute__ and adds "a" and "b(1)" to the list.
void read_attributes(Tokens& tokens, std::vector<std::string>& list) {
  std::string attribute;
  int depth = 0;
  for (std::string_view token = tokens.next(); !token.empty(); token = tokens.next()) {
    if (token == "(" && ++depth <= 2) continue;
    if (token == ")") --depth;
    const bool ends = depth < 2 || (depth == 2 && token == ",");
    if (ends && !attribute.empty()) list.push_back(std::exchange(attribute, {}));
    if (depth <= 0) return;
    if (!ends) attribute += token;
  }
}

}  // namespace

std::string source_attributes(std::string_view source, std::string_view kernel) {
  Tokens tokens(source);
  std::vector<std::string> list;  // attributes of the current declaration
  bool is_kernel = false;
  std::string_view before;
  for (std::string_view token = tokens.next(); !token.empty(); token = tokens.next()) {
    if (token == "__attribute__" || token == "__attribute") {
      read_attributes(tokens, list);
    } else if (token == "kernel" || token == "__kernel") {
      is_kernel = true;
    } else if (token == "(" && is_kernel && before == kernel) {
      std::string text;
      for (const std::string& attribute : list) text += (text.empty() ? "" : " ") + attribute;
      return text;
    } else if (token == ";" || token == "{" || token == "}") {
      list.clear();
      is_kernel = false;
    }
    before = token;
  }
  return {};
}

}  // namespace transpire::compiler
