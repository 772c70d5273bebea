// Which ways control may take between two instructions of a kernel, as the module has them.
#pragma once

#include <functional>
#include <optional>

#include "runtime/value_flow.h"

namespace transpire::runtime {

/// True if some way from one instruction of a function to another one passes no instruction that `bars` holds for.
bool leads_to(const FunctionIndex& in, Spot from, Spot to,
              const std::function<bool(const decoder::Instruction&)>& bars = {});
/// As above, with one opcode as the bar.
bool leads_to(const FunctionIndex& in, Spot from, Spot to, spv::Op barring);

/// The instruction, or the call that led to it, in the function of another one as that was called; null: it is not called
/// from there.
const vm::Source* beside(const vm::Source& source, const vm::Source& other,
                         const vm::Program& program);

/// Two instructions, or the calls that lead to them, in the innermost function that both are executed in.
struct Pair {
  FlowPlace from, to;
  bool is_known() const { return from.in != nullptr && from.in == to.in; }
  /// True if control may come from the one to the other.
  bool is_way() const { return leads_to(*from.in, from.spot, to.spot); }
};
Pair pair_of(const vm::Source& from, const vm::Source& to, ValueFlow& flow,
             const vm::Program& program);

/// True if it, or a call that leads to it, is executed by one work-item again and again.
bool is_in_loop(const vm::Source& source, ValueFlow& flow, const vm::Program& program);

}  // namespace transpire::runtime
