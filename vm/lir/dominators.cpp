#include "vm/lir/dominators.h"

#include <cstdint>
#include <span>

#include "vm/lir/budget.h"

namespace transpire::vm::lir {
namespace {

struct Blocks {
  const Function& function;

  std::size_t vertices() const { return function.blocks.size(); }
  const BlockList& successors(BlockId b) const { return function.blocks[b].targets; }
  const BlockList& predecessors(BlockId b) const { return function.blocks[b].preds; }
  std::span<const BlockId> roots() const {
    static constexpr BlockId kEntry[] = {0};
    return std::span(kEntry, function.blocks.empty() ? 0 : 1);
  }
  void work(std::uint64_t steps) const { function.work(steps); }
};

}  // namespace

Dominators::Dominators(const Function& function)
    : DominatorTree(immediate_dominators(Blocks{function}), Siblings::kByNumber) {}

}  // namespace transpire::vm::lir
