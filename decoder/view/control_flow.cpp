#include "decoder/view/control_flow.h"

#include <utility>

namespace transpire::decoder::view {
namespace {

/// All branches; a switch that names a block many times counts once for it.
Edges branches(const ModuleView& view) {
  const auto blocks = view.blocks();
  std::vector<Edges::Edge> edges;
  std::vector<std::uint32_t> last(blocks.size(), kNone);  // the source seen last, by target
  for (std::uint32_t source = 0; source < blocks.size(); ++source)
    for (const std::uint32_t target : blocks[source].successors)
      if (std::exchange(last[target], source) != source) edges.push_back({source, target});
  return Edges(blocks.size(), edges);
}

std::vector<std::uint32_t> first_blocks(const ModuleView& view) {
  std::vector<std::uint32_t> found;
  for (const Function& function : view.functions())
    if (function.has_body()) found.push_back(function.first_block);
  return found;
}

}  // namespace

Flow::Flow(const ModuleView& view)
    : view_(view),
      successors_(branches(view)),
      predecessors_(successors_.reversed()),
      dominators_(immediate_dominators(successors_, predecessors_, first_blocks(view)),
                  DominatorTree::Siblings::kAsFound) {}

DominatorTree Flow::post_dominators() const {
  std::vector<std::uint32_t> ends;
  for (std::uint32_t b = 0; b < view_.blocks().size(); ++b) {
    const std::uint32_t last = view_.blocks()[b].terminator;
    if (last == kNone) continue;
    const spv::Op op = view_.at(last).op;
    if (op == spv::Op::OpReturn || op == spv::Op::OpReturnValue) ends.push_back(b);
  }
  return DominatorTree(immediate_dominators(predecessors_, successors_, ends),
                       DominatorTree::Siblings::kAsFound);
}

}  // namespace transpire::decoder::view
