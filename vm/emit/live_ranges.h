// Where registers are written and read in the linear order, and the part of it in which each needs a
// place.
//
// Lanes wait at later blocks while earlier ones run for other lanes, and arithmetic writes whole
// rows. A place is therefore taken from its register's first definition to the last use in the
// *linear* order, over whole loops that the register is live into or out of.
#pragma once

#include <cstdint>
#include <vector>

#include "vm/emit/linear_order.h"
#include "vm/emit/select.h"

namespace transpire::vm::emission {

/// Where in the code something happens. Uses of an instruction at p, which is even, are at p and
/// definitions at p + 1, so an operand's last use and the result may share a register.
using Position = std::uint32_t;

/// Positions [from, to], both needed.
struct Segment {
  Position from = 0, to = 0;
};

/// Where a register is written and read.
struct Events {
  InlineList<Position> definitions, uses;
};

/// A block's begin, its copies and its terminator.
struct BlockPositions {
  Position first = 0, copy = 0, last = 0;
};

struct LiveRanges {
  Position prologue_end = 0;
  std::vector<BlockPositions> blocks;  ///< by linear block
  // By register.
  std::vector<Events> events;
  std::vector<Segment> segments;  ///< {0, 0} if it never needs a place or is persistent
  std::vector<bool> persistent;   ///< as Register::persistent; also what the prologue leaves behind
};

LiveRanges find_live_ranges(const lir::Function& function, const LinearOrder& order,
                            const Selection& selection);

/// The linear block of a position, which is not in the prologue.
std::uint32_t block_at(const std::vector<BlockPositions>& blocks, Position position);

}  // namespace transpire::vm::emission
