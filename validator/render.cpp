// Rendering: see the header.
#include "validator/render.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/rule.h"
#include "decoder/module.h"
#include "validator/spelling.h"

namespace transpire::validator {
namespace {

constexpr std::size_t kLongestLine = 160;

/// A line and below it the caret, with the line's own tabs before it.
std::string excerpt_of(std::string_view line, std::size_t start, std::size_t length) {
  std::size_t from = 0;
  if (line.size() > kLongestLine && start > kLongestLine / 2) from = start - kLongestLine / 2;
  const std::string_view shown = line.substr(from, kLongestLine);
  std::string out;
  for (const char c : shown) out += c == '\t' || (c >= ' ' && c <= '~') ? c : '?';
  out += '\n';
  for (std::size_t i = 0; i < start - from && i < shown.size(); ++i)
    out += shown[i] == '\t' ? '\t' : ' ';
  out += '^';
  if (length > 1) out += std::string(std::min(length - 1, kLongestLine), '~');
  return out + "\n";
}

/// OpLine's place of an instruction, if there is one.
SourceLine source_of(const ModuleView& view, std::uint32_t instruction) {
  const std::uint32_t line = view.line_of(instruction);
  if (line == kNone) return {};
  SourceLine source;
  source.file = view.text(view.definition(view.word(line, 0)), 0);
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

Renderer::Renderer(const ModuleView& view, const std::string& input_name, std::string_view text)
    : view_(view), input_name_(input_name), text_(text) {
  if (text.empty()) return;
  positions_ = find_instructions(text);
  if (positions_.size() != view.instructions().size()) positions_.clear();
  line_starts_.push_back(0);
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
    line_starts_.push_back(at + 1);
}

std::string_view Renderer::line(std::uint32_t number) const {
  if (number == 0 || number > line_starts_.size()) return {};
  std::string_view line = text_.substr(line_starts_[number - 1]);
  line = line.substr(0, line.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string Renderer::spell_place(std::uint32_t instruction) const {
  const std::string spelled = spell_instruction(view_, instruction).text;
  if (instruction < positions_.size()) {
    const TextInstruction& where = positions_[instruction];
    const TextToken& first = where.result.length != 0 ? where.result : where.opcode;
    return fmt::format("{}:{}:{}: {}", input_name_, first.line, first.column, spelled);
  }
  return fmt::format("{}: word {}: {}", input_name_, view_.at(instruction).offset, spelled);
}

void Renderer::place_in_text(const Place& place, Diagnostic& diagnostic) const {
  const TextToken& token = token_of(view_, positions_[place.instruction], place);
  diagnostic.source = {input_name_, token.line, token.column};
  diagnostic.excerpt = excerpt_of(line(token.line), token.column - 1, token.length);
}

void Renderer::place_in_words(const Place& place, Diagnostic& diagnostic) const {
  diagnostic.word_offset = view_.at(place.instruction).offset;
  diagnostic.source = source_of(view_, place.instruction);
  const SpelledInstruction spelled = spell_instruction(view_, place.instruction);
  const TextSpan span = span_of(spelled, place);
  diagnostic.excerpt = excerpt_of(spelled.text, span.start, span.length);
}

Diagnostic Renderer::render(const Report& report) const {
  Diagnostic diagnostic;
  diagnostic.rule = fmt::format("TSP-{}", report.rule->id);
  diagnostic.severity = report.severity;
  diagnostic.message = report.message;
  diagnostic.clause = report.rule->clause;
  diagnostic.input = input_name_;
  diagnostic.help = report.hint.empty() ? std::string(report.rule->hint) : report.hint;
  const Place& place = report.place;
  if (place.instruction < view_.instructions().size()) {
    diagnostic.instruction = decoder::opcode_name(view_.at(place.instruction).op);
    if (place.instruction < positions_.size())
      place_in_text(place, diagnostic);
    else
      place_in_words(place, diagnostic);
  } else if (place.word != kNone) {
    diagnostic.word_offset = place.word;
  }
  for (const Note& note : report.notes)
    diagnostic.notes.push_back(note.instruction < view_.instructions().size()
                                   ? fmt::format("{}: {}", note.text, spell_place(note.instruction))
                                   : note.text);
  if (report.count > 1) diagnostic.notes.push_back(fmt::format("{} times in all", report.count));
  return diagnostic;
}

}  // namespace transpire::validator
