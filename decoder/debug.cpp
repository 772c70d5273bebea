// Debug instructions: names, strings, the source language, and the lines that OpLine, or DebugLine
// of NonSemantic.Shader.DebugInfo, gives to the instructions after it. None of them can stop a
// module, save where they break its words.
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include "decoder/context.h"

namespace transpire::decoder {
namespace {

/// The index in Module::files of an OpString.
std::uint32_t file_index(Context& context, Id string_id) {
  const auto [entry, added] = context.file_of_string.try_emplace(
      string_id, static_cast<std::uint32_t>(context.module.files.size()));
  if (added) context.module.files.emplace_back(context.module.string(string_id));
  return entry->second;
}

void decode_source(Context& context, const Parsed& parsed) {
  Module& module = context.module;
  // Linked modules hold one OpSource per unit; the first one stands for all.
  if (context.has_source) return;
  context.has_source = true;
  module.source_language = static_cast<spv::SourceLanguage>(parsed.operands[0]);
  module.source_version = parsed.operands[1];
}

void set_line(Context& context, const Line& line) {
  Module& module = context.module;
  const Line& last = module.lines.back();
  const bool repeated = module.lines.size() > 1 && last.file == line.file &&
                        last.line == line.line && last.column == line.column;
  if (!repeated) module.lines.push_back(line);
  context.line = static_cast<std::uint32_t>(module.lines.size() - 1);
}

/// A number that debug information gives as a constant's id; 0 when it is none.
std::uint32_t number_of(const Module& module, Id id) {
  const Constant* constant = module.constant(id);
  return constant ? static_cast<std::uint32_t>(constant->bits) : 0;
}

/// operands: set, number, source, line start, line end, column start, column end.
void decode_debug_line(Context& context, std::span<const std::uint32_t> operands) {
  if (operands.size() < 6) return;
  const auto source = context.string_of_source.find(operands[2]);
  const Id file = source == context.string_of_source.end() ? 0 : source->second;
  set_line(context, {file_index(context, file), number_of(context.module, operands[3]),
                     number_of(context.module, operands[5])});
}

}  // namespace

void decode_debug_instruction(Context& context, const Parsed& parsed) {
  const std::span<const std::uint32_t> operands = parsed.operands;
  const ExtInstImport& import = *context.module.ext_inst_import(operands[0]);
  if (!import.name.starts_with("NonSemantic.Shader.DebugInfo.")) return;
  switch (operands[1]) {
    case NonSemanticShaderDebugInfo100DebugSource:
      if (operands.size() > 2) context.string_of_source[parsed.result_id] = operands[2];
      break;
    case NonSemanticShaderDebugInfo100DebugLine:
      decode_debug_line(context, operands);
      break;
    case NonSemanticShaderDebugInfo100DebugNoLine:
      context.line = 0;
      break;
    default:
      break;
  }
}

bool decode_debug(Context& context, const Parsed& parsed) {
  Module& module = context.module;
  switch (parsed.op) {
    case spv::Op::OpString:
      module.strings[parsed.result_id] = text_operand(parsed.operands);
      break;
    case spv::Op::OpName:
      module.names[parsed.operands[0]] = text_operand(parsed.operands.subspan(1));
      break;
    case spv::Op::OpMemberName:
      context.member_names[parsed.operands[0]].push_back(
          {parsed.operands[1], text_operand(parsed.operands.subspan(2))});
      break;
    case spv::Op::OpSource:
      decode_source(context, parsed);
      break;
    default:
      break;
  }
  return true;
}

bool decode_line(Context& context, const Parsed& parsed) {
  context.line = 0;
  if (parsed.op == spv::Op::OpLine)
    set_line(context,
             {file_index(context, parsed.operands[0]), parsed.operands[1], parsed.operands[2]});
  return true;
}

}  // namespace transpire::decoder
