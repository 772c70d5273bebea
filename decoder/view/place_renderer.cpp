// Places: see the header.
#include "decoder/view/place_renderer.h"

#include <fmt/format.h>

#include <algorithm>

#include "decoder/context.h"
#include "decoder/module.h"
#include "decoder/view/nearest_line.h"

namespace transpire::decoder::view {
namespace {

/// OpLine's place of an instruction, if there is one.
SourceLine source_of(const ModuleView& view, std::uint32_t instruction) {
  const std::uint32_t line = view.line_of(instruction);
  if (line == kNone) return {};
  SourceLine source;
  source.file = decoder::sanitise_utf8(view.text(view.definition(view.word(line, 0)), 0));
  while (source.file.starts_with("./"))
    source.file.erase(0, 2);  // relative to where the compiler ran
  source.line = view.word(line, 1);
  source.column = view.word(line, 2);
  return source;
}

const TextToken& token_of(const ModuleView& view, const TextInstruction& where,
                          const Place& place) {
  if (place.operand == Place::kWhole) return where.opcode;
  if (place.operand == Place::kResult)
    return where.result.length != 0 ? where.result : where.opcode;
  const bool has_type = view.at(place.instruction).type_id != 0;
  const std::size_t index = place.operand == Place::kType
                                ? 0
                                : static_cast<std::size_t>(place.operand) + (has_type ? 1 : 0);
  return index < where.others.size() ? where.others[index] : where.opcode;
}

TextSpan span_of(const SpelledInstruction& spelled, const Place& place) {
  if (place.operand == Place::kResult) return spelled.result;
  if (place.operand == Place::kType) return spelled.type;
  if (place.operand >= 0 && static_cast<std::size_t>(place.operand) < spelled.operands.size())
    return spelled.operands[static_cast<std::size_t>(place.operand)];
  return spelled.opcode;
}

}  // namespace

PlaceRenderer::PlaceRenderer(const ViewedModule& module, const std::string& input_name,
                             SourceExcerpt source)
    : PlaceRenderer(module.view, module.text, input_name, std::move(source)) {}

PlaceRenderer::PlaceRenderer(const ModuleView& view, const ModuleText& text,
                             const std::string& input_name, SourceExcerpt source)
    : view_(view),
      input_name_(input_name),
      source_(std::move(source)),
      positions_(text.instructions),
      lines_(text.text) {}

const SpelledInstruction& PlaceRenderer::spell(std::uint32_t instruction) const {
  if (instruction != spelled_instruction_) {
    spelled_ = spell_instruction(view_, instruction);
    spelled_instruction_ = instruction;
  }
  return spelled_;
}

std::string PlaceRenderer::spell_place(std::uint32_t instruction) const {
  const std::string& spelled = spell(instruction).text;
  if (instruction < positions_.size()) {
    const TextInstruction& where = positions_[instruction];
    const TextToken& first = where.result.length != 0 ? where.result : where.opcode;
    return fmt::format("{}:{}:{}: {}", input_name_, first.line, first.column, spelled);
  }
  if (const SourceLine line = source_of(view_, instruction); source_ && !source_(line).empty())
    return fmt::format("{}: {}", transpire::text_of(line), spelled);
  return fmt::format("{}: word {}: {}", input_name_, view_.at(instruction).offset, spelled);
}

void PlaceRenderer::place_in_text(const Place& place, Diagnostic& diagnostic) const {
  const TextToken& token = token_of(view_, positions_[place.instruction], place);
  diagnostic.source = {input_name_, token.line, token.column};
  diagnostic.excerpt = excerpt_of(lines_.line(token.line), token.column - 1, token.length);
}

void PlaceRenderer::place_in_words(const Place& place, Diagnostic& diagnostic) const {
  diagnostic.word_offset = view_.at(place.instruction).offset;
  diagnostic.source = source_of(view_, place.instruction);
  const SpelledInstruction& spelled = spell(place.instruction);
  const TextSpan span = span_of(spelled, place);
  diagnostic.excerpt = excerpt_of(spelled.text, span.start, span.length);
  if (source_) place_in_source(place.instruction, diagnostic);
}

/// Leaves the instruction as what is shown where the source has no line for it.
void PlaceRenderer::place_in_source(std::uint32_t instruction, Diagnostic& diagnostic) const {
  SourceLine line = diagnostic.source;
  const bool has_line = line.known();
  if (!has_line && searches_++ < kMostSearches) {
    const std::uint32_t other = nearest_with_line(view_, instruction);
    if (other != kNone) line = source_of(view_, other);
  }
  std::string excerpt = line.known() ? source_(line) : std::string();
  if (excerpt.empty()) return;
  diagnostic.assembly = assembly_of(instruction);
  diagnostic.source = std::move(line);
  diagnostic.excerpt = std::move(excerpt);
  if (!has_line)
    diagnostic.notes.insert(diagnostic.notes.begin(), "the line that is shown needs it");
}

void PlaceRenderer::show(const Place& place, Diagnostic& diagnostic) const {
  if (place.instruction >= view_.instructions().size()) {
    if (place.word != kNone) diagnostic.word_offset = place.word;
    return;
  }
  diagnostic.instruction = opcode_name(view_.at(place.instruction).op);
  if (place.instruction < positions_.size())
    place_in_text(place, diagnostic);
  else
    place_in_words(place, diagnostic);
}

std::uint32_t PlaceRenderer::instruction_at(std::uint64_t word_offset) const {
  const auto instructions = view_.instructions();
  const auto found = std::partition_point(instructions.begin(), instructions.end(),
                                          [word_offset](const Instruction& each) {
                                            return each.offset + each.word_count <= word_offset;
                                          });
  if (found == instructions.end() || found->offset > word_offset) return kNone;
  return static_cast<std::uint32_t>(found - instructions.begin());
}

void PlaceRenderer::show_word(Diagnostic& diagnostic) const {
  if (!diagnostic.word_offset || !diagnostic.excerpt.empty()) return;
  const std::uint32_t instruction = instruction_at(*diagnostic.word_offset);
  if (instruction == kNone) return;
  const std::uint64_t word = *diagnostic.word_offset;
  if (instruction < positions_.size()) diagnostic.word_offset.reset();
  show(Place::at(instruction), diagnostic);
  if (diagnostic.word_offset) diagnostic.word_offset = word;
}

std::string PlaceRenderer::assembly_of(std::uint32_t instruction) const {
  return spell(instruction).text;
}

SourceLine PlaceRenderer::place_of(std::uint32_t instruction) const {
  if (instruction >= positions_.size()) return {};
  const TextToken& opcode = positions_[instruction].opcode;
  return {input_name_, opcode.line, opcode.column};
}

}  // namespace transpire::decoder::view
