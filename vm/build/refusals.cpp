#include "vm/build/refusals.h"

#include <fmt/format.h>

namespace transpire::vm::builder {

void Refusals::refuse(Rule rule, std::string message) {
  if (failed()) return;
  Diagnostic diagnostic = make_diagnostic(rule, std::move(message));
  if (rule == Rule::kU0004) diagnostic.help = "validate the module to learn which rule it breaks";
  refuse(std::move(diagnostic));
}

void Refusals::refuse(Diagnostic diagnostic) {
  if (failed()) return;
  diagnostic.input = request_.module.input_name;
  if (const Instruction* instruction = position_.instruction) {
    diagnostic.word_offset = instruction->word_offset;
    diagnostic.instruction = decoder::opcode_name(instruction->op);
    diagnostic.source = request_.module.source_line(instruction->line);
  }
  if (position_.frame != nullptr)
    diagnostic.notes.push_back(fmt::format("in function '{}' of kernel '{}'",
                                           position_.frame->function->name, request_.entry.name));
  first_ = std::move(diagnostic);
}

}  // namespace transpire::vm::builder
