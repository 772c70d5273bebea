// Finds control-flow paths between two instructions of a kernel in its module.
#pragma once

#include <functional>
#include <optional>

#include "analysis/values.h"

namespace transpire::analysis {

/// True if a path leads from one instruction of a function to another and passes no instruction for which `bars` is true.
bool leads_to(const FunctionIndex& in, Spot from, Spot to,
              const std::function<bool(const decoder::Instruction&)>& bars = {});
/// True if a path leads from one instruction to another and passes no instruction with the opcode `barring`.
bool leads_to(const FunctionIndex& in, Spot from, Spot to, spv::Op barring);

/// The instruction `source`, or the call that led to it, in the same call of a function as `other`. Null if that call does
/// not lead to `source`.
const vm::Source* beside(const vm::Source& source, const vm::Source& other,
                         const vm::Program& program);

/// Two instructions, or the calls that led to them, in the innermost function call that contains both.
struct Pair {
  FlowPlace from, to;
  bool is_known() const { return from.in != nullptr && from.in == to.in; }
  /// True if a path leads from `from` to `to`.
  bool is_way() const { return leads_to(*from.in, from.spot, to.spot); }
};
Pair pair_of(const vm::Source& from, const vm::Source& to, Values& values,
             const vm::Program& program);

/// True if the instruction, or a call that leads to it, is in a loop.
bool is_in_loop(const vm::Source& source, Values& values, const vm::Program& program);

}  // namespace transpire::analysis
