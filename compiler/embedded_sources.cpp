#include "compiler/embedded_sources.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <unordered_map>

#include "compiler/module_words.h"

namespace transpire::compiler {
namespace {

/// SPIR-V 1.0, "Universal Limits", allows a literal string 65,535 characters.
constexpr std::size_t kMostPieceBytes = 65'535;

bool fits(const SourceText& source) {
  return !source.text.empty() && source.text.size() <= kMostEmbeddedBytes &&
         source.text.find('\0') == std::string::npos;
}

/// The longest beginning of the text that one literal string holds, in whole characters if it is
/// UTF-8.
std::string_view first_piece(std::string_view text) {
  constexpr std::size_t kMostTrailing = 3;
  const auto is_trailing = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  std::size_t size = std::min(text.size(), kMostPieceBytes);
  for (std::size_t i = 0; i < kMostTrailing && size < text.size() && is_trailing(text[size]); ++i)
    --size;
  return text.substr(0, size);
}

void append_literal(std::vector<std::uint32_t>& operands, std::string_view text) {
  const std::size_t first = operands.size();
  operands.resize(first + text.size() / 4 + 1);  // with the zero that ends it
  std::memcpy(&operands[first], text.data(), text.size());
}

std::string_view file_name(std::string_view name) {
  while (name.starts_with("./")) name.remove_prefix(2);  // relative to where the compiler ran
  return name;
}

/// The part of a module's head that is needed to name its sources.
struct Head {
  std::uint32_t language = 0, version = 0;  ///< from the first OpSource; 0: unknown
  std::unordered_map<std::uint32_t, std::string_view> strings;
  std::size_t behind = 0;  ///< the last instruction of strings and sources
};

Head head_of(Words words) {
  Head head;
  bool has_source = false;
  std::size_t at = decoder::kHeaderWords;
  each_instruction(words, [&](Words instruction) {
    at += instruction.size();
    switch (op_of(instruction)) {
      case spv::Op::OpString:
        if (instruction.size() > 2) head.strings[instruction[1]] = text_of(instruction.subspan(2));
        break;
      case spv::Op::OpSource:
        if (instruction.size() > 2 && !has_source) {
          head.language = instruction[1];
          head.version = instruction[2];
          has_source = true;
        }
        break;
      case spv::Op::OpSourceContinued:
      case spv::Op::OpSourceExtension:
        break;
      default:
        return;
    }
    head.behind = at;
  });
  return head;
}

void append_source(std::vector<std::uint32_t>& words, const Head& head, std::uint32_t file,
                   std::string_view text) {
  std::string_view piece = first_piece(text);
  std::vector<std::uint32_t> operands{head.language, head.version, file};
  append_literal(operands, piece);
  append(words, spv::Op::OpSource, operands);
  for (text.remove_prefix(piece.size()); !text.empty(); text.remove_prefix(piece.size())) {
    piece = first_piece(text);
    operands.clear();
    append_literal(operands, piece);
    append(words, spv::Op::OpSourceContinued, operands);
  }
}

}  // namespace

std::vector<std::byte> with_sources(std::span<const std::byte> module,
                                    std::span<const SourceText> sources) {
  const std::vector<std::uint32_t> words = words_of(module);
  const Head head = head_of(words);
  std::vector<std::uint32_t> added;
  for (const SourceText& source : sources) {
    if (!fits(source)) continue;
    // The file of the lowest id: compilers may name one twice.
    std::uint32_t file = 0;
    for (const auto& [id, name] : head.strings)
      if (file_name(name) == source.name && (file == 0 || id < file)) file = id;
    if (file != 0) append_source(added, head, file, source.text);
  }
  std::vector<std::uint32_t> made = words;
  made.insert(made.begin() + static_cast<std::ptrdiff_t>(head.behind), added.begin(), added.end());
  return bytes_of(made);
}

std::vector<SourceText> embedded_sources(std::span<const std::uint32_t> words) {
  std::unordered_map<std::uint32_t, std::string_view> strings;
  std::vector<SourceText> sources;
  bool continues = false;
  each_instruction(words, [&](Words instruction) {
    const spv::Op op = op_of(instruction);
    if (op == spv::Op::OpString && instruction.size() > 2)
      strings[instruction[1]] = text_of(instruction.subspan(2));
    if (op == spv::Op::OpSourceContinued && continues && instruction.size() > 1)
      sources.back().text += text_of(instruction.subspan(1));
    if (op != spv::Op::OpSource) return;
    continues = instruction.size() > 4 && strings.contains(instruction[3]);
    if (continues)
      sources.push_back({std::string(file_name(strings[instruction[3]])),
                         std::string(text_of(instruction.subspan(4)))});
  });
  return sources;
}

}  // namespace transpire::compiler
