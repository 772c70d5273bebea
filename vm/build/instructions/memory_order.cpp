#include "vm/build/instructions/memory_order.h"

#include <algorithm>
#include <optional>

#include "base/narrow.h"

namespace transpire::vm::builder {
namespace {

/// Adds what the instruction may order memory by; `orders`: its semantics may.
void note_fine_order(Builder& b, OrderOf of, const Instruction& i, std::size_t scope, bool orders) {
  lir::FineOrders& fine = b.writer.function().fine_orders;
  const bool is_half =
      i.op == spv::Op::OpControlBarrierArriveINTEL || i.op == spv::Op::OpControlBarrierWaitINTEL;
  const bool is_of_subgroups =
      of == OrderOf::kSubgroupBarrier || i.op == spv::Op::OpMemoryNamedBarrier;
  fine.meetings |= is_half || is_of_subgroups;
  if (of == OrderOf::kAtomic) fine.atomics = true;
  fine.stores |= i.op == spv::Op::OpAtomicStore || i.op == spv::Op::OpAtomicFlagClear;
  if (!orders) return;
  if (of != OrderOf::kBarrier) {
    fine.fences = true;
    return;
  }
  constexpr auto kGroup = static_cast<std::uint64_t>(spv::Scope::Workgroup);
  const std::optional<std::uint64_t> where = memory_scope(b, b.ids.operand_id(i, scope));
  fine.meetings |= !where || *where > kGroup;
  fine.fences |= where && *where < kGroup;
}

}  // namespace

std::optional<std::uint64_t> memory_scope(Builder& b, Id scope) {
  const std::optional<std::uint64_t> known = b.ids.constant_of(scope);
  const bool is_queue_family = known == static_cast<std::uint64_t>(spv::Scope::QueueFamily);
  return is_queue_family ? static_cast<std::uint64_t>(spv::Scope::Device) : known;
}

Sharing shared_in(Builder& b, Id scope) {
  const std::uint64_t known = memory_scope(b, scope).value_or(0);
  return {Sharing::Kind::kShared, narrow<std::uint8_t>(std::min<std::uint64_t>(known, 7))};
}

void announce_order(Builder& b, OrderOf of, const Instruction& i, std::size_t scope,
                    std::size_t semantics, std::size_t unequal) {
  if (!b.request.options.looks_for_races()) return;
  lir::Value value;
  value.op = Op::kAnnounceOrder;
  value.imm = static_cast<std::uint64_t>(of);
  if (unequal == 0) unequal = semantics;
  const std::optional<std::uint64_t> where = memory_scope(b, b.ids.operand_id(i, scope));
  value.args = {where ? b.ops.constant(Kind::kI32, *where) : b.ids.scalar_operand(i, scope),
                b.ids.scalar_operand(i, semantics), b.ids.scalar_operand(i, unequal)};
  const auto orders = [&](std::size_t operand) {
    constexpr std::uint64_t kOrders = 0x2 | 0x4 | 0x8 | 0x10;  // Acquire to SequentiallyConsistent
    const std::optional<std::uint64_t> known = b.ids.constant_of(b.ids.operand_id(i, operand));
    return !known || (*known & kOrders) != 0;
  };
  note_fine_order(b, of, i, scope, orders(semantics) || orders(unequal));
  b.writer.place(std::move(value));
}

}  // namespace transpire::vm::builder
