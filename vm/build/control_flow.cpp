// SPIR-V "Control-Flow Instructions" and "Barrier Instructions", calls, and what means nothing
// here.
#include <fmt/format.h>

#include "vm/build/group.h"

namespace transpire::vm::builder {
namespace {

void nothing(Builder&, const Instruction&, Op) {}

void function_call(Builder& b, const Instruction& i, Op) { b.call(i); }

/// Where a label's block begins in this frame.
BlockId target(Builder& b, const Instruction& i, std::size_t index) {
  const std::int32_t block = b.frame().function->block_index(b.operand_id(i, index));
  if (!b.expect(block > 0, "a branch must go to a block of its function other than the first"))
    return 0;
  return b.frame().start[static_cast<std::size_t>(block)];
}

void branch(Builder& b, const Instruction& i, Op) {
  b.terminate(Op::kBranch, kNoValue, {target(b, i, 0)});
}

void branch_conditional(Builder& b, const Instruction& i, Op) {
  const ValueId condition = b.scalar_operand(i, 0);
  const BlockId on_true = target(b, i, 1), on_false = target(b, i, 2);
  if (on_true == on_false) return b.terminate(Op::kBranch, kNoValue, {on_true});
  b.terminate(Op::kBranchConditional, condition, {on_true, on_false});
}

void switch_to(Builder& b, const Instruction& i, Op) {
  const ValueId selector = b.scalar_operand(i, 0);
  const Kind kind = b.kind_of(selector);
  if (!b.expect(is_int(kind), "the selector of a switch is no integer")) return;
  const std::size_t literal = kind == Kind::kI64 ? 2 : 1;
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - width_bits(kind));
  std::vector<BlockId> targets{target(b, i, 1)};
  std::vector<lir::SwitchCase> cases;
  for (std::size_t at = 2; at + literal < i.operands.size(); at += literal + 1) {
    std::uint64_t value = i.operands[at];
    if (literal == 2) value |= std::uint64_t{i.operands[at + 1]} << 32;
    cases.push_back({value & mask, static_cast<std::uint32_t>(targets.size())});
    targets.push_back(target(b, i, at + literal));
  }
  if (cases.empty()) return b.terminate(Op::kBranch, kNoValue, {targets[0]});
  b.terminate(Op::kSwitch, selector, std::move(targets));
  b.function().blocks[b.current_block()].cases = std::move(cases);
}

void leave(Builder& b, ValueList values) {
  if (b.frame().caller == nullptr) return b.terminate(Op::kReturn, kNoValue, {});
  b.frame().exits.push_back({b.current_block(), std::move(values)});
}

void return_void(Builder& b, const Instruction&, Op) {
  const Type* result = b.frame().function->result;
  if (!b.expect(result == nullptr || result->kind == Type::Kind::kVoid,
                "a function returns no value though its type says so"))
    return;
  leave(b, {});
}

void return_value(Builder& b, const Instruction& i, Op) {
  const Values values = b.operand(i, 0);
  const Type* result = b.frame().function->result;
  if (b.failed() || !b.expect(result != nullptr, "the function has no result type")) return;
  const std::vector<Kind>& kinds = b.layout(*result).kinds;
  bool fits = kinds.size() == values.size();
  for (std::size_t c = 0; fits && c < kinds.size(); ++c) fits = b.kind_of(values[c]) == kinds[c];
  if (fits && b.is_held(*result)) fits = b.is_temporary(values[0]);
  if (b.expect(fits, "the returned value is not of the function's type"))
    leave(b, {values.begin(), values.end()});
}

void unreachable(Builder& b, const Instruction&, Op) {
  b.terminate(Op::kUnreachable, kNoValue, {});
}

/// Its operands may not exist yet: see Builder::resolve_phis.
void phi(Builder& b, const Instruction& i, Op) {
  ValueList values;
  if (const Type& type = b.result_type(i); b.is_held(type)) {
    ValueId incoming = kNoValue;
    values = {b.held_phi(type, &incoming)};
    b.define(i, values);
    b.frame().phis.push_back({&i, std::move(values), incoming});
    return;
  }
  for (const Kind kind : b.result_layout(i).kinds)
    values.push_back(b.new_phi(b.current_block(), kind));
  b.define(i, values);
  b.frame().phis.push_back({&i, std::move(values)});
}

/// Orders what this work-item does to memory that others see meanwhile. Within a work-group nothing
/// does: its work-items run on one thread, and each access is done before the next begins.
void fence(Builder& b, Id scope, Id semantics) {
  const std::optional<std::uint64_t> where = b.constant_of(scope);
  const std::optional<std::uint64_t> what = b.constant_of(semantics);
  constexpr std::uint64_t kOrders = 0x2 | 0x4 | 0x8 | 0x10;  // Acquire to SequentiallyConsistent
  if (what && (*what & kOrders) == 0) return;
  if (where && *where >= static_cast<std::uint64_t>(spv::Scope::Workgroup)) return;
  lir::Value value;
  value.op = Op::kFence;
  b.place(std::move(value));
}

void control_barrier(Builder& b, const Instruction& i, Op) {
  // What only the run knows is taken for Workgroup: no narrower scope asks for more.
  const std::uint64_t scope =
      b.constant_of(b.operand_id(i, 0)).value_or(static_cast<std::uint64_t>(spv::Scope::Workgroup));
  lir::Value barrier;
  barrier.op = Op::kControlBarrier;
  switch (static_cast<spv::Scope>(scope)) {
    case spv::Scope::Invocation:
      return;
    case spv::Scope::Workgroup:
      b.function().uses_barrier = true;
      break;
    case spv::Scope::Subgroup:
      barrier.op = Op::kGroupSync;
      barrier.imm = group_operation(b, spv::Scope::Subgroup, true).encode();
      break;
    default:
      return b.refuse(Rule::kU0001,
                      fmt::format("the barrier's execution scope is {}, expected Workgroup (2), "
                                  "Subgroup (3) or Invocation (4)",
                                  scope));
  }
  b.place(std::move(barrier));
  fence(b, b.operand_id(i, 1), b.operand_id(i, 2));
}

void memory_barrier(Builder& b, const Instruction& i, Op) {
  fence(b, b.operand_id(i, 0), b.operand_id(i, 1));
}

/// A split barrier waits where its second half stands: that is no earlier than all work-items came
/// to the first.
void barrier_arrive(Builder& b, const Instruction& i, Op) {
  if (const auto scope = group_scope(b, i); scope) fence(b, b.operand_id(i, 1), b.operand_id(i, 2));
}

void named_barrier_init(Builder& b, const Instruction& i, Op op) {
  if (!b.expect(b.result_type(i).kind == Type::Kind::kNamedBarrier,
                "the result is no named barrier"))
    return;
  lir::Value value;
  value.op = op;
  value.kind = Kind::kI64;
  value.from = Kind::kI32;
  value.args = {b.resize(b.scalar_operand(i, 0), Kind::kI32, false)};
  b.function().uses_barrier = true;
  b.function().uses_named_barrier = true;
  b.define(i, {b.place(std::move(value))});
}

void named_barrier(Builder& b, const Instruction& i, Op op) {
  const Type* type = b.operand_type(i, 0);
  if (b.failed() ||
      !b.expect(type->kind == Type::Kind::kNamedBarrier, "the operand is no named barrier"))
    return;
  lir::Value value;
  value.op = op;
  value.imm = group_operation(b, spv::Scope::Subgroup, true).encode();
  value.args = {b.scalar_operand(i, 0)};
  b.function().uses_barrier = true;
  b.function().uses_named_barrier = true;
  b.place(std::move(value));
  fence(b, b.operand_id(i, 1), b.operand_id(i, 2));
}

/// As one 64-bit integer, or as a vector of its low and high half.
void read_clock(Builder& b, const Instruction& i, Op op) {
  lir::Value value;
  value.op = op;
  value.kind = value.from = Kind::kI64;
  const ValueId now = b.place(std::move(value));
  if (b.result_layout(i).kinds.size() != 2) return b.define(i, {now});
  const ValueId high = b.emit(Op::kShiftRightLogical, {now, b.constant(Kind::kI64, 32)});
  b.define(i,
           {b.convert(Op::kTruncate, Kind::kI32, now), b.convert(Op::kTruncate, Kind::kI32, high)});
}

/// The private variable that the pointer is the address of begins or ends its life. Anything else
/// (an element's address) says nothing.
void lifetime(Builder& b, const Instruction& i, Op op) {
  const std::optional<std::uint32_t> variable = b.private_of(b.scalar_operand(i, 0));
  if (variable) b.mark_lifetime(op, *variable);
}

constexpr Row kRows[] = {
    {spv::Op::OpNop, nothing},
    {spv::Op::OpLine, nothing},
    {spv::Op::OpNoLine, nothing},
    {spv::Op::OpLabel, nothing},
    {spv::Op::OpFunctionCall, function_call},
    {spv::Op::OpLoopMerge, nothing},
    {spv::Op::OpSelectionMerge, nothing},
    {spv::Op::OpBranch, branch},
    {spv::Op::OpBranchConditional, branch_conditional},
    {spv::Op::OpSwitch, switch_to},
    {spv::Op::OpReturn, return_void},
    {spv::Op::OpReturnValue, return_value},
    {spv::Op::OpUnreachable, unreachable},
    {spv::Op::OpPhi, phi},
    {spv::Op::OpControlBarrier, control_barrier},
    {spv::Op::OpControlBarrierArriveINTEL, barrier_arrive},
    {spv::Op::OpControlBarrierWaitINTEL, control_barrier},
    {spv::Op::OpMemoryBarrier, memory_barrier},
    {spv::Op::OpNamedBarrierInitialize, named_barrier_init, Op::kNamedBarrierInit},
    {spv::Op::OpMemoryNamedBarrier, named_barrier, Op::kNamedBarrier},
    {spv::Op::OpReadClockKHR, read_clock, Op::kClock},
    {spv::Op::OpLifetimeStart, lifetime, Op::kLifetimeStart},
    {spv::Op::OpLifetimeStop, lifetime, Op::kLifetimeStop},
};

}  // namespace

std::span<const Row> control_flow_rows() { return kRows; }

}  // namespace transpire::vm::builder
