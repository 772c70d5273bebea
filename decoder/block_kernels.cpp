#include "decoder/block_kernels.h"

#include "decoder/raw_instructions.h"

namespace transpire::decoder {

BlockKernels block_kernels(const Module& module) {
  std::unordered_set<Id> invoked;
  each_invoked(module, [&](spv::Op, Id function) { invoked.insert(function); });
  BlockKernels found;
  if (invoked.empty()) return found;
  for (const EntryPoint& entry : module.entry_points) {
    const Function* const function = module.function(entry.function);
    const Function* const real = function != nullptr ? forwarded_to(module, *function) : nullptr;
    if (real == nullptr || !invoked.contains(real->id)) continue;
    found.entries.insert(function->id);
    found.functions.insert(real->id);
  }
  return found;
}

bool keep_blocks_private(std::vector<std::uint32_t>& words, const Module& module) {
  const BlockKernels blocks = block_kernels(module);
  if (blocks.entries.empty()) return false;
  std::vector<std::uint32_t> kept(words.begin(), words.begin() + kHeaderWords);
  for_each_instruction(words, [&](std::size_t at, std::size_t count) {
    const auto op = static_cast<spv::Op>(words[at] & 0xffff);
    const bool is_entry = op == spv::Op::OpEntryPoint && blocks.entries.contains(words[at + 2]);
    const bool is_mode = (op == spv::Op::OpExecutionMode || op == spv::Op::OpExecutionModeId) &&
                         blocks.entries.contains(words[at + 1]);
    const bool is_linkage =
        op == spv::Op::OpDecorate && blocks.functions.contains(words[at + 1]) &&
        words[at + 2] == static_cast<std::uint32_t>(spv::Decoration::LinkageAttributes);
    if (!is_entry && !is_mode && !is_linkage)
      kept.insert(kept.end(), words.begin() + static_cast<std::ptrdiff_t>(at),
                  words.begin() + static_cast<std::ptrdiff_t>(at + count));
  });
  words = std::move(kept);
  return true;
}

}  // namespace transpire::decoder
