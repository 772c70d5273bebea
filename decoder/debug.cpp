// Debug instructions: names, strings, the source language, and the lines that OpLine, or DebugLine
// of NonSemantic.Shader.DebugInfo, gives to the instructions after it. They cannot fail a module
// unless their words are malformed.
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include "decoder/context.h"

namespace transpire::decoder {
namespace {

/// Index in Module::files of an OpString.
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

void set_line(Context& context, std::uint32_t file, std::uint32_t line, std::uint32_t column) {
  Module& module = context.module;
  const Line wanted{file, line, column, context.debug_scope, context.debug_inlined_at};
  if (module.lines.size() <= 1 || module.lines.back() != wanted) module.lines.push_back(wanted);
  context.line = static_cast<std::uint32_t>(module.lines.size() - 1);
}

/// A number that debug information gives as a constant's id; 0 when it is none. Specialisation constants are none: debug
/// information holds for all their values.
std::uint32_t number_of(const Module& module, Id id) {
  const Constant* constant = module.constant(id);
  return constant && !constant->specialisable ? static_cast<std::uint32_t>(constant->bits) : 0;
}

/// operands: set, number, source, line start, line end, column start, column end.
void decode_debug_line(Context& context, std::span<const std::uint32_t> operands) {
  if (operands.size() < 6) return;
  const auto source = context.string_of_source.find(operands[2]);
  const Id file = source == context.string_of_source.end() ? 0 : source->second;
  set_line(context, file_index(context, file), number_of(context.module, operands[3]),
           number_of(context.module, operands[5]));
}

// All sets of kind kDebug share the numbers and operands of these instructions. Numbers are
// constants in NonSemantic.Shader.DebugInfo and literals in the others.
enum DebugInstruction : std::uint32_t {
  kFunction = NonSemanticShaderDebugInfo100DebugFunction,
  kLexicalBlock = NonSemanticShaderDebugInfo100DebugLexicalBlock,
  kDiscriminator = NonSemanticShaderDebugInfo100DebugLexicalBlockDiscriminator,
  kScope = NonSemanticShaderDebugInfo100DebugScope,
  kNoScope = NonSemanticShaderDebugInfo100DebugNoScope,
  kInlinedAt = NonSemanticShaderDebugInfo100DebugInlinedAt,
  kLocalVariable = NonSemanticShaderDebugInfo100DebugLocalVariable,
};

/// Sets the scope of the instructions that follow; the line stays.
void enter_scope(Context& context, Id scope, Id inlined_at) {
  context.debug_scope = scope;
  context.debug_inlined_at = inlined_at;
  if (context.line == 0) return;
  const Line last = context.module.lines[context.line];
  set_line(context, last.file, last.line, last.column);
}

/// Instructions that describe or set a scope. `from` are the operands behind set and number.
void decode_scope(Context& context, const Parsed& parsed, std::span<const std::uint32_t> from,
                  bool literals) {
  const auto operand = [from](std::size_t n) { return n < from.size() ? from[n] : 0; };
  const auto file = [&](Id source) {
    const auto found = context.string_of_source.find(source);
    return found == context.string_of_source.end() ? 0 : file_index(context, found->second);
  };
  const auto number = [&](std::uint32_t word) {
    return literals ? word : number_of(context.module, word);
  };
  auto& scopes = context.module.debug_scopes;
  switch (parsed.operands[1]) {
    case kFunction:
      scopes[parsed.result_id] = {operand(5), operand(0), 0, file(operand(2)), number(operand(3))};
      break;
    case kLexicalBlock:
      scopes[parsed.result_id] = {operand(3), 0, 0, file(operand(0)), number(operand(1))};
      break;
    case kDiscriminator:
      scopes[parsed.result_id] = {operand(2), 0, 0, file(operand(0)), 0};
      break;
    case kInlinedAt:
      scopes[parsed.result_id] = {operand(1), 0, operand(2), 0, number(operand(0))};
      break;
    case kScope:
      enter_scope(context, operand(0), operand(1));
      break;
    case kNoScope:
      enter_scope(context, 0, 0);
      break;
    default:
      break;
  }
}

/// Finds the names of a function's parameters. `from` are the operands behind set and number.
void decode_parameter(Context& context, const Parsed& parsed, std::span<const std::uint32_t> from,
                      bool literals) {
  switch (parsed.operands[1]) {
    case kLocalVariable:  // name, type, source, line, column, parent, flags; a parameter also has
                          // its number
      if (from.size() < 8) return;
      context.debug_parameters.push_back(
          {from[5], literals ? from[7] : number_of(context.module, from[7]), from[0]});
      return;
    case kFunction:  // in sets with constants, DebugFunctionDefinition has this
      if (literals && from.size() > 9) context.function_of_debug[parsed.result_id] = from[9];
      return;
    case NonSemanticShaderDebugInfo100DebugFunctionDefinition:
      if (!literals && from.size() > 1) context.function_of_debug[from[0]] = from[1];
      return;
    default:
      return;
  }
}

}  // namespace

void decode_debug_instruction(Context& context, const Parsed& parsed) {
  const std::span<const std::uint32_t> operands = parsed.operands;
  const ExtendedSet set = set_of(context, parsed);
  if (row_of(set).kind != SetKind::kDebug) return;
  const bool shader_set = set == ExtendedSet::kShaderDebugInfo;
  if (operands[1] == NonSemanticShaderDebugInfo100DebugSource && operands.size() > 2)
    context.string_of_source[parsed.result_id] = operands[2];
  decode_scope(context, parsed, operands.subspan(2), !shader_set);
  decode_parameter(context, parsed, operands.subspan(2), !shader_set);
  if (shader_set && operands[1] == NonSemanticShaderDebugInfo100DebugLine)
    decode_debug_line(context, operands);
  if (shader_set && operands[1] == NonSemanticShaderDebugInfo100DebugNoLine) context.line = 0;
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
    set_line(context, file_index(context, parsed.operands[0]), parsed.operands[1],
             parsed.operands[2]);
  return true;
}

void name_parameters(Context& context) {
  Module& module = context.module;
  for (const DebugParameter& each : context.debug_parameters) {
    const auto entry = context.function_of_debug.find(each.debug_function);
    const Function* const function =
        entry == context.function_of_debug.end() ? nullptr : module.function(entry->second);
    if (function == nullptr || each.number == 0 || each.number > function->parameters.size())
      continue;
    const std::string_view name = module.string(each.name);
    const Id parameter = function->parameters[each.number - 1].id;
    if (!name.empty() && module.name(parameter).empty()) module.names[parameter] = name;
  }
}

void end_lines(Context& context) {
  context.line = 0;
  context.debug_scope = context.debug_inlined_at = 0;
}

}  // namespace transpire::decoder
