#include "vm/build/instructions/atomic.h"

#include <optional>

#include "vm/build/builder.h"
#include "vm/build/instructions/memory_order.h"

namespace transpire::vm::builder::atomic {
namespace {

bool is_store(Op op) { return op == Op::kAtomicStore || op == Op::kAtomicStoreRelease; }

/// The store for semantics that are known to ask for less than sequential consistency.
Op store_for(Builder& b, const Instruction& i) {
  const std::optional<std::uint64_t> semantics = b.ids.constant_of(b.ids.operand_id(i, 2));
  constexpr auto kSequentiallyConsistent =
      static_cast<std::uint64_t>(spv::MemorySemanticsMask::SequentiallyConsistent);
  const bool weaker = semantics && (*semantics & kSequentiallyConsistent) == 0;
  return weaker ? Op::kAtomicStoreRelease : Op::kAtomicStore;
}

/// Places an atomic of operand kind `kind` on the pointer of operand 0.
ValueId atomic(Builder& b, const Instruction& i, std::size_t pointer_at, Op op, Kind kind,
               ValueList operands) {
  const Type* type = b.ids.operand_type(i, pointer_at);
  const ValueId pointer = b.ids.scalar_operand(i, pointer_at);
  if (b.failed() || !b.expect(type->kind == Type::Kind::kPointer && kind != Kind::kBool,
                              "an atomic needs a pointer to a number"))
    return b.ops.constant(kind, 0);
  b.pointers.check_indexes(pointer);
  b.accesses.check_copies(pointer, b.types.space_of(*type), lane_bytes(kind),
                          op != Op::kAtomicLoad);
  lir::MemAccess access;
  access.kind = kind;
  access.align_bytes = lane_bytes(kind);
  access.is_robust = b.types.is_robust(*type);
  if (b.request.options.looks_for_races() &&
      b.request.module.memory_model == spv::MemoryModel::Vulkan)
    access.sharing = shared_in(b, b.ids.operand_id(i, pointer_at + 1));
  access.is_texel = type->storage_class == spv::StorageClass::Image;
  access.space = b.pointers.known_space(pointer, b.types.space_of(*type));
  access.no_write_parameter = op == Op::kAtomicLoad ? 0 : b.pointers.no_write_parameter(pointer);
  lir::Value value;
  value.op = op;
  value.kind = is_store(op) ? Kind::kVoid : kind;
  value.from = kind;
  value.imm = b.writer.function().mem.size();
  value.args = {pointer};
  value.args.insert(value.args.end(), operands.begin(), operands.end());
  b.writer.function().mem.push_back(access);
  return b.writer.place(std::move(value));
}

Kind result_kind(Builder& b, const Instruction& i) {
  return b.types.scalar_kind(b.types.result_type(i));
}

}  // namespace

void load(Builder& b, const Instruction& i, Op op) {
  announce_order(b, OrderOf::kAtomic, i, 1, 2);
  b.ids.define(i, {atomic(b, i, 0, op, result_kind(b, i), {})});
}

void store(Builder& b, const Instruction& i, Op) {
  announce_order(b, OrderOf::kAtomic, i, 1, 2);
  const ValueId value = b.ids.scalar_operand(i, 3);
  atomic(b, i, 0, store_for(b, i), b.ops.kind_of(value), {value});
}

void modify(Builder& b, const Instruction& i, Op op) {
  announce_order(b, OrderOf::kAtomic, i, 1, 2);
  const ValueId value = b.ids.scalar_operand(i, 3);
  if (op != Op::kAtomicExchange && !b.float_mode.expect_usual(b.ops.kind_of(value))) return;
  b.ids.define(i, {atomic(b, i, 0, op, b.ops.kind_of(value), {value})});
}

void modify_by_one(Builder& b, const Instruction& i, Op op) {
  announce_order(b, OrderOf::kAtomic, i, 1, 2);
  const Kind kind = result_kind(b, i);
  b.ids.define(i, {atomic(b, i, 0, op, kind, {b.ops.constant(kind, 1)})});
}

void compare_exchange(Builder& b, const Instruction& i, Op op) {
  announce_order(b, OrderOf::kAtomic, i, 1, 2, 3);
  const ValueId value = b.ids.scalar_operand(i, 4);
  const ValueId comparator = b.ids.scalar_operand(i, 5);
  b.ids.define(i, {atomic(b, i, 0, op, b.ops.kind_of(value), {value, comparator})});
}

void flag_test_and_set(Builder& b, const Instruction& i, Op op) {
  announce_order(b, OrderOf::kAtomic, i, 1, 2);
  const ValueId old = atomic(b, i, 0, op, Kind::kI32, {b.ops.constant(Kind::kI32, 1)});
  b.ids.define(i, {b.ops.emit(Op::kINotEqual, {old, b.ops.constant(Kind::kI32, 0)})});
}

void flag_clear(Builder& b, const Instruction& i, Op) {
  announce_order(b, OrderOf::kAtomic, i, 1, 2);
  atomic(b, i, 0, store_for(b, i), Kind::kI32, {b.ops.constant(Kind::kI32, 0)});
}

}  // namespace transpire::vm::builder::atomic
