// Puts the blocks of a function in a line, and finds the loops there.
#include "vm/emit/linear_order.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/narrow.h"
#include "vm/lir/budget.h"

namespace transpire::vm::emission {
namespace {

/// Estimated memory of an edge's block in all stages.
constexpr std::uint64_t kEdgeBlockBytes = 112;

class Linearisation {
 public:
  explicit Linearisation(const lir::Function& function) : f_(function) {}

  LinearOrder run() {
    order_.number_of.assign(f_.blocks.size(), 0);
    for (const BlockId b : f_.order) {
      order_.number_of[b] = narrow<std::uint32_t>(order_.blocks.size());
      LinearBlock& block = order_.blocks.emplace_back();
      block.block = b;
      block.terminator = f_.blocks[b].terminator;
      block.source = f_.values[block.terminator].source;
      add_edge_blocks(b);
    }
    for (const BlockId b : f_.order) connect(b);
    for (const BlockId b : f_.order) add_copies(b);
    for (const LinearBlock& block : order_.blocks) f_.work(block.targets.size() + 1);
    find_loops(&order_);
    return std::move(order_);
  }

 private:
  /// Makes blocks for edges that need copies, behind `from`, if `from` has other targets, too.
  void add_edge_blocks(BlockId from) {
    const auto& targets = f_.blocks[from].targets;
    if (std::all_of(targets.begin(), targets.end(), [&](BlockId t) { return t == targets[0]; }))
      return;
    f_.work(targets.size());
    for (const BlockId target : targets) {
      if (f_.blocks[target].phis.empty()) continue;
      const auto number = narrow<std::uint32_t>(order_.blocks.size());
      if (!edge_blocks_.try_emplace({from, target}, number).second) continue;
      f_.take(kEdgeBlockBytes);
      order_.blocks.emplace_back();
    }
  }

  /// Connects a block and its edge blocks to their targets.
  void connect(BlockId from) {
    LinearBlock& block = order_.blocks[order_.number_of[from]];
    for (const BlockId to : f_.blocks[from].targets) {
      const auto found = edge_blocks_.find({from, to});
      if (found == edge_blocks_.end()) {  // the only target, or one without phis
        block.targets.push_back(order_.number_of[to]);
        continue;
      }
      block.targets.push_back(found->second);
      LinearBlock& edge = order_.blocks[found->second];
      edge.targets = {order_.number_of[to]};
      edge.source = block.source;
    }
  }

  /// Adds the copies that the edges to a block need: at the end of the edges' blocks or of its
  /// predecessors.
  void add_copies(BlockId to) {
    const lir::Block& target = f_.blocks[to];
    if (target.phis.empty()) return;
    for (std::size_t pred = 0; pred < target.preds.size(); ++pred) {
      const BlockId from = target.preds[pred];
      const auto edge = edge_blocks_.find({from, to});
      LinearBlock& block =
          order_.blocks[edge == edge_blocks_.end() ? order_.number_of[from] : edge->second];
      f_.work(target.phis.size());
      for (const ValueId phi : target.phis)
        block.copies.push_back({phi, f_.values[phi].args[pred]});
    }
  }

  const lir::Function& f_;
  LinearOrder order_;
  std::map<std::pair<BlockId, BlockId>, std::uint32_t> edge_blocks_;  ///< linear block numbers
};

}  // namespace

std::uint32_t LinearOrder::depth(std::size_t block, std::uint32_t most) const {
  std::uint32_t depth = 0;
  for (std::uint32_t loop = loop_of[block]; loop != kNoLoop && depth < most;
       loop = loops[loop].parent)
    ++depth;
  return depth;
}

LinearOrder linearise(const lir::Function& function) { return Linearisation(function).run(); }

void find_loops(LinearOrder* order) {
  const std::size_t count = order->blocks.size();
  std::vector<std::uint32_t> end_of(count, 0);  // behind the last backward edge to a block
  for (std::uint32_t n = 0; n < count; ++n)
    for (const std::uint32_t t : order->blocks[n].targets)
      if (t <= n) end_of[t] = std::max(end_of[t], n + 1);
  order->loop_of.assign(count, kNoLoop);
  std::uint32_t inner = kNoLoop;
  for (std::uint32_t n = 0; n < count; ++n) {
    while (inner != kNoLoop && order->loops[inner].last < n) inner = order->loops[inner].parent;
    if (end_of[n] != 0) {
      order->loops.push_back({n, end_of[n] - 1, inner});
      inner = narrow<std::uint32_t>(order->loops.size() - 1);
    }
    order->loop_of[n] = inner;
  }
}

}  // namespace transpire::vm::emission
