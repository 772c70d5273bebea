// See the header.
#include "decoder/debug_words.h"

#include <algorithm>
#include <cstring>
#include <spirv/unified1/spirv.hpp11>
#include <string_view>
#include <unordered_set>

#include "decoder/extended_sets.h"
#include "decoder/raw_instructions.h"

namespace transpire::decoder {
namespace {

spv::Op op_at(std::span<const std::uint32_t> words, std::size_t at) {
  return static_cast<spv::Op>(words[at] & 0xffff);
}

using Ids = std::unordered_set<std::uint32_t>;

bool is_debug(std::span<const std::uint32_t> words, std::size_t at, std::size_t count,
              const Ids& sets) {
  if (op_at(words, at) == spv::Op::OpExtInst) return count > 3 && sets.contains(words[at + 3]);
  return op_at(words, at) == spv::Op::OpExtInstImport && count > 1 && sets.contains(words[at + 1]);
}

Ids results_of_debug(std::span<const std::uint32_t> words, const Ids& sets) {
  Ids results;
  for_each_instruction(words, [&](std::size_t at, std::size_t count) {
    if (is_debug(words, at, count, sets) && op_at(words, at) == spv::Op::OpExtInst)
      results.insert(words[at + 2]);
  });
  return results;
}

/// True for an instruction that names or decorates one of these <id>s.
bool is_about(std::span<const std::uint32_t> words, std::size_t at, std::size_t count,
              const Ids& ids) {
  const spv::Op op = op_at(words, at);
  return (op == spv::Op::OpName || op == spv::Op::OpDecorate) && count > 1 &&
         ids.contains(words[at + 1]);
}

}  // namespace

Ids debug_imports(std::span<const std::uint32_t> words) {
  Ids found;
  for_each_instruction(words, [&](std::size_t at, std::size_t count) {
    if (op_at(words, at) != spv::Op::OpExtInstImport || count < 3) return;
    const char* text = reinterpret_cast<const char*>(&words[at + 2]);
    const std::string_view name(text, strnlen(text, (count - 2) * 4));
    if (is_debug_set(extended_set_named(name))) found.insert(words[at + 1]);
  });
  return found;
}

std::vector<std::uint32_t> without_debug_info(std::span<const std::uint32_t> words) {
  const Ids sets = debug_imports(words);
  std::vector<std::uint32_t> kept(
      words.begin(),
      words.begin() + static_cast<std::ptrdiff_t>(std::min(words.size(), kHeaderWords)));
  const Ids dropped = results_of_debug(words, sets);
  const bool whole = for_each_instruction(words, [&](std::size_t at, std::size_t count) {
    const auto instruction = words.subspan(at, count);
    if (!is_debug(words, at, count, sets) && !is_about(words, at, count, dropped))
      kept.insert(kept.end(), instruction.begin(), instruction.end());
  });
  if (!whole) kept.assign(words.begin(), words.end());
  return kept;
}

std::size_t offset_with_debug_info(std::span<const std::uint32_t> words, std::size_t number) {
  const Ids sets = debug_imports(words);
  const Ids dropped = results_of_debug(words, sets);
  std::size_t seen = 0, offset = words.size();
  for_each_instruction(words, [&](std::size_t at, std::size_t count) {
    const bool kept = !is_debug(words, at, count, sets) && !is_about(words, at, count, dropped);
    if (kept && ++seen == number) offset = at;
  });
  return offset;
}

}  // namespace transpire::decoder
