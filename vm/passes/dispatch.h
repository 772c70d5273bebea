// Dispatch blocks: ways that all lanes of a cycle go together before they go on to where each has to.
//
//       p   q               p     q
//       |   |               |     |            every edge to an entry gets a block of its own, which
//       v   v              [s]   [s]  ...      gives the selector phi of the dispatch block the number
//       A<->B       =>       \   /             of its entry; so do the phis of the entries, zero where
//                            dispatch          the edge is not theirs
//                             / \                .
//                            A   B
//
// Dominance then no longer holds for what was defined above one entry; mend_dominance() adds phis.
#pragma once

#include <span>

#include "vm/lir/lir.h"

namespace transpire::vm::lir {

/// Leads all edges to the entries through a new block, which is returned.
BlockId add_dispatch(Function& function, std::span<const BlockId> entries);

/// Gives phis to the values whose definition does not dominate a use any more. A use gets what was defined last on the
/// way to it.
void mend_dominance(Function& function);

}  // namespace transpire::vm::lir
