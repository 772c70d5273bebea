// The parts of the decoding context that every step uses.
#include "decoder/context.h"

#include <utility>

namespace transpire::decoder {

bool Context::fail(Rule rule, const Parsed& at, std::string message) {
  return fail(rule, at.word_offset, opcode_name(at.op), std::move(message));
}

bool Context::fail(Rule rule, std::uint64_t word_offset, std::string_view instruction,
                   std::string message, std::string help) {
  failure = make_diagnostic(rule, std::move(message));
  failure.input = options.input_name;
  failure.word_offset = word_offset;
  failure.instruction = instruction;
  failure.source = module.source_line(line);
  failure.help = std::move(help);
  return false;
}

InstructionSet instruction_set_of(std::string_view name) {
  if (name == "OpenCL.std") return InstructionSet::kOpenCLStd;
  if (name == "GLSL.std.450") return InstructionSet::kGlslStd450;
  // "SPIRV.debug" is what early translators called it.
  if (name == "OpenCL.DebugInfo.100" || name == "DebugInfo" || name == "SPIRV.debug")
    return InstructionSet::kDebugInfo;
  return name.starts_with("NonSemantic.") ? InstructionSet::kNonSemantic : InstructionSet::kUnknown;
}

bool is_debug_set(InstructionSet set) {
  return set == InstructionSet::kDebugInfo || set == InstructionSet::kNonSemantic;
}

bool is_debug_instruction(const Context& context, const Parsed& parsed) {
  if (parsed.op != spv::Op::OpExtInst || parsed.operands.empty()) return false;
  const ExtInstImport* import = context.module.ext_inst_import(parsed.operands[0]);
  return import && is_debug_set(import->set);
}

}  // namespace transpire::decoder
