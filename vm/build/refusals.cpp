#include "vm/build/refusals.h"

#include <fmt/format.h>

#include "base/missing_function.h"
#include "decoder/function_place.h"
#include "decoder/untyped.h"

namespace transpire::vm::builder {

void Refusals::refuse(Rule rule, std::string message) {
  if (failed()) return;
  Diagnostic diagnostic = make_diagnostic(rule, std::move(message));
  if (rule == Rule::kU0004) diagnostic.help = "validate the module to learn which rule it breaks";
  refuse(std::move(diagnostic));
}

void Refusals::refuse_import(const std::string& function) {
  Diagnostic diagnostic = make_diagnostic(
      Rule::kU0006, fmt::format("the function '{}' has no body in this module", function));
  diagnostic.help = missing_function_help(function, "link the module with the one that defines it");
  refuse(std::move(diagnostic));
}

void Refusals::refuse(Diagnostic diagnostic) {
  if (failed()) return;
  diagnostic.input = request_.module.input_name;
  if (const Instruction* instruction = position_.instruction) {
    diagnostic.word_offset = instruction->word_offset;
    diagnostic.instruction =
        decoder::opcode_name(decoder::written_op(request_.module, *instruction));
    diagnostic.source = request_.module.source_line(instruction->line);
  } else if (position_.frame != nullptr && position_.parameter != 0) {
    place_at_parameter(diagnostic);
  }
  if (position_.frame != nullptr)
    diagnostic.notes.push_back(fmt::format("in function '{}' of kernel '{}'",
                                           position_.frame->function->name, request_.entry.name));
  first_ = std::move(diagnostic);
}

bool Refusals::expect_component(const decoder::Type& type, bool condition, const char* what) {
  if (condition || !type.has_specialised_count) return expect(condition, what);
  refuse(Rule::kU0003, fmt::format("{}: {} has a length of {}, which specialization constants give",
                                   what, decoder::spell(type), type.count));
  return false;
}

/// In the words at the parameter, in the source at the kernel, of which debug information knows the line. An entry
/// function that only forwards its parameters has no line.
void Refusals::place_at_parameter(Diagnostic& diagnostic) const {
  if (const decoder::Variable* const variable = request_.module.variable(position_.parameter)) {
    diagnostic.word_offset = variable->word_offset;
    diagnostic.instruction = decoder::opcode_name(spv::Op::OpVariable);
    return;
  }
  const decoder::Function& entry = *position_.frame->function;
  diagnostic.word_offset = decoder::word_of_parameter(request_.module, entry, position_.parameter);
  diagnostic.instruction = decoder::opcode_name(spv::Op::OpFunctionParameter);
  diagnostic.source = decoder::line_of(request_.module, *request_.inputs.source_function());
}

}  // namespace transpire::vm::builder
