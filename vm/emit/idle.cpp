// Finds idle registers: they do not influence how a waiting loop continues. Examples are numbers of
// rounds, and sums of values seen meanwhile. The check for a busy-wait compares the states of a
// batch without them; otherwise a loop that counts would never repeat a state.
//
// A value matters while its lane is in the outermost loop around it, if it leads there to a branch,
// to an address, or to an operand of an instruction that does more than compute. It may also matter
// behind that loop, but a lane that left the loop never comes back, so it cannot repeat a state.
#include <algorithm>

#include "vm/emit/emitter.h"

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

}  // namespace

/// By linear block, the outermost loop around it.
std::vector<std::uint32_t> Emitter::outermost_loops() const {
  std::vector<std::uint32_t> loops(blocks_.size(), kNoCycle);
  for (std::size_t n = 0; n < blocks_.size(); ++n)
    for (std::uint32_t c = cycle_of_block_[n]; c != kNoCycle; c = cycles_[c].parent) loops[n] = c;
  return loops;
}

/// By value: true if it decides something in its loop. `loops` is by value, too.
std::vector<bool> Emitter::deciding_values(const std::vector<std::uint32_t>& loops) const {
  std::vector<bool> decides(f_.values.size());
  std::vector<ValueId> work;
  const auto add_operands = [&](ValueId user, std::uint32_t loop) {
    for (const ValueId operand : value(user).args) {
      f_.work();
      if (decides[operand] || loops[operand] != loop) continue;
      decides[operand] = true;
      work.push_back(operand);
    }
  };
  for (const BlockId b : f_.order) {
    const lir::Block& block = f_.blocks[b];
    for (const ValueId id : block.instructions)
      if (loops[id] != kNoCycle && does_more(value(id).op)) add_operands(id, loops[id]);
    if (block.terminator != lir::kNoValue && loops[block.terminator] != kNoCycle)
      add_operands(block.terminator, loops[block.terminator]);
  }
  while (!work.empty()) {
    const ValueId id = work.back();
    work.pop_back();
    add_operands(id, loops[id]);
  }
  return decides;
}

void Emitter::find_idle_registers() {
  const std::vector<std::uint32_t> outermost = outermost_loops();
  std::vector<std::uint32_t> loops(f_.values.size(), kNoCycle);
  std::vector<bool> may_wait(cycles_.size());
  for (const BlockId b : f_.order) {
    const std::uint32_t loop = outermost[linear_of_block_[b]];
    if (loop == kNoCycle) continue;
    const lir::Block& block = f_.blocks[b];
    f_.work(block.phis.size() + block.instructions.size());
    for (const ValueId id : block.phis) loops[id] = loop;
    for (const ValueId id : block.instructions) {
      loops[id] = loop;
      if (reads_others(f_, value(id))) may_wait[loop] = true;
    }
    if (block.terminator != lir::kNoValue) loops[block.terminator] = loop;
  }
  if (std::ranges::find(may_wait, true) == may_wait.end()) return;
  const std::vector<bool> decides = deciding_values(loops);
  std::vector<bool> has_value(registers_.size()), is_idle(registers_.size());
  std::vector<bool> matters(registers_.size());
  for (ValueId id = 0; id < f_.values.size(); ++id)
    for (const VReg reg : {scalar_of_value_[id], row_of_value_[id]}) {
      if (reg == kNoReg) continue;
      has_value[reg] = true;
      if (loops[id] == kNoCycle) continue;
      (may_wait[loops[id]] && !decides[id] ? is_idle : matters)[find(reg)] = true;
    }
  for (VReg reg = 0; reg < registers_.size(); ++reg)
    if (!has_value[reg] || registers_[reg].persistent) matters[find(reg)] = true;
  for (VReg reg = 0; reg < registers_.size(); ++reg)
    registers_[reg].is_idle = is_idle[find(reg)] && !matters[find(reg)];
}

}  // namespace transpire::vm::emission
