#include "decoder/function_place.h"

#include "decoder/context.h"

namespace transpire::decoder {
namespace {

/// Forged information may go round in circles.
constexpr int kMostCalls = 256;

/// The DebugFunction that an instruction's own function was made of: around the outermost of the calls that a compiler
/// expanded there.
const DebugScope* function_of(const Module& module, const Line& line) {
  Id scope = line.scope, call = line.inlined_at;
  for (int left = kMostCalls; left > 0; --left) {
    const auto found = module.debug_scopes.find(call);
    if (found == module.debug_scopes.end()) break;
    scope = found->second.parent;
    call = found->second.inlined_at;
  }
  return function_around(module, scope);
}

}  // namespace

SourceLine line_of(const Module& module, const Function& function) {
  for (const Block& block : function.blocks) {
    for (const Instruction& instruction : block.instructions) {
      if (instruction.line == 0 || instruction.line >= module.lines.size()) continue;
      const DebugScope* scope = function_of(module, module.lines[instruction.line]);
      if (scope == nullptr) return {};
      return {file_name(module, scope->file), scope->line, 0};
    }
  }
  return {};
}

std::uint32_t word_of_parameter(const Module& module, const Function& function, Id parameter) {
  const std::vector<std::uint32_t>& words = module.words;
  const std::uint32_t end =
      function.blocks.empty() ? function.word_offset : function.blocks[0].word_offset;
  for (std::size_t at = function.word_offset; at + 2 < words.size() && at < end;) {
    const auto op = static_cast<spv::Op>(words[at] & 0xffff);
    if (op == spv::Op::OpFunctionParameter && words[at + 2] == parameter)
      return static_cast<std::uint32_t>(at);
    if (words[at] >> 16 == 0) break;
    at += words[at] >> 16;
  }
  return function.word_offset;
}

}  // namespace transpire::decoder
