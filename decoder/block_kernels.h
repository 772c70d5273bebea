// The functions that compilers make of blocks (OpenCL C 2.0): a function that instructions enqueue
// or query, and an entry point that only calls it. No host can launch that entry point, because it
// has a parameter that points to generic memory.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "decoder/invoke_operand.h"
#include "decoder/module.h"

namespace transpire::decoder {

/// Calls take(operation, function) for each instruction that enqueues or queries a function.
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
  std::unordered_set<Id> functions;  ///< functions that entry points call
};
BlockKernels block_kernels(const Module& module);

/// Before linking: removes the entry points of blocks and gives their functions internal linkage,
/// because compilers give blocks of two sources the same name. `words` are those of `module`.
/// Returns false if there are none.
bool keep_blocks_private(std::vector<std::uint32_t>& words, const Module& module);

}  // namespace transpire::decoder
