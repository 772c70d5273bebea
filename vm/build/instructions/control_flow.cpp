#include "vm/build/instructions/control_flow.h"

#include <optional>

#include "base/narrow.h"
#include "vm/build/builder.h"

namespace transpire::vm::builder::control_flow {
namespace {

/// Where a label's block begins in this frame.
BlockId target(Builder& b, const Instruction& i, std::size_t index) {
  const std::int32_t block = b.position.frame->function->block_index(b.ids.operand_id(i, index));
  if (!b.expect(block > 0, "a branch must go to a block of its function other than the first"))
    return 0;
  return b.position.frame->start[static_cast<std::size_t>(block)];
}

void leave(Builder& b, ValueList values) {
  if (b.position.frame->caller == nullptr) return b.writer.terminate(Op::kReturn, kNoValue, {});
  b.position.frame->exits.push_back({b.writer.current_block(), std::move(values)});
}

}  // namespace

void function_call(Builder& b, const Instruction& i, Op) { b.calls.call(i); }

void branch(Builder& b, const Instruction& i, Op) {
  b.writer.terminate(Op::kBranch, kNoValue, {target(b, i, 0)});
}

void branch_conditional(Builder& b, const Instruction& i, Op) {
  const ValueId condition = b.ids.scalar_operand(i, 0);
  const BlockId on_true = target(b, i, 1), on_false = target(b, i, 2);
  if (on_true == on_false) return b.writer.terminate(Op::kBranch, kNoValue, {on_true});
  b.writer.terminate(Op::kBranchConditional, condition, {on_true, on_false});
}

void switch_to(Builder& b, const Instruction& i, Op) {
  const ValueId selector = b.ids.scalar_operand(i, 0);
  const Kind kind = b.ops.kind_of(selector);
  if (!b.expect(is_int(kind), "the selector of a switch is no integer")) return;
  const std::size_t literal = kind == Kind::kI64 ? 2 : 1;
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - width_bits(kind));
  std::vector<BlockId> targets{target(b, i, 1)};
  std::vector<lir::SwitchCase> cases;
  for (std::size_t at = 2; at + literal < i.operands.size(); at += literal + 1) {
    std::uint64_t value = i.operands[at];
    if (literal == 2) value |= std::uint64_t{i.operands[at + 1]} << 32;
    cases.push_back({value & mask, narrow<std::uint32_t>(targets.size())});
    targets.push_back(target(b, i, at + literal));
  }
  if (cases.empty()) return b.writer.terminate(Op::kBranch, kNoValue, {targets[0]});
  b.writer.terminate(Op::kSwitch, selector, targets);
  b.writer.function().blocks[b.writer.current_block()].cases = std::move(cases);
}

void return_void(Builder& b, const Instruction&, Op) {
  const Type* result = b.position.frame->function->result;
  if (!b.expect(result == nullptr || result->kind == Type::Kind::kVoid,
                "a function returns no value though its type says so"))
    return;
  leave(b, {});
}

void return_value(Builder& b, const Instruction& i, Op) {
  const Values values = b.ids.operand(i, 0);
  const Type* result = b.position.frame->function->result;
  if (b.failed() || !b.expect(result != nullptr, "the function has no result type")) return;
  const std::vector<Kind>& kinds = b.types.layout(*result).kinds;
  bool fits = kinds.size() == values.size();
  for (std::size_t c = 0; fits && c < kinds.size(); ++c)
    fits = b.ops.kind_of(values[c]) == kinds[c];
  if (fits && b.types.is_held(*result)) fits = b.ids.is_temporary(values[0]);
  if (b.expect(fits, "the returned value is not of the function's type"))
    leave(b, {values.begin(), values.end()});
}

void unreachable(Builder& b, const Instruction&, Op) {
  b.writer.terminate(Op::kUnreachable, kNoValue, {});
}

/// Its operands may not exist yet: see Calls::resolve_phis.
void phi(Builder& b, const Instruction& i, Op) {
  ValueList values;
  if (const Type& type = b.types.result_type(i); b.types.is_held(type)) {
    ValueId incoming = kNoValue;
    values = {b.temporaries.phi(type, &incoming)};
    b.ids.define(i, values);
    b.position.frame->phis.push_back({&i, std::move(values), incoming});
    return;
  }
  for (const Kind kind : b.types.result_layout(i).kinds)
    values.push_back(b.writer.new_phi(b.writer.current_block(), kind));
  b.ids.define(i, values);
  b.position.frame->phis.push_back({&i, std::move(values)});
}

/// The private variable that the pointer is the address of begins or ends its life. Anything else
/// (an element's address) says nothing.
void lifetime(Builder& b, const Instruction& i, Op op) {
  const std::optional<std::uint32_t> variable =
      b.private_variables.variable_at(b.ids.scalar_operand(i, 0));
  if (variable) b.private_variables.mark_lifetime(op, *variable);
}

}  // namespace transpire::vm::builder::control_flow
