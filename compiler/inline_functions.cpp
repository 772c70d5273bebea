#include "compiler/inline_functions.h"

#include <cstdint>
#include <set>

#include "compiler/module_words.h"

namespace transpire::compiler {
namespace {

bool is_import(Words i) {
  return op_of(i) == spv::Op::OpDecorate && i.size() > 4 &&
         i[2] == static_cast<std::uint32_t>(spv::Decoration::LinkageAttributes) &&
         i.back() == static_cast<std::uint32_t>(spv::LinkageType::Import);
}

/// Functions that are decorated as imported, and have a body.
std::set<std::uint32_t> imported_with_body(Words words) {
  std::set<std::uint32_t> imported, found;
  std::uint32_t function = 0;
  each_instruction(words, [&](Words i) {
    if (is_import(i)) imported.insert(i[1]);
    if (op_of(i) == spv::Op::OpFunction && i.size() > 2) function = i[2];
    if (op_of(i) == spv::Op::OpLabel && imported.contains(function)) found.insert(function);
  });
  return found;
}

}  // namespace

std::vector<std::byte> with_inline_functions(std::vector<std::byte> module) {
  const std::vector<std::uint32_t> words = words_of(module);
  if (words.size() < decoder::kHeaderWords || !each_instruction(words, [](Words) {})) return module;
  const std::set<std::uint32_t> functions = imported_with_body(words);
  if (functions.empty()) return module;
  std::vector<std::uint32_t> made(words.begin(), words.begin() + decoder::kHeaderWords);
  each_instruction(words, [&](Words i) {
    if (!is_import(i) || !functions.contains(i[1])) made.insert(made.end(), i.begin(), i.end());
  });
  return bytes_of(made);
}

}  // namespace transpire::compiler
