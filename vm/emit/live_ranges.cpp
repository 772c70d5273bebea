// Numbers the positions of a kernel, and collects the events of its registers.
#include "vm/emit/live_ranges.h"

#include <algorithm>

#include "base/narrow.h"
#include "vm/lir/budget.h"

namespace transpire::vm::emission {
namespace {

class RangeFinder {
 public:
  RangeFinder(const lir::Function& function, const LinearOrder& order, const Selection& selection)
      : f_(function), order_(order), selection_(selection) {}

  LiveRanges run() {
    ranges_.events.resize(selection_.registers.size());
    collect_body(selection_.prologue);
    ranges_.prologue_end = at_ += 2;
    for (std::size_t n = 0; n < order_.blocks.size(); ++n) collect_block(n);
    ranges_.segments.resize(selection_.registers.size());
    ranges_.persistent.resize(selection_.registers.size());
    for (VReg reg = 0; reg < selection_.registers.size(); ++reg) find_segment(reg);
    return std::move(ranges_);
  }

 private:
  void add_use(VReg reg, Position position) {
    if (reg != kNoReg) ranges_.events[reg].uses.push_back(position);
  }
  void add_def(VReg reg, Position position) {
    ranges_.events[reg].definitions.push_back(position + 1);
  }

  void collect_body(const std::vector<SelectedInst>& body) {
    for (const SelectedInst& inst : body) {
      f_.work();
      at_ += 2;
      add_use(inst.a, at_);
      add_use(inst.b, at_);
      add_use(inst.c, at_);
      inst.for_each_definition([&](VReg reg) { add_def(reg, at_); });
      for (const ValueId id : inst.reported)
        if (f_.values[id].op != Op::kConst) add_use(selection_.registers.known(id), at_);
      if (inst.defines_values) continue;
      for (const VReg reg : inst.values) add_use(reg, at_);
    }
  }

  void collect_block(std::size_t number) {
    BlockPositions positions;
    positions.first = at_ += 2;
    const SelectedBlock& block = selection_.blocks[number];
    collect_body(block.body);
    positions.copy = at_ += 2;
    for (const EdgeCopy& copy : order_.blocks[number].copies) {
      // Sources stay until all copies of the edge are made.
      add_use(selection_.registers.known(copy.value), positions.copy + 1);
      add_def(selection_.registers.known(copy.phi), positions.copy);
    }
    positions.last = at_ += 2;
    add_use(block.condition, positions.last);
    ranges_.blocks.push_back(positions);
  }

  void find_segment(VReg reg) {
    Events& e = ranges_.events[reg];
    f_.work(e.definitions.size() + e.uses.size() + 1);
    // A value that the prologue leaves for the kernel keeps its place from group to group.
    const bool is_left = !e.definitions.empty() && e.definitions.front() < ranges_.prologue_end &&
                         !e.uses.empty() &&
                         *std::max_element(e.uses.begin(), e.uses.end()) > ranges_.prologue_end;
    ranges_.persistent[reg] = is_left || selection_.registers[reg].persistent;
    if (ranges_.persistent[reg] || e.definitions.empty()) return;
    std::sort(e.definitions.begin(), e.definitions.end());
    std::sort(e.uses.begin(), e.uses.end());
    const Position last_use = e.uses.empty() ? 0 : e.uses.back();
    ranges_.segments[reg] =
        extended({e.definitions.front(), std::max(e.definitions.back(), last_use)});
  }

  /// A value that is live into a loop is needed until the loop's end, because the next round reads
  /// it again. A value that leaves a loop is needed from the loop's start: lanes that left early
  /// hold it while others go round.
  Segment extended(Segment segment) const {
    // Outwards: only loops around an end of the segment can move it, and the smallest comes first.
    for (std::uint32_t c = loop_at(segment.to); c != kNoLoop; c = order_.loops[c].parent) {
      f_.work();
      const Segment loop = positions_of(order_.loops[c]);
      if (segment.from < loop.from && segment.to >= loop.from && segment.to < loop.to)
        segment.to = loop.to;
    }
    for (std::uint32_t c = loop_at(segment.from); c != kNoLoop; c = order_.loops[c].parent) {
      f_.work();
      const Segment loop = positions_of(order_.loops[c]);
      if (segment.from > loop.from && segment.from <= loop.to && segment.to > loop.to)
        segment.from = loop.from;
    }
    return segment;
  }

  Segment positions_of(const Loop& loop) const {
    return {ranges_.blocks[loop.first].first, ranges_.blocks[loop.last].last};
  }

  /// The innermost loop around a position; none for those of the prologue.
  std::uint32_t loop_at(Position position) const {
    if (position < ranges_.blocks.front().first) return kNoLoop;
    return order_.loop_of[block_at(ranges_.blocks, position)];
  }

  const lir::Function& f_;
  const LinearOrder& order_;
  const Selection& selection_;
  LiveRanges ranges_;
  Position at_ = 0;
};

}  // namespace

std::uint32_t block_at(const std::vector<BlockPositions>& blocks, Position position) {
  const auto after =
      std::upper_bound(blocks.begin(), blocks.end(), position,
                       [](Position p, const BlockPositions& block) { return p < block.first; });
  return narrow<std::uint32_t>(after - blocks.begin() - 1);
}

LiveRanges find_live_ranges(const lir::Function& function, const LinearOrder& order,
                            const Selection& selection) {
  return RangeFinder(function, order, selection).run();
}

}  // namespace transpire::vm::emission
