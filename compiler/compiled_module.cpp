#include "compiler/compiled_module.h"

#include <algorithm>
#include <cstring>

#include "compiler/module_words.h"
#include "decoder/debug_words.h"

namespace transpire::compiler {
namespace {

void append_string(std::vector<std::uint32_t>& words, std::uint32_t id, const std::string& text) {
  std::vector<std::uint32_t> operands(1 + text.size() / 4 + 1);  // with the zero that ends the text
  operands[0] = id;
  std::memcpy(&operands[1], text.data(), text.size());
  append(words, spv::Op::OpString, operands);
}

}  // namespace

std::vector<std::byte> rename_files(std::span<const std::byte> module,
                                    const std::function<std::string(std::string_view)>& name) {
  const std::vector<std::uint32_t> words = words_of(module);
  std::vector<std::uint32_t> made;
  made.assign(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(
                                                 std::min(words.size(), decoder::kHeaderWords)));
  each_instruction(words, [&](Words instruction) {
    std::string_view text;
    if (op_of(instruction) == spv::Op::OpString && instruction.size() > 2)
      text = text_of(instruction.subspan(2));
    if (text.starts_with("./")) text.remove_prefix(2);  // relative to where the compiler ran
    const std::string other = text.empty() ? std::string() : name(text);
    if (other != text)
      append_string(made, instruction[1], other);
    else
      made.insert(made.end(), instruction.begin(), instruction.end());
  });
  return bytes_of(made);
}

namespace {

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
  if (!compiled.module.empty())
    compiled.module = rename_files(compiled.module, [&](std::string_view name) {
      return name == from ? to : std::string(name);
    });
  rename_places(compiled.log, from, to);
  rename_places(compiled.errors, from, to);
  rename_places(compiled.warnings, from, to);
}

std::vector<std::byte> without_debug_info(std::span<const std::byte> module) {
  return bytes_of(decoder::without_debug_info(words_of(module)));
}

}  // namespace transpire::compiler
