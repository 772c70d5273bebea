// eliminate_dead_values: keeps values with an effect and their operands; cycles of phis that feed
// only each other go too.
#include <algorithm>
#include <vector>

#include "vm/lir/budget.h"
#include "vm/ops/op.h"
#include "vm/passes/passes.h"

namespace transpire::vm::lir {
namespace {

class DeadValues {
 public:
  explicit DeadValues(Function& function)
      : function_(function),
        first_private_slot_(function.private_slot(0)),
        live_(function.values.size(), false) {}

  void run() {
    for (const Block& block : function_.blocks) {
      if (block.terminator != kNoValue) mark(block.terminator);
      for (const ValueId id : block.instructions) {
        if (is_root(function_.values[id])) mark(id);
      }
    }
    while (!work_.empty()) {
      const ValueId id = work_.back();
      work_.pop_back();
      function_.work(function_.values[id].args.size() + 1);
      for (const ValueId arg : function_.values[id].args) {
        if (arg != kNoValue) mark(arg);
      }
    }
    for (Block& block : function_.blocks) {
      sweep(block.phis);
      sweep(block.instructions);
    }
  }

 private:
  // A load that nobody uses may still be a finding.
  bool is_root(const Value& value) const {
    if (info(value.op).flags & (kEffect | kConvergent)) return true;
    if (value.op != Op::kLoad || memory::is_shadow(function_.mem[value.imm].space)) return false;
    return (function_.mem[value.imm].is_volatile || !is_inside(value));
  }

  // True if the load is from a named private variable, at an offset inside it.
  bool is_inside(const Value& load) const {
    const MemAccess& access = function_.mem[load.imm];
    const Value& base = function_.values[load.args[0]];
    if (function_.private_variables.empty() || load.args.size() > 1 || base.op != Op::kArgument)
      return false;
    const std::uint64_t first = first_private_slot_;
    if (base.imm < first || access.offset < 0) return false;
    const std::uint64_t bytes = std::uint64_t{access.components} *
                                (access.kind == Kind::kBool ? 1 : lane_bytes(access.kind));
    const std::uint64_t end = static_cast<std::uint64_t>(access.offset) + bytes;
    return end <= function_.private_variables[base.imm - first].size_bytes;
  }

  void mark(ValueId id) {
    if (live_[id]) return;
    live_[id] = true;
    work_.push_back(id);
  }

  void sweep(std::vector<ValueId>& list) {
    const auto dead = [&](ValueId id) {
      if (live_[id]) return false;
      function_.values[id].args.clear();
      function_.values[id].block = kNoBlock;
      return true;
    };
    list.erase(std::remove_if(list.begin(), list.end(), dead), list.end());
  }

  Function& function_;
  std::uint64_t first_private_slot_;
  std::vector<bool> live_;
  std::vector<ValueId> work_;
};

}  // namespace

void eliminate_dead_values(Function& function) { DeadValues(function).run(); }

}  // namespace transpire::vm::lir
