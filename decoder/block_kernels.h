// What compilers make of blocks (OpenCL C 2.0): a function that instructions enqueue or ask about, and an entry point that
// only calls it. No host can launch the latter, for a pointer to generic memory is its parameter.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "decoder/invoke_operand.h"
#include "decoder/module.h"

namespace transpire::decoder {

/// Calls take(operation, function) for each instruction that enqueues a function or asks about it.
template <class Take>
void each_invoked(const Module& module, Take take) {
  for (const Function& function : module.functions)
    for (const Block& block : function.blocks)
      for (const Instruction& instruction : block.instructions) {
        const std::optional<std::size_t> at = invoke_operand(instruction.op);
        if (at && *at < instruction.operands.size())
          take(instruction.op, instruction.operands[*at]);
      }
}

struct BlockKernels {
  std::unordered_set<Id> entries;    ///< functions of entry points
  std::unordered_set<Id> functions;  ///< that those call
};
BlockKernels block_kernels(const Module& module);

/// Before linking: takes the entry points of blocks out of a module that `module` is, and makes their functions its own:
/// compilers give blocks of two sources the same name. False where there are none.
bool keep_blocks_private(std::vector<std::uint32_t>& words, const Module& module);

}  // namespace transpire::decoder
