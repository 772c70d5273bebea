// The linear order of a kernel's code: the blocks of the function in their order, with blocks of
// their own for edges, and the loops among them. All stages of emission share it.
#pragma once

#include <cstdint>
#include <vector>

#include "vm/lir/lir.h"

namespace transpire::vm::emission {

using lir::BlockId;
using lir::ValueId;
using lir::ValueList;

/// An edge gives a phi this value.
struct EdgeCopy {
  ValueId phi = 0, value = 0;
};

/// A block of the function, or an edge: one that needs copies and whose source has other targets
/// stands right behind that source.
struct LinearBlock {
  BlockId block = lir::kNoBlock;       ///< kNoBlock: an edge
  ValueId terminator = lir::kNoValue;  ///< kNoValue: a jump to targets[0]
  std::uint32_t source = 0;            ///< index into Function::sources, of the terminator
  InlineList<std::uint32_t> targets;   ///< linear block numbers, parallel to Block::targets
  std::vector<EdgeCopy> copies;        ///< at the end, before the terminator, all at once
};

inline constexpr std::uint32_t kNoLoop = 0xffffffffu;

/// A natural loop, which is a span of linear blocks. Passes leave no other cycles.
struct Loop {
  std::uint32_t first = 0, last = 0;
  std::uint32_t parent = kNoLoop;  ///< the smallest loop around it
};

struct LinearOrder {
  std::vector<LinearBlock> blocks;
  std::vector<std::uint32_t> number_of;  ///< linear block number, by BlockId
  std::vector<Loop> loops;               ///< by first block
  std::vector<std::uint32_t> loop_of;    ///< innermost loop or kNoLoop, by linear block

  /// Number of loops around a block, at most `most`.
  std::uint32_t depth(std::size_t block, std::uint32_t most) const;
};

LinearOrder linearise(const lir::Function& function);

/// Writes `loops` and `loop_of`. The backward edges of the blocks make natural loops.
void find_loops(LinearOrder* order);

}  // namespace transpire::vm::emission
