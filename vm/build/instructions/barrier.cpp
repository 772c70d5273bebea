#include "vm/build/instructions/barrier.h"

#include <fmt/format.h>

#include <optional>

#include "vm/build/builder.h"
#include "vm/build/instructions/group_scope.h"
#include "vm/build/instructions/image.h"
#include "vm/build/instructions/memory_order.h"

namespace transpire::vm::builder::barrier {
namespace {

/// Orders this work-item's accesses to memory that other groups see meanwhile. Within a work-group
/// no order is needed: its work-items run on one thread, and each access ends before the next
/// begins. OpenCL C 1.2's mem_fence has the work-group's scope, but kernels expect that other
/// groups see global memory in that order, too (OpenCL C 1.2, 6.12.9: there is no wider one). A
/// work-group's control barrier orders as much by itself.
void fence(Builder& b, Id scope, Id semantics, bool after_barrier = false) {
  const std::optional<std::uint64_t> where = memory_scope(b, scope);
  const std::optional<std::uint64_t> what = b.ids.constant_of(semantics);
  constexpr std::uint64_t kOrders = 0x2 | 0x4 | 0x8 | 0x10;  // Acquire to SequentiallyConsistent
  if (what && (*what & kOrders) == 0) return;
  constexpr std::uint64_t kImages = 0x800;  // ImageMemory
  if (b.request.options.check_sync && (!what || (*what & kImages) != 0)) image::fence(b);
  constexpr std::uint64_t kGlobal = 0x200 | 0x40;  // CrossWorkgroupMemory, UniformMemory
  constexpr auto kGroup = static_cast<std::uint64_t>(spv::Scope::Workgroup);
  const bool in_group = where && *where >= kGroup;
  if (in_group && (after_barrier || *where > kGroup || (what && (*what & kGlobal) == 0))) return;
  lir::Value value;
  value.op = in_group ? Op::kGroupFence : Op::kFence;
  b.writer.place(std::move(value));
}

/// Finds operands of a barrier that only the run knows, and that differ within the group that meets there.
void check_operands(Builder& b, const Instruction& i, spv::Scope scope) {
  if (!b.request.options.check_sync) return;
  for (const std::size_t operand : {1, 2}) {
    if (b.failed() || b.ids.constant_of(b.ids.operand_id(i, operand))) continue;
    check_same(b, scope, b.ops.resize(b.ids.scalar_operand(i, operand), Kind::kI32, false),
               operand == 1 ? "the barrier's memory scope" : "the barrier's memory semantics");
  }
}

}  // namespace

void control(Builder& b, const Instruction& i, Op) {
  // A scope known only at run time counts as Workgroup: no narrower scope needs more.
  const std::uint64_t scope = b.ids.constant_of(b.ids.operand_id(i, 0))
                                  .value_or(static_cast<std::uint64_t>(spv::Scope::Workgroup));
  lir::Value barrier;
  barrier.op = Op::kControlBarrier;
  switch (static_cast<spv::Scope>(scope)) {
    case spv::Scope::Invocation:
      announce_order(b, OrderOf::kFence, i, 1, 2);
      return fence(b, b.ids.operand_id(i, 1), b.ids.operand_id(i, 2));
    case spv::Scope::Workgroup:
      b.writer.function().uses_barrier = true;
      break;
    case spv::Scope::Subgroup:
      barrier.op = Op::kGroupSync;
      barrier.imm = b.groups.operation(spv::Scope::Subgroup, true).encode();
      break;
    default:
      return b.refuse(Rule::kU0001,
                      fmt::format("the barrier's execution scope is {}, expected Workgroup (2), "
                                  "Subgroup (3) or Invocation (4)",
                                  scope));
  }
  const bool in_group = barrier.op == Op::kControlBarrier;
  check_operands(b, i, static_cast<spv::Scope>(scope));
  announce_order(b, in_group ? OrderOf::kBarrier : OrderOf::kSubgroupBarrier, i, 1, 2);
  b.writer.place(std::move(barrier));
  fence(b, b.ids.operand_id(i, 1), b.ids.operand_id(i, 2), in_group);
}

void memory(Builder& b, const Instruction& i, Op) {
  announce_order(b, OrderOf::kFence, i, 0, 1);
  fence(b, b.ids.operand_id(i, 0), b.ids.operand_id(i, 1));
}

/// A split barrier waits at its second half, which is no earlier than the arrival of all work-items
/// at the first.
void arrive(Builder& b, const Instruction& i, Op) {
  announce_order(b, OrderOf::kFence, i, 1, 2);
  if (const auto scope = group_scope(b, i); scope)
    fence(b, b.ids.operand_id(i, 1), b.ids.operand_id(i, 2));
}

void named_init(Builder& b, const Instruction& i, Op op) {
  if (!b.expect(b.types.result_type(i).kind == Type::Kind::kNamedBarrier,
                "the result is no named barrier"))
    return;
  lir::Value value;
  value.op = op;
  value.kind = Kind::kI64;
  value.from = Kind::kI32;
  value.args = {b.ops.resize(b.ids.scalar_operand(i, 0), Kind::kI32, false)};
  b.writer.function().uses_barrier = true;
  b.writer.function().uses_named_barrier = true;
  b.ids.define(i, {b.writer.place(std::move(value))});
}

void named(Builder& b, const Instruction& i, Op op) {
  const Type* type = b.ids.operand_type(i, 0);
  if (b.failed() ||
      !b.expect(type->kind == Type::Kind::kNamedBarrier, "the operand is no named barrier"))
    return;
  lir::Value value;
  value.op = op;
  value.imm = b.groups.operation(spv::Scope::Subgroup, true).encode();
  value.args = {b.ids.scalar_operand(i, 0)};
  b.writer.function().uses_barrier = true;
  b.writer.function().uses_named_barrier = true;
  announce_order(b, OrderOf::kBarrier, i, 1, 2);
  b.writer.place(std::move(value));
  fence(b, b.ids.operand_id(i, 1), b.ids.operand_id(i, 2));
}

}  // namespace transpire::vm::builder::barrier
