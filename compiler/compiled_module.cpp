#include "compiler/compiled_module.h"

#include <cstring>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <vector>

#include "decoder/debug_words.h"
#include "decoder/raw_instructions.h"

namespace transpire::compiler {
namespace {

std::vector<std::uint32_t> words_of(std::span<const std::byte> module) {
  std::vector<std::uint32_t> words(module.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), module.data(), words.size() * 4);
  return words;
}

std::vector<std::byte> bytes_of(std::span<const std::uint32_t> words) {
  const auto bytes = std::as_bytes(words);
  return {bytes.begin(), bytes.end()};
}

std::string_view literal_at(std::span<const std::uint32_t> words) {
  const char* text = reinterpret_cast<const char*>(words.data());
  return {text, strnlen(text, words.size_bytes())};
}

void append_string(std::vector<std::uint32_t>& words, std::uint32_t id, const std::string& text) {
  const std::size_t count = text.size() / 4 + 1;  // with the zero that ends it
  words.push_back(static_cast<std::uint32_t>(spv::Op::OpString) |
                  static_cast<std::uint32_t>(count + 2) << 16);
  words.push_back(id);
  words.resize(words.size() + count, 0);
  std::memcpy(words.data() + words.size() - count, text.data(), text.size());
}

std::vector<std::byte> renamed(std::span<const std::byte> module, const std::string& from,
                               const std::string& to) {
  const std::vector<std::uint32_t> words = words_of(module);
  std::vector<std::uint32_t> made;
  made.assign(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(
                                                 std::min(words.size(), decoder::kHeaderWords)));
  decoder::for_each_instruction(words, [&](std::size_t at, std::size_t count) {
    const std::span instruction = std::span(words).subspan(at, count);
    const auto op = static_cast<spv::Op>(instruction[0] & 0xffff);
    std::string_view text;
    if (op == spv::Op::OpString && count > 2) text = literal_at(instruction.subspan(2));
    if (text.starts_with("./")) text.remove_prefix(2);  // relative to where the compiler ran
    if (!text.empty() && text == from)
      append_string(made, instruction[1], to);
    else
      made.insert(made.end(), instruction.begin(), instruction.end());
  });
  return bytes_of(made);
}

/// Where a place is named: "FILE:" behind nothing but what cannot be of another name.
void rename_places(std::string& text, const std::string& from, const std::string& to) {
  const std::string mark = from + ":";
  for (std::size_t at = text.find(mark); at != text.npos; at = text.find(mark, at + to.size())) {
    if (at == 0 || text[at - 1] == '\n' || text[at - 1] == ' ') text.replace(at, from.size(), to);
  }
}

void rename_places(Diagnostics& diagnostics, const std::string& from, const std::string& to) {
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.input == from) diagnostic.input = to;
    if (diagnostic.source.file == from) diagnostic.source.file = to;
    for (std::string& note : diagnostic.notes) rename_places(note, from, to);
  }
}

}  // namespace

void rename_source(CompiledSource& compiled, const std::string& from, const std::string& to) {
  if (!compiled.module.empty()) compiled.module = renamed(compiled.module, from, to);
  rename_places(compiled.log, from, to);
  rename_places(compiled.errors, from, to);
  rename_places(compiled.warnings, from, to);
}

std::vector<std::byte> without_debug_info(std::span<const std::byte> module) {
  return bytes_of(decoder::without_debug_info(words_of(module)));
}

}  // namespace transpire::compiler
