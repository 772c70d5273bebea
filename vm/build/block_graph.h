// The graph of blocks, once all of them are written: which ones are reached, their predecessors, and the
// operands of phis in the predecessors' order.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "vm/build/names.h"

namespace transpire::vm::builder {

/// An operand of a phi: the block that control comes from, and the value it brings.
struct Incoming {
  BlockId from;
  ValueId value;
};
using IncomingValues = std::unordered_map<ValueId, std::vector<Incoming>>;  ///< by phi

/// Removes the blocks that control cannot reach (what follows a call that never returns) and
/// renumbers the others in reverse post-order.
void drop_unreachable(lir::Function& function, IncomingValues& incoming);

/// Fills in predecessors, and the operands of phis in their order. Says what is wrong; empty: nothing.
std::string link_blocks(lir::Function& function, const IncomingValues& incoming);

}  // namespace transpire::vm::builder
