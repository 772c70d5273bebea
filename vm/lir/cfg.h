// The control-flow graph of a lir::Function as passes see it: orders, and edits that keep targets,
// preds and phi operands in step. No analysis results live here; an edit makes those stale.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "vm/lir/lir.h"

namespace transpire::vm::lir {

inline constexpr std::uint32_t kUnreached = 0xffffffffu;

/// Rewriting an edge walks the targets of the block that it leaves and the preds of the one that it
/// enters. Where either list is longer than this, passes leave the edge alone: one walk for each of
/// its entries would take quadratic time.
inline constexpr std::size_t kMostEdges = 1024;

/// Blocks in a line, and where each block stands in it.
struct BlockOrder {
  std::vector<BlockId> blocks;
  std::vector<std::uint32_t>
      position;  ///< by block; kUnreached for blocks that are not in the line
  bool reached(BlockId b) const { return position[b] != kUnreached; }
};

/// Reverse post-order of the reachable blocks. The first target of a branch comes before the second
/// where both are possible.
BlockOrder reverse_post_order(const Function& function);

/// Drops the blocks that the entry does not reach, and renumbers the others in their old order.
/// Returns whether there were any.
bool remove_unreachable_blocks(Function& function);

/// Rewrites Block::preds from the targets and phi operands with them; for code that changed targets
/// only by taking edges away.
void drop_predecessor(Function& function, BlockId block, BlockId pred);

/// Where in the module the edges that leave a block come from (Value::source).
std::uint32_t source_of_end(const Function& function, BlockId block);

/// Appends an empty block that branches to `target`; `source` is that of the edge which it splits. Its
/// preds, and the target's, are the caller's.
BlockId add_block_to(Function& function, BlockId target, std::uint32_t source);

/// Every target `from` of the terminator of `block` becomes `to`. Preds are the caller's.
void replace_target(Function& function, BlockId block, BlockId from, BlockId to);

/// Moves the predecessors of `block` for which `moves` holds to a new block that branches to
/// `block`; phi operands go with them, through phis of the new block where they differ. Returns the
/// new block, whose branch has the source of the first edge that was moved.
BlockId split_predecessors(Function& function, BlockId block,
                           const std::function<bool(BlockId)>& moves);

/// Turns the terminator of `block` into a Branch to `target`; preds of other targets lose `block`.
void make_branch(Function& function, BlockId block, BlockId target);

/// Adds a phi without operands to `block`.
ValueId add_phi(Function& function, BlockId block, Kind kind, std::uint32_t source);

/// Where in Block::preds a predecessor stands.
std::size_t pred_index(const Block& block, BlockId pred);

}  // namespace transpire::vm::lir
