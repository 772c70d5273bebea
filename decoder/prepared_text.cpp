#include "decoder/prepared_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "decoder/grammar.h"
#include "decoder/raw_instructions.h"

namespace transpire::decoder {
namespace {

/// True if a number can be an id of a module: SPIR-V, "Universal Limits".
bool may_be_id(std::string_view digits) {
  constexpr std::uint64_t kMostIds = 4'194'303;
  std::uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  return error == std::errc{} && stop == end && value != 0 && value <= kMostIds;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The value of a name, or of names joined by "|".
std::optional<std::uint32_t> value_of(OperandKind kind, std::string_view names) {
  std::uint32_t value = 0;
  for (;;) {
    const std::size_t end = std::min(names.find('|'), names.size());
    const EnumerantInfo* const info = find_enumerant_named(kind, names.substr(0, end));
    if (info == nullptr) return std::nullopt;
    value |= info->value;
    if (end == names.size()) return value;
    names.remove_prefix(end + 1);
  }
}

/// Puts the parameters of an operand in front of the operands behind it.
void add_parameters(OperandKind kind, std::uint32_t value, std::vector<OperandSpec>& specs) {
  std::vector<OperandSpec> parameters;
  const auto add = [&](std::uint32_t one) {
    if (const EnumerantInfo* const info = find_enumerant(kind, one))
      parameters.insert(parameters.end(), info->parameters.begin(), info->parameters.end());
  };
  const bool is_mask = category_of(kind) == Category::kBitEnum;
  if (!is_mask) add(value);
  for (std::uint32_t rest = is_mask ? value : 0; rest != 0; rest &= rest - 1)
    add(rest & (0u - rest));
  specs.insert(specs.begin(), parameters.begin(), parameters.end());
}

/// The text is cut into comments, strings, words and other characters. All but words are copied.
class Preparation {
 public:
  explicit Preparation(std::string_view text) : text_(text) { result_.text.reserve(text.size()); }

  PreparedText run() {
    while (at_ < text_.size()) {
      const std::size_t start = at_;
      const bool is_id = start > 0 && text_[start - 1] == '%';
      const std::string_view token = next_token();
      if (token == "\n") {
        awaited_ = {};
        line_ = result_.text.size() + 1;
      }
      if (is_id) note_id(text_.substr(start - 1, token.size() + 1));
      const OpcodeInfo* const opcode = is_id ? nullptr : find_newer_opcode(token);
      if (opcode != nullptr && replace_instruction(*opcode, token)) continue;
      const EnumerantInfo* const newer = is_id ? nullptr : meant_by_name(token);
      result_.text += newer ? fmt::format("!{}", newer->value) : std::string(token);
      const bool is_operand = is_word(token[0]) || token[0] == '"';
      if (newer && !newer->parameters.empty())
        awaited_ = newer->parameters;
      else if (is_operand && !awaited_.empty())
        awaited_ = awaited_.subspan(1);
    }
    return std::move(result_);
  }

 private:
  /// Goes past a comment, a string, a word, or one other character.
  std::string_view next_token() {
    const std::size_t start = at_;
    const char c = text_[at_++];
    if (c == ';') at_ = std::min(text_.find('\n', at_), text_.size());
    while (is_word(c) && at_ < text_.size() && is_word(text_[at_])) ++at_;
    if (c == '"') {
      for (; at_ < text_.size() && text_[at_] != '"'; ++at_)
        if (text_[at_] == '\\') ++at_;
      at_ = std::min(at_ + 1, text_.size());
    }
    return text_.substr(start, at_ - start);
  }

  /// The enumerant of a name behind a replaced one. It is replaced as well, because the assembler
  /// takes no names there.
  const EnumerantInfo* meant_by_name(std::string_view token) const {
    if (!awaited_.empty())
      if (const EnumerantInfo* named = find_enumerant_named(awaited_[0].kind, token)) return named;
    return find_newer_enumerant(token);
  }

  void note_id(std::string_view token) {
    if (token.starts_with('%') && token.find_first_not_of("0123456789", 1) == token.npos &&
        !may_be_id(token.substr(1)))
      result_.keeps_numbers = false;
  }

  bool replace_instruction(const OpcodeInfo& info, std::string_view name);
  std::optional<std::vector<std::string>> words_of(std::string_view operands,
                                                   const OpcodeInfo& info);

  std::string_view text_;
  std::size_t at_ = 0;
  std::span<const OperandSpec> awaited_;  ///< operands of the last replaced name
  std::size_t line_ = 0;                  ///< where the line begins in the result
  PreparedText result_;
};

/// The instruction's name was read just before. The assembler takes words with the result among them, not in front.
bool Preparation::replace_instruction(const OpcodeInfo& info, std::string_view name) {
  if (name != info.name) {  // an operand of OpSpecConstantOp
    result_.text += fmt::format("!{}", info.opcode);
    return true;
  }
  std::string_view result = std::string_view(result_.text).substr(line_);
  const std::size_t id = result.find('%');
  if (info.has_result != (id != result.npos)) return false;
  const std::size_t end = std::min(text_.find_first_of(";\n", at_), text_.size());
  std::optional<std::vector<std::string>> words = words_of(text_.substr(at_, end - at_), info);
  const std::size_t place = info.has_type ? 1 : 0;
  if (!words || words->size() < place) return false;
  if (info.has_result) {
    result.remove_prefix(id);
    words->insert(words->begin() + static_cast<std::ptrdiff_t>(place),
                  std::string(result.substr(0, result.find_first_of(" \t="))));
    result_.text.resize(line_);
  }
  result_.text += fmt::format("OpNop !{}", (words->size() + 1) << 16 | info.opcode);
  for (const std::string& word : *words) result_.text += ' ' + word;
  at_ = end;
  return true;
}

/// The operands of an instruction, each a word as the assembler takes it; none if a name is unknown.
std::optional<std::vector<std::string>> Preparation::words_of(std::string_view operands,
                                                              const OpcodeInfo& info) {
  std::vector<OperandSpec> specs(info.operands.begin(), info.operands.end());
  std::vector<std::string> words;
  for (;;) {
    operands.remove_prefix(std::min(operands.find_first_not_of(" \t\r"), operands.size()));
    if (operands.empty()) return words;
    const std::string_view token = operands.substr(0, operands.find_first_of(" \t\r"));
    operands.remove_prefix(token.size());
    note_id(token);
    const bool is_type = words.empty() && info.has_type;
    const bool is_name = std::isalpha(static_cast<unsigned char>(token[0])) != 0;
    if (is_name && (is_type || specs.empty())) return std::nullopt;
    words.emplace_back(token);
    if (is_type || specs.empty()) continue;
    const OperandKind kind = specs[0].kind;
    if (specs[0].quantifier != Quantifier::kAny) specs.erase(specs.begin());
    if (!is_name) continue;
    const std::optional<std::uint32_t> value = value_of(kind, token);
    if (!value) return std::nullopt;
    words.back() = fmt::format("!{}", *value);
    add_parameters(kind, *value, specs);
  }
}

}  // namespace

PreparedText prepared_text(std::string_view text) { return Preparation(text).run(); }

std::vector<std::uint32_t> without_marks(std::span<const std::uint32_t> words) {
  const auto is_newer = [&](std::size_t at) {
    const OpcodeInfo* const info = at < words.size() ? find_opcode(words[at] & 0xffff) : nullptr;
    return info != nullptr && info->is_newer;
  };
  std::vector<std::uint32_t> kept(words.begin(),
                                  words.begin() + std::min(kHeaderWords, words.size()));
  for_each_instruction(words, [&](std::size_t at, std::size_t count) {
    if (static_cast<spv::Op>(words[at] & 0xffff) == spv::Op::OpNop && is_newer(at + count)) return;
    const auto first = words.begin() + static_cast<std::ptrdiff_t>(at);
    kept.insert(kept.end(), first, first + static_cast<std::ptrdiff_t>(count));
  });
  return kept;
}

}  // namespace transpire::decoder
