// Examples of idle registers are numbers of rounds, and sums of values seen meanwhile. The check for a busy-wait compares the states of a
// batch without them; otherwise a loop that counts would never repeat a state.
//
// A value matters while its lane is in the outermost loop around it, if it leads there to a branch,
// to an address, or to an operand of an instruction that does more than compute. It may also matter
// behind that loop, but a lane that left the loop never comes back, so it cannot repeat a state.
#include "vm/emit/idle.h"

#include <algorithm>

#include "vm/lir/budget.h"

namespace transpire::vm::emission {
namespace {

/// True if the value may show actions of other work-items.
bool reads_others(const lir::Function& function, const lir::Value& value) {
  if (is_atomic(value.op)) return true;
  return value.op == Op::kLoad && function.mem[value.imm].is_volatile;
}

/// True if the op does more than compute. A check reports its operands, and execution continues as
/// without it.
bool does_more(Op op) { return !info(op).is_pure() && !looks_at_operands(op); }

/// The outermost loop around a linear block, or kNoLoop.
std::uint32_t outermost_loop(const LinearOrder& order, std::uint32_t block) {
  std::uint32_t loop = order.loop_of[block];
  while (loop != kNoLoop && order.loops[loop].parent != kNoLoop) loop = order.loops[loop].parent;
  return loop;
}

/// By value: true if it decides something in its loop. `loops` is by value, too.
std::vector<bool> deciding_values(const lir::Function& f, const std::vector<std::uint32_t>& loops) {
  std::vector<bool> decides(f.values.size());
  std::vector<ValueId> work;
  const auto add_operands = [&](ValueId user, std::uint32_t loop) {
    for (const ValueId operand : f.values[user].args) {
      f.work();
      if (decides[operand] || loops[operand] != loop) continue;
      decides[operand] = true;
      work.push_back(operand);
    }
  };
  for (const BlockId b : f.order) {
    const lir::Block& block = f.blocks[b];
    for (const ValueId id : block.instructions)
      if (loops[id] != kNoLoop && does_more(f.values[id].op)) add_operands(id, loops[id]);
    if (block.terminator != lir::kNoValue && loops[block.terminator] != kNoLoop)
      add_operands(block.terminator, loops[block.terminator]);
  }
  while (!work.empty()) {
    const ValueId id = work.back();
    work.pop_back();
    add_operands(id, loops[id]);
  }
  return decides;
}

}  // namespace

std::vector<bool> find_idle_registers(const lir::Function& f, const LinearOrder& order,
                                      const Registers& registers, const std::vector<VReg>& place,
                                      const std::vector<bool>& persistent) {
  std::vector<std::uint32_t> loops(f.values.size(), kNoLoop);  // outermost, by value
  std::vector<bool> may_wait(order.loops.size());
  for (const BlockId b : f.order) {
    const std::uint32_t loop = outermost_loop(order, order.number_of[b]);
    if (loop == kNoLoop) continue;
    const lir::Block& block = f.blocks[b];
    f.work(block.phis.size() + block.instructions.size());
    for (const ValueId id : block.phis) loops[id] = loop;
    for (const ValueId id : block.instructions) {
      loops[id] = loop;
      if (reads_others(f, f.values[id])) may_wait[loop] = true;
    }
    if (block.terminator != lir::kNoValue) loops[block.terminator] = loop;
  }
  std::vector<bool> is_idle(registers.size());
  if (std::ranges::find(may_wait, true) == may_wait.end()) return is_idle;
  const std::vector<bool> decides = deciding_values(f, loops);
  std::vector<bool> has_value(registers.size()), matters(registers.size());
  for (ValueId id = 0; id < f.values.size(); ++id)
    for (const VReg reg : {registers.scalar_of_value[id], registers.row_of_value[id]}) {
      if (reg == kNoReg) continue;
      has_value[reg] = true;
      if (loops[id] == kNoLoop) continue;
      (may_wait[loops[id]] && !decides[id] ? is_idle : matters)[place[reg]] = true;
    }
  for (VReg reg = 0; reg < registers.size(); ++reg)
    if (!has_value[reg] || persistent[reg]) matters[place[reg]] = true;
  for (VReg reg = 0; reg < registers.size(); ++reg)
    is_idle[reg] = is_idle[place[reg]] && !matters[place[reg]];
  return is_idle;
}

}  // namespace transpire::vm::emission
