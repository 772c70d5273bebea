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

ExtendedSet set_of(const Context& context, const Parsed& parsed) {
  if (parsed.op != spv::Op::OpExtInst || parsed.operands.empty()) return ExtendedSet::kUnknown;
  const ExtInstImport* import = context.module.ext_inst_import(parsed.operands[0]);
  return import ? import->set : ExtendedSet::kUnknown;
}

}  // namespace transpire::decoder
