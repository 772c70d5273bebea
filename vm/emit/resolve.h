// Resolution: the Program of selected instructions whose registers have places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "vm/emit/allocate.h"
#include "vm/emit/linear_order.h"
#include "vm/emit/select.h"
#include "vm/program/program.h"

namespace transpire::vm::emission {

/// A row that an instruction stores to.
struct RowWrite {
  std::size_t at = 0;  ///< index of the instruction in the code
  std::uint32_t offset = 0, bytes = 0;
};

/// Where a register has its value from: as in ValueHome.
struct Definition {
  std::uint32_t block = ValueHome::kEveryBlock, from = 0;
};

struct Resolved {
  std::unique_ptr<Program> program;  ///< without the tables and facts that are the function's
  // Where things are in its code.
  std::vector<CodeBlock> blocks{};  ///< by linear block: `first` and `last` only
  /// By linear block: the block that a jump to it enters. That is its target if it is an edge without copies left.
  std::vector<std::uint32_t> entered{};
  std::vector<RowWrite> row_writes{};     ///< in the order of the code
  std::vector<Definition> definitions{};  ///< by VReg, in programs that keep values
};

/// Branch targets, copies at the ends of edges, side data, sites, initial values. The accesses of
/// the selection and its private memory become the Program's.
Resolved resolve(const Input& input, const LinearOrder& order, const Allocation& allocation,
                 Selection* selection);

}  // namespace transpire::vm::emission
