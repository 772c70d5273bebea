// Places: see the header.
#include "findings/places.h"

#include <fmt/format.h>

namespace transpire::findings {

Places::Places(const decoder::Module& module, const decoder::view::ViewedModule& viewed,
               std::span<const SourceText> sources)
    : module_(module), renderer_(viewed, module.input_name), texts_(sources, module.input_name) {}

SourceLine Places::place_of(std::uint32_t word_offset, std::uint32_t line) const {
  const SourceLine in_text = renderer_.place_of(renderer_.instruction_at(word_offset));
  return in_text.known() ? in_text : module_.source_line(line);
}

void Places::show(std::uint32_t word_offset, std::uint32_t line, Diagnostic& diagnostic) const {
  const std::uint32_t instruction = renderer_.instruction_at(word_offset);
  if (instruction == decoder::view::kNone) return;
  const std::lock_guard lock(showing_);
  renderer_.show(decoder::view::Place::at(instruction), diagnostic);
  diagnostic.word_offset = word_offset;
  const SourceLine compiled_from = module_.source_line(line);
  if (!compiled_from.known()) return;
  if (renderer_.place_of(instruction).known()) {
    diagnostic.notes.insert(diagnostic.notes.begin(), "compiled from " + text_of(compiled_from));
    return;
  }
  diagnostic.source = compiled_from;
  diagnostic.assembly = renderer_.assembly_of(instruction);
  diagnostic.excerpt = texts_.excerpt(diagnostic.source);
}

void Places::show_word(Diagnostic& diagnostic) const {
  if (!diagnostic.word_offset) return;
  const std::uint32_t instruction = renderer_.instruction_at(*diagnostic.word_offset);
  const SourceLine compiled_from = diagnostic.source;
  const std::lock_guard lock(showing_);
  renderer_.show_word(diagnostic);
  if (!compiled_from.known() || instruction == decoder::view::kNone) return;
  if (renderer_.place_of(instruction).known()) return;
  diagnostic.source = compiled_from;
  diagnostic.assembly = renderer_.assembly_of(instruction);
  diagnostic.excerpt = texts_.excerpt(compiled_from);
}

std::string Places::spell(const vm::Source& source) const {
  const SourceLine where = place_of(source.word_offset, source.line);
  if (!where.known()) return fmt::format("word {}", source.word_offset);
  return text_of(where);
}

std::string Places::function_name(decoder::Id id) const {
  const decoder::Function* function = module_.function(id);
  return function ? function->name : module_.spell_id(id);
}

/// True if the caller does nothing but this call: llvm-spirv makes such entry functions, and the source does not have them.
bool Places::is_forwarding(const vm::Source& call) const {
  const decoder::Function* caller = module_.function(call.function);
  return caller != nullptr && call.op == spv::Op::OpFunctionCall &&
         decoder::forwarded_to(module_, *caller) != nullptr;
}

std::vector<Frame> Places::frames(const vm::Program& program, const vm::Source& source) const {
  std::vector<Frame> frames;
  for (const vm::Source* at = &source;; at = &program.sources[at->called_from]) {
    if (frames.empty() || !is_forwarding(*at)) {
      Frame frame{function_name(at->function), place_of(at->word_offset, at->line),
                  at->word_offset};
      const std::vector<decoder::SourceCall> calls = module_.source_calls(at->line);
      for (std::size_t i = 0; i + 1 < calls.size(); ++i) {
        frame.function = calls[i].function;
        frames.push_back(frame);
        frame = {calls[i + 1].function, calls[i + 1].where, std::nullopt};
      }
      frames.push_back(std::move(frame));
    }
    if (at->called_from != 0) continue;
    // Whatever debug information says of it.
    frames.back().function = function_name(at->function);
    return frames;
  }
}

std::string calls_text(const std::vector<Frame>& frames) {
  std::string text;
  for (const Frame& frame : frames) {
    if (!text.empty() && frame.where.known())
      text += ", called at " + text_of(frame.where);
    else if (!text.empty() && frame.word_offset)
      text += fmt::format(", called at word {}", *frame.word_offset);
    text += fmt::format(" in '{}'", frame.function);
  }
  return text;
}

}  // namespace transpire::findings
