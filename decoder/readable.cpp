// See readable.h. Looks at frames only; other mistakes in a module are found later.
#include "decoder/readable.h"

#include <spirv-tools/libspirv.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "decoder/context.h"
#include "decoder/debug_words.h"
#include "decoder/raw_instructions.h"

namespace transpire::decoder {
namespace {

constexpr std::uint32_t kNop = 1u << 16 | static_cast<std::uint32_t>(spv::Op::OpNop);

/// Word offset of the instruction at which SPIRV-Tools' parser stops; none if it reads all.
std::optional<std::size_t> unreadable_instruction(std::span<const std::uint32_t> words) {
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
  spv_diagnostic found = nullptr;
  const spv_result_t status =
      spvBinaryParse(context, nullptr, words.data(), words.size(), nullptr, nullptr, &found);
  std::optional<std::size_t> offset;
  if (status != SPV_SUCCESS && found) offset = offset_of_instruction(words, found->position.index);
  spvDiagnosticDestroy(found);
  spvContextDestroy(context);
  return offset;
}

bool is_op(std::uint32_t word, spv::Op op) {
  return (word & 0xffff) == static_cast<std::uint32_t>(op);
}

using Ids = std::unordered_set<Id>;

/// True for an instruction of a debug set. Words: opcode, result type, result, set, number,
/// operands.
bool is_debug_instruction(std::span<const std::uint32_t> words, std::size_t at, std::size_t count,
                          const Ids& imports) {
  return count >= 5 && is_op(words[at], spv::Op::OpExtInst) && imports.contains(words[at + 3]);
}

/// Renames imports to the name that SPIRV-Tools has for the set; both names have the same length.
/// Returns true if there were any.
bool rename_imports(std::vector<std::uint32_t>& words) {
  bool renamed = false;
  for_each_instruction(words, [&](std::size_t at, std::size_t count) {
    if (count != 5 || !is_op(words[at], spv::Op::OpExtInstImport)) return;
    const std::string name = text_operand(std::span(words).subspan(at + 2, count - 2));
    if (extended_set_named(name) != ExtendedSet::kEarlyDebugInfo) return;
    std::memcpy(&words[at + 2], "DebugInfo\0\0", 12);
    renamed = true;
  });
  return renamed;
}

/// Overwrites all debug instructions of the same kind as the one at `bad`. Returns their number.
std::uint32_t blank_kind(std::vector<std::uint32_t>& words, std::size_t bad, const Ids& imports) {
  if (bad < kHeaderWords) return 0;
  const std::size_t bad_count = words[bad] >> 16;
  if (!is_debug_instruction(words, bad, bad_count, imports)) return 0;
  const std::uint32_t set = words[bad + 3];
  const std::uint32_t number = words[bad + 4];
  std::uint32_t blanked = 0;
  for_each_instruction(words, [&](std::size_t at, std::size_t count) {
    if (!is_debug_instruction(words, at, count, imports) || words[at + 3] != set ||
        words[at + 4] != number)
      return;
    std::fill_n(words.begin() + static_cast<std::ptrdiff_t>(at), count, kNop);
    ++blanked;
  });
  return blanked;
}

/// Position of the word that names the hint in an instruction that may have one; 0 for other
/// instructions.
std::size_t hint_operand(std::uint32_t first_word) {
  switch (static_cast<spv::Op>(first_word & 0xffff)) {
    case spv::Op::OpCapability:
      return 1;
    case spv::Op::OpExecutionMode:
    case spv::Op::OpExecutionModeId:
    case spv::Op::OpDecorate:
    case spv::Op::OpDecorateId:
    case spv::Op::OpDecorateString:
      return 2;
    case spv::Op::OpMemberDecorate:
    case spv::Op::OpMemberDecorateString:
      return 3;
    default:
      return 0;
  }
}

/// Overwrites all instructions of decoder/newer_instructions.json, if the one at `bad` is one. Returns their number.
std::uint32_t blank_newer(std::vector<std::uint32_t>& words, std::size_t bad) {
  const auto is_newer = [&](std::size_t at) {
    const bool wraps = is_op(words[at], spv::Op::OpSpecConstantOp) && words[at] >> 16 > 3;
    const OpcodeInfo* const info = find_opcode(wraps ? words[at + 3] : words[at] & 0xffff);
    return info != nullptr && info->is_newer;
  };
  if (bad < kHeaderWords || !is_newer(bad)) return 0;
  std::uint32_t blanked = 0;
  for_each_instruction(words, [&](std::size_t at, std::size_t count) {
    if (!is_newer(at)) return;
    std::fill_n(words.begin() + static_cast<std::ptrdiff_t>(at), count, kNop);
    ++blanked;
  });
  return blanked;
}

/// Overwrites all instructions with the same capability, mode or decoration as the one at `bad`.
/// Returns their number.
std::uint32_t blank_hint(std::vector<std::uint32_t>& words, std::size_t bad) {
  if (bad < kHeaderWords) return 0;
  const std::size_t operand = hint_operand(words[bad]);
  if (operand == 0 || words[bad] >> 16 <= operand) return 0;
  const spv::Op op = static_cast<spv::Op>(words[bad] & 0xffff);
  const std::uint32_t hint = words[bad + operand];
  std::uint32_t blanked = 0;
  for_each_instruction(words, [&](std::size_t at, std::size_t count) {
    if (!is_op(words[at], op) || count <= operand || words[at + operand] != hint) return;
    std::fill_n(words.begin() + static_cast<std::ptrdiff_t>(at), count, kNop);
    ++blanked;
  });
  return blanked;
}

}  // namespace

std::size_t offset_of_instruction(std::span<const std::uint32_t> words, std::size_t number) {
  std::size_t offset = 0;
  for_each_instruction(words, [&](std::size_t at, std::size_t) {
    if (number != 0 && --number == 0) offset = at;
  });
  return offset;
}

ReadableWords readable_words(std::span<const std::uint32_t> words) {
  ReadableWords readable{{words.begin(), words.end()}, 0};
  std::optional<std::size_t> bad = unreadable_instruction(readable.words);
  if (!bad) return readable;
  if (rename_imports(readable.words)) bad = unreadable_instruction(readable.words);
  const Ids imports = debug_imports(words);
  // Each round removes one kind of instruction, so the number of kinds bounds the rounds. Real
  // modules have few kinds of hints.
  constexpr std::uint32_t kMostHints = 100;
  for (std::uint32_t hints = 0; bad && hints < kMostHints;) {
    std::uint32_t blanked = blank_kind(readable.words, *bad, imports);
    if (blanked == 0) blanked = blank_newer(readable.words, *bad);
    if (blanked == 0) {
      blanked = blank_hint(readable.words, *bad);
      ++hints;
    }
    if (blanked == 0) break;
    readable.blanked += blanked;
    bad = unreadable_instruction(readable.words);
  }
  return readable;
}

std::vector<std::uint32_t> without_unreadable_debug(std::span<const std::uint32_t> words) {
  std::vector<std::uint32_t> all(words.begin(), words.end());
  if (!unreadable_instruction(all)) return all;
  if (rename_imports(all) && !unreadable_instruction(all)) return all;
  const Ids imports = debug_imports(all);
  const std::size_t header = std::min(kHeaderWords, all.size());
  std::vector<std::uint32_t> kept(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(header));
  for_each_instruction(all, [&](std::size_t at, std::size_t count) {
    if (is_debug_instruction(all, at, count, imports)) return;
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(at);
    kept.insert(kept.end(), first, first + static_cast<std::ptrdiff_t>(count));
  });
  return kept;
}

}  // namespace transpire::decoder
