// Bytes to words, the five-word header, and the frame of each instruction. A module may have either
// byte order; the magic number tells which.
//
//   word 0      1          2          3      4        5 ...
//   magic       version    generator  bound  schema   instructions: word count << 16 | opcode, ...
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/counted.h"
#include "base/spirv_words.h"
#include "decoder/context.h"
#include "decoder/execution_models.h"
#include "decoder/raw_instructions.h"

namespace transpire::decoder {
namespace {

constexpr std::uint32_t kMaxMinorVersion = 6;
// SPIR-V 1.0, "Universal Limits": the largest bound a consumer must accept. It also keeps a forged
// header from claiming more table entries than memory holds.
constexpr std::uint32_t kMaxBound = 4'194'303;
/// Word offsets are 32 bits, also those just past the last instruction.
constexpr std::uint64_t kMaxModuleWords = 0xffff0000;

bool read_words(Context& context, std::span<const std::byte> bytes) {
  Module& module = context.module;
  const std::uint64_t most_words = std::min(context.options.max_module_words, kMaxModuleWords);
  if (bytes.size() / 4 > most_words)
    return context.fail(
        Rule::kD0006, 0, "",
        fmt::format("expected at most {} words, found {}", most_words, bytes.size() / 4));
  std::uint32_t magic = 0;
  if (bytes.size() >= 4) std::memcpy(&magic, bytes.data(), 4);
  if (bytes.size() >= 4 && magic != kSpirvMagic && magic != swapped_bytes(kSpirvMagic))
    return context.fail(Rule::kD0002, 0, "",
                        fmt::format("expected magic number 0x07230203 in either byte order, found "
                                    "{:#010x}",
                                    magic),
                        kNoModule);
  if (bytes.size() % 4 != 0 || bytes.size() < kHeaderWords * 4)
    return context.fail(Rule::kD0001, bytes.size() / 4, "",
                        fmt::format("expected a multiple of 4 bytes and at least {}, found {}",
                                    kHeaderWords * 4, bytes.size()),
                        bytes.size() < kHeaderWords * 4 ? kNoModule : kCutOff);
  module.words.resize(bytes.size() / 4);
  std::memcpy(module.words.data(), bytes.data(), bytes.size());
  module.byte_swapped = magic != kSpirvMagic;
  if (module.byte_swapped)
    for (std::uint32_t& word : module.words) word = swapped_bytes(word);
  return true;
}

}  // namespace

bool read_header(Context& context, std::span<const std::byte> bytes) {
  if (!read_words(context, bytes)) return false;
  Module& module = context.module;
  module.version = module.words[1];
  module.generator = module.words[2];
  module.bound = module.words[3];
  const std::uint32_t minor = module.version >> 8 & 0xff;
  if ((module.version & 0xffff00ff) != 0x00010000 || minor > kMaxMinorVersion)
    return context.fail(
        Rule::kD0003, 1, "",
        fmt::format("expected version 1.0 to 1.{} (0x00010000 to {:#010x}), found "
                    "{:#010x}",
                    kMaxMinorVersion, 0x00010000 | kMaxMinorVersion << 8, module.version));
  if (module.bound == 0 || module.bound > kMaxBound)
    return context.fail(
        Rule::kD0004, 3, "",
        fmt::format("expected a bound of 1 to {}, found {}", kMaxBound, module.bound));
  if (module.words[4] != 0)
    return context.fail(Rule::kD0005, 4, "",
                        fmt::format("expected instruction schema 0, found {}", module.words[4]));
  return true;
}

bool read_frame(Context& context, std::uint32_t word_offset, Parsed& parsed) {
  constexpr std::uint32_t kFramesBetweenLooks = 64;  // large ones take microseconds
  if (context.frames_read++ % kFramesBetweenLooks == 0 && context.options.limit.spent())
    return context.fail(Rule::kL0002, word_offset, "",
                        "the time limit was reached while the module was read");
  const std::vector<std::uint32_t>& words = context.module.words;
  const std::uint32_t word_count = words[word_offset] >> 16;
  const std::uint32_t opcode = words[word_offset] & 0xffff;
  parsed = {};
  parsed.op = static_cast<spv::Op>(opcode);
  parsed.word_offset = word_offset;
  parsed.info = find_opcode(opcode);
  if (word_count == 0)
    return context.fail(Rule::kD0007, word_offset, parsed.info ? parsed.info->name : "",
                        "expected a word count of at least 1, found 0");
  if (!parsed.info) {
    const bool has_name = opcode_name(parsed.op) != fmt::format("Op{}", opcode);
    return has_name ? context.fail(Rule::kU0001, word_offset, opcode_name(parsed.op),
                                   refusal_of(parsed.op))
                    : context.fail(Rule::kD0008, word_offset, "",
                                   fmt::format("unknown opcode {}", opcode));
  }
  if (word_count > words.size() - word_offset)
    return context.fail(Rule::kD0001, word_offset, parsed.info->name,
                        fmt::format("the instruction has {}, but the module ends after {} of them",
                                    count_text(word_count, "word"), words.size() - word_offset),
                        kCutOff);
  parsed.words = {words.data() + word_offset, word_count};
  const std::uint32_t fixed = 1u + parsed.info->has_type + parsed.info->has_result;
  if (word_count < fixed)
    return context.fail(
        Rule::kD0009, parsed,
        fmt::format("expected at least {}, found {}", count_text(fixed, "word"), word_count));
  std::uint32_t at = 1;
  if (parsed.info->has_type) parsed.type_id = parsed.words[at++];
  if (parsed.info->has_result) parsed.result_id = parsed.words[at++];
  parsed.operands = parsed.words.subspan(at);
  return true;
}

}  // namespace transpire::decoder
