// Assembly text and linking, through SPIRV-Tools. Both take and return words; no code here reads a
// Module.
//
// Assembling needs a target version: the lowest one that has every instruction of the text. The
// search begins at the version that a comment "; Version: 1.x" names, as the disassembler writes
// it; else at 1.2.
#include <fmt/format.h>
#include <spirv-tools/libspirv.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <spirv-tools/libspirv.hpp>
#include <spirv-tools/linker.hpp>

#include "base/excerpt.h"
#include "base/nearest.h"
#include "decoder/assemble.h"
#include "decoder/block_kernels.h"
#include "decoder/context.h"
#include "decoder/debug_words.h"
#include "decoder/grammar.h"
#include "decoder/link_named.h"
#include "decoder/link_once.h"
#include "decoder/prepared_text.h"
#include "decoder/readable.h"

namespace transpire::decoder {
namespace {

constexpr spv_target_env kEnvironments[] = {
    SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1, SPV_ENV_UNIVERSAL_1_2, SPV_ENV_UNIVERSAL_1_3,
    SPV_ENV_UNIVERSAL_1_4, SPV_ENV_UNIVERSAL_1_5, SPV_ENV_UNIVERSAL_1_6};
constexpr std::size_t kNewest = std::size(kEnvironments) - 1;
constexpr std::size_t kDefaultMinor = 2;

struct Destroy {
  void operator()(spv_context context) const { spvContextDestroy(context); }
  void operator()(spv_binary binary) const { spvBinaryDestroy(binary); }
  void operator()(spv_text text) const { spvTextDestroy(text); }
  void operator()(spv_diagnostic diagnostic) const { spvDiagnosticDestroy(diagnostic); }
};
template <class Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy>;

/// x of the first comment line "; Version: 1.x".
std::optional<std::size_t> version_comment(std::string_view text) {
  constexpr std::string_view kMark = "; Version: 1.";
  for (std::size_t at = text.find(kMark); at != text.npos; at = text.find(kMark, at + 1)) {
    const std::size_t digit = at + kMark.size();
    const bool starts_line = at == 0 || text[at - 1] == '\n';
    if (starts_line && digit < text.size() && text[digit] >= '0' && text[digit] <= '6')
      return static_cast<std::size_t>(text[digit] - '0');
  }
  return std::nullopt;
}

/// A message of SPIRV-Tools in this project's style: no final period, and valid UTF-8.
std::string trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.remove_suffix(1);
  if (text.ends_with('.')) text.remove_suffix(1);
  return sanitise_utf8(text);
}

/// Suggestions for the word that SPIRV-Tools' message quotes as unknown, from names of the same
/// sort.
std::string meant_by(std::string_view message) {
  constexpr std::string_view kInvalid = "Invalid ";
  const std::size_t open = message.find(" '"), close = message.rfind('\'');
  if (!message.starts_with(kInvalid) || open == message.npos || close <= open + 2) return {};
  const std::string_view sort = message.substr(kInvalid.size(), open - kInvalid.size());
  const std::string_view word = message.substr(open + 2, close - open - 2);
  if (sort == "Opcode name") return nearest(word, opcode_names());
  if (sort == "extended instruction name") return nearest(word, ext_inst_names());
  return nearest(word, enumerant_names(sort));
}

/// The operands of the instruction: "a type, <id>, <id>".
std::string operands_of(const OpcodeInfo& info) {
  std::string text = info.has_type ? "the result's type" : "";
  for (const OperandSpec& operand : info.operands) {
    const bool id = category_of(operand.kind) == Category::kId;
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", id ? "<id>" : kind_name(operand.kind),
                        operand.quantifier == Quantifier::kOptional ? " (may be left out)"
                        : operand.quantifier == Quantifier::kAny    ? " (any number)"
                                                                    : "");
  }
  return text;
}

/// SPIRV-Tools reports a missing operand at the next instruction. This moves the place to the
/// incomplete one.
void place_at_incomplete(std::string_view text, Diagnostic& diagnostic) {
  constexpr std::string_view kStart = "Expected operand for ";
  const std::string_view message = diagnostic.message;
  if (!message.starts_with(kStart) || diagnostic.source.line == 0) return;
  const std::string_view name =
      message.substr(kStart.size(), message.find(' ', kStart.size()) - kStart.size());
  const TextLines lines(text);
  for (std::uint32_t line = diagnostic.source.line; line > 0; --line) {
    const std::size_t at = lines.line(line).find(name);
    if (at == std::string_view::npos) continue;
    diagnostic.source.line = line;
    diagnostic.source.column = static_cast<std::uint32_t>(at + 1);
    break;
  }
  if (const OpcodeInfo* info = find_opcode_named(name))
    diagnostic.help = fmt::format("{} takes: {}", name, operands_of(*info));
}

/// "%x" of a line "%x = OpTypeInt 32 0"; empty for other lines.
std::string_view defined_in(std::string_view line) {
  const std::size_t start = line.find_first_not_of(" \t");
  if (start == line.npos || line[start] != '%') return {};
  const std::size_t end = std::min(line.find_first_of(" \t=", start), line.size());
  const std::size_t opcode = line.find_first_not_of(" \t=", end);
  if (opcode == line.npos || !line.substr(opcode).starts_with("OpType")) return {};
  return line.substr(start, end - start);
}

/// SPIRV-Tools reports the number of an id that is declared as two types, without a place. This
/// finds the place.
void place_at_second_type(std::string_view text, Diagnostic& diagnostic) {
  std::map<std::string_view, std::uint32_t> first;
  const TextLines lines(text);
  const auto count = static_cast<std::uint32_t>(std::ranges::count(text, '\n') + 1);
  for (std::uint32_t number = 1; number <= count; ++number) {
    const std::string_view line = lines.line(number);
    const std::string_view id = defined_in(line);
    if (id.empty()) continue;
    const auto [known, is_new] = first.emplace(id, number);
    if (is_new) continue;
    diagnostic.message = fmt::format("'{}' is declared as a type twice", sanitise_utf8(id));
    diagnostic.notes = {fmt::format("declared here first: {}:{}", diagnostic.input, known->second)};
    diagnostic.help = "give the second one an id of its own, or delete it";
    diagnostic.source.line = number;
    diagnostic.source.column = static_cast<std::uint32_t>(line.find(id) + 1);
    return;
  }
}

/// Adds help or a place to messages of SPIRV-Tools that lack them.
void explain_assembler(std::string_view text, Diagnostic& diagnostic) {
  const std::string_view message = diagnostic.message;
  if (message.ends_with("has already been used to generate a type"))
    place_at_second_type(text, diagnostic);
  else if (message.starts_with("Type for Constant must be"))
    diagnostic.help =
        "name an OpTypeInt or OpTypeFloat that stands above this line; "
        "OpConstantComposite makes vectors";
  else if (message.starts_with("Invalid extended instruction import"))
    diagnostic.help =
        "write `%std = OpExtInstImport \"OpenCL.std\"` before the memory model, and name it here";
}

Diagnostic text_error(const spv_diagnostic_t* found, std::string_view text,
                      const std::string& input_name) {
  Diagnostic diagnostic = make_diagnostic(
      Rule::kD0040, trimmed(found && found->error ? found->error : "the text does not assemble"));
  diagnostic.input = input_name;
  diagnostic.source.file = input_name;
  // SPIRV-Tools counts lines and columns from 0.
  diagnostic.source.line = found ? static_cast<std::uint32_t>(found->position.line + 1) : 1;
  diagnostic.source.column = found ? static_cast<std::uint32_t>(found->position.column + 1) : 0;
  if (!found) return diagnostic;
  place_at_incomplete(text, diagnostic);
  explain_assembler(text, diagnostic);
  const std::string_view line = TextLines(text).line(diagnostic.source.line);
  const std::size_t start = diagnostic.source.column - 1;
  if (start < line.size()) diagnostic.excerpt = excerpt_of(line, start, word_length(line, start));
  // The text has no instruction at all: it is something else.
  if (text.find("Op") == text.npos) diagnostic.help = kNoModule;
  if (const std::string meant = meant_by(diagnostic.message); !meant.empty())
    diagnostic.help = fmt::format("did you mean '{}'?", meant);
  return diagnostic;
}

Result<std::vector<std::uint32_t>> assemble_for(std::size_t minor, std::string_view text,
                                                const PreparedText& of_text,
                                                const std::string& input_name) {
  const Owned<spv_context> context(spvContextCreate(kEnvironments[minor]));
  spv_binary binary = nullptr;
  spv_diagnostic found = nullptr;
  const std::uint32_t options = of_text.keeps_numbers
                                    ? SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS
                                    : SPV_TEXT_TO_BINARY_OPTION_NONE;
  const spv_result_t status = spvTextToBinaryWithOptions(
      context.get(), of_text.text.data(), of_text.text.size(), options, &binary, &found);
  const Owned<spv_binary> owned(binary);
  const Owned<spv_diagnostic> owned_diagnostic(found);
  if (status != SPV_SUCCESS || !binary) return text_error(found, text, input_name);
  return without_marks({binary->code, binary->wordCount});
}

/// Replaces the byte offsets that SPIRV-Tools appends ("; 0x00000014") by word offsets. Looking for
/// each instruction's own offset keeps text inside string literals untouched.
std::string with_word_offsets(std::string_view text, std::span<const std::uint32_t> words) {
  std::string out;
  out.reserve(text.size() + words.size() / 2);
  for (std::size_t offset = 5; offset < words.size();) {
    const std::string mark = fmt::format(" ; {:#010x}\n", offset * 4);
    const std::size_t at = text.find(mark);
    if (at == text.npos) break;
    out += text.substr(0, at);
    out += fmt::format(" ; word {}\n", offset);
    text.remove_prefix(at + mark.size());
    const std::size_t count = words[offset] >> 16;
    if (count == 0) break;
    offset += count;
  }
  out += text;
  return out;
}

spv_target_env environment_of(std::uint32_t version) {
  const std::size_t minor = version >> 8 & 0xff;
  return kEnvironments[minor > kNewest ? kNewest : minor];
}

/// SPIRV-Tools' linker renumbers the ids of every module but the first, and forgets those in
/// OpLine. This adds its offset to the file operand in advance.
void renumber_lines(std::vector<std::uint32_t>* words, std::uint32_t offset) {
  for (std::size_t at = 5; at < words->size();) {
    const std::uint32_t length = (*words)[at] >> 16;
    if (static_cast<spv::Op>((*words)[at] & 0xffff) == spv::Op::OpLine) (*words)[at + 1] += offset;
    at += length;
  }
}

}  // namespace

Result<std::vector<std::uint32_t>> assemble(std::string_view text, const std::string& input_name) {
  return assemble_from(kDefaultMinor, text, input_name);
}

bool says_version(std::string_view text) { return version_comment(text).has_value(); }

Result<std::vector<std::uint32_t>> assemble_from(std::size_t oldest, std::string_view text,
                                                 const std::string& input_name) {
  const PreparedText of_text = prepared_text(text);
  for (std::size_t minor = version_comment(text).value_or(oldest); minor < kNewest; ++minor)
    if (auto words = assemble_for(minor, text, of_text, input_name)) return words;
  // The newest version knows every instruction, so the error is in the text itself.
  return assemble_for(kNewest, text, of_text, input_name);
}

Result<std::string> disassemble(std::span<const std::uint32_t> words, bool with_offsets) {
  const Owned<spv_context> context(spvContextCreate(SPV_ENV_UNIVERSAL_1_6));
  const ReadableWords readable = readable_words(words);
  spv_text text = nullptr;
  spv_diagnostic found = nullptr;
  std::uint32_t options =
      SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES | SPV_BINARY_TO_TEXT_OPTION_INDENT;
  if (with_offsets) options |= SPV_BINARY_TO_TEXT_OPTION_SHOW_BYTE_OFFSET;
  const spv_result_t status = spvBinaryToText(context.get(), readable.words.data(),
                                              readable.words.size(), options, &text, &found);
  const Owned<spv_text> owned(text);
  const Owned<spv_diagnostic> owned_diagnostic(found);
  if (status != SPV_SUCCESS || !text) {
    Diagnostic diagnostic = make_diagnostic(
        Rule::kD0041, trimmed(found && found->error ? found->error : "the words cannot be read"));
    if (found) diagnostic.word_offset = offset_of_instruction(words, found->position.index);
    return diagnostic;
  }
  std::string out(text->str, text->length);
  if (with_offsets) out = with_word_offsets(out, readable.words);
  if (readable.blanked != 0)
    out.insert(0, fmt::format("; {} instructions that SPIRV-Tools cannot read stand as OpNop\n",
                              readable.blanked));
  return out;
}

namespace {

/// Collects a module's exports, by name; an error for each symbol that an earlier module exports,
/// too.
void collect_exports(const Module& module, std::map<std::string, std::string>& exports,
                     Diagnostics& errors) {
  for (Id id = 0; id < module.bound; ++id) {
    const Decoration* linkage = module.decoration(id, spv::Decoration::LinkageAttributes);
    if (linkage == nullptr || linkage->operands.empty() ||
        linkage->operands[0] != static_cast<std::uint32_t>(spv::LinkageType::Export))
      continue;
    const auto [first, is_new] = exports.try_emplace(linkage->text, module.input_name);
    if (is_new) continue;
    errors.push_back(make_diagnostic(
        Rule::kD0042,
        fmt::format("expected one definition of '{}', found several", linkage->text)));
    errors.back().notes.push_back(
        fmt::format("it is defined in '{}' and in '{}'", first->second, module.input_name));
  }
}

/// Gives a number to each name that is empty or that several modules share.
void number_names(std::vector<std::string>& names, std::size_t count) {
  names.resize(count);
  const std::vector<std::string> given = names;
  for (std::size_t i = 0; i < count; ++i) {
    if (given[i].empty())
      names[i] = fmt::format("module {} of {}", i + 1, count);
    else if (std::ranges::count(given, given[i]) > 1)
      names[i] = fmt::format("{}, module {} of {}", given[i], i + 1, count);
  }
}

}  // namespace

Result<std::vector<std::uint32_t>> link(const std::vector<std::vector<std::uint32_t>>& modules,
                                        bool allow_unresolved) {
  return link_named(modules, {}, allow_unresolved);
}

Result<std::vector<std::uint32_t>> link_named(
    const std::vector<std::vector<std::uint32_t>>& modules, std::vector<std::string> names,
    bool allow_unresolved) {
  number_names(names, modules.size());
  // SPIRV-Tools' linker moves debug instructions without renumbering the ids in them, so they are
  // removed. Lines stay.
  std::vector<std::vector<std::uint32_t>> settled;
  for (const std::vector<std::uint32_t>& module : modules)
    settled.push_back(without_debug_info(module));
  keep_one_definition(settled);
  // SPIRV-Tools' linker trusts its input, so every module must decode. It also accepts two
  // definitions of a symbol that no module imports, so these are checked here.
  std::uint32_t version = 0x00010000;
  std::map<std::string, std::string> exports;
  Diagnostics errors;
  for (std::size_t i = 0; i < settled.size(); ++i) {
    DecodeOptions options;
    options.input_name = names[i];
    const auto decoded_now = [&] { return decode(std::as_bytes(std::span(settled[i])), options); };
    Result<Module> decoded = decoded_now();
    if (decoded && keep_blocks_private(settled[i], *decoded)) decoded = decoded_now();
    if (!decoded) return decoded.errors();
    version = std::max(version, decoded->version);
    collect_exports(*decoded, exports, errors);
  }
  if (!errors.empty()) return errors;
  spvtools::Context context(environment_of(version));
  context.SetMessageConsumer([&errors](spv_message_level_t level, const char*,
                                       const spv_position_t&, const char* message) {
    if (level <= SPV_MSG_ERROR) errors.push_back(make_diagnostic(Rule::kD0042, trimmed(message)));
  });
  spvtools::LinkerOptions options;
  options.SetCreateLibrary(true);
  options.SetAllowPartialLinkage(allow_unresolved);
  std::vector<std::vector<std::uint32_t>> readable;
  readable.reserve(settled.size());
  std::uint32_t ids_before = 0;
  for (const auto& module : settled) {
    readable.push_back(without_unreadable_debug(module));
    if (ids_before != 0) renumber_lines(&readable.back(), ids_before);
    ids_before += module[3] - 1;
  }
  std::vector<std::uint32_t> linked;
  if (spvtools::Link(context, readable, &linked, options) == SPV_SUCCESS) return linked;
  if (errors.empty())
    errors.push_back(make_diagnostic(Rule::kD0042, "the modules cannot be linked"));
  return explained(std::move(errors), settled, names);
}

}  // namespace transpire::decoder
