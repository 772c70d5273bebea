// A scanner of assembly text: words, strings and comments. An instruction begins with an opcode, or with
// "%id =" before one.
#include "decoder/view/viewed_module.h"

#include <algorithm>
#include <unordered_map>

#include "base/excerpt.h"

namespace transpire::decoder::view {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  /// The next word; false at the end.
  bool next(std::string_view& word, TextToken& token) {
    skip();
    if (at_ >= text_.size()) return false;
    token = {line_, static_cast<std::uint32_t>(at_ - line_start_ + 1), 0};
    const std::size_t start = at_;
    bool quoted = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') break;
      if (quoted && c == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') {
        ++at_;
        continue;
      }
      if (c == '"') quoted = !quoted;
      if (!quoted && (is_blank(c) || c == ';')) break;
    }
    word = text_.substr(start, at_ - start);
    token.length = static_cast<std::uint32_t>(word.size());
    return true;
  }

 private:
  void skip() {
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == ';')
        at_ = std::min(text_.find('\n', at_), text_.size());
      else if (!is_blank(text_[at_]))
        return;
      if (at_ < text_.size() && text_[at_] == '\n') {
        ++line_;
        line_start_ = at_ + 1;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0, line_start_ = 0;
  std::uint32_t line_ = 1;
};

bool is_opcode(std::string_view word) {
  return word.size() > 2 && word.starts_with("Op") && word[2] >= 'A' && word[2] <= 'Z';
}

/// The instructions of the text, in order. For text that does not assemble, the result is
/// arbitrary.
std::vector<TextInstruction> find_instructions(std::string_view text) {
  std::vector<TextInstruction> found;
  Scanner scanner(text);
  std::string_view word;
  TextToken token, before;
  bool result_before = false;  // true after "%x =", with %x in `before`
  while (scanner.next(word, token)) {
    if (word == "=") {
      result_before = !found.empty() || before.length != 0;
      // An apparent operand of the previous instruction is the result of this one.
      if (!found.empty() && !found.back().others.empty()) found.back().others.pop_back();
    } else if (is_opcode(word)) {
      found.push_back({token, result_before ? before : TextToken{}, {}});
      result_before = false;
    } else {
      before = token;
      if (!found.empty()) found.back().others.push_back(token);
    }
  }
  return found;
}

/// Names undefined operands at their use.
void name_undefined(const ModuleView& view, std::uint32_t i, const TextInstruction& where,
                    const TextLines& lines, std::unordered_map<Id, std::string>& names) {
  const std::size_t first = view.at(i).type_id != 0 ? 1 : 0;
  const auto operands = view.operands(i);
  for (std::size_t n = 0; n < operands.size() && first + n < where.others.size(); ++n) {
    if (!view.is_id(operands[n]) || view.definition(view.word(i, n)) != kNone) continue;
    const TextToken& token = where.others[first + n];
    const std::string_view text = lines.line(token.line).substr(token.column - 1, token.length);
    if (text.size() > 1 && text.starts_with('%'))
      names.try_emplace(view.word(i, n), text.substr(1));
  }
}

/// The names that the text gives to the module's ids, without "%".
std::unordered_map<Id, std::string> names_in_text(const ModuleText& text, const ModuleView& view) {
  std::unordered_map<Id, std::string> names;
  const std::vector<TextInstruction>& found = text.instructions;
  const auto instructions = view.instructions();
  const TextLines lines(text.text);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const TextToken& result = found[i].result;
    if (instructions[i].result_id != 0 && result.length > 1)
      names.try_emplace(instructions[i].result_id,
                        lines.line(result.line).substr(result.column, result.length - 1));
    name_undefined(view, static_cast<std::uint32_t>(i), found[i], lines, names);
  }
  return names;
}

}  // namespace

ViewedModule view_module(std::span<const std::uint32_t> words, std::string_view text) {
  ViewedModule module{ModuleView(words), {text}};
  if (text.empty()) return module;
  module.text.instructions = find_instructions(text);
  if (module.text.instructions.size() != module.view.instructions().size())
    module.text.instructions.clear();
  module.view.call_ids(names_in_text(module.text, module.view));
  return module;
}

}  // namespace transpire::decoder::view
