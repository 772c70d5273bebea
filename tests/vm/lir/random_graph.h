// Random control flow: the targets of each block, the entry first.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "vm/lir/lir.h"

namespace transpire::test {

/// Structured: nested ifs and loops, some left in the middle. Else any graph, irreducible ones too,
/// with up to three targets a block and blocks that nothing reaches. `switches` adds those to
/// structured ones, with cases that fall through.
std::vector<std::vector<vm::lir::BlockId>> random_targets(std::mt19937& random, bool structured,
                                                          std::uint32_t max_blocks,
                                                          bool switches = false);

}  // namespace transpire::test
