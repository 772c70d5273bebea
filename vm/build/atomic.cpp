// SPIR-V "Atomic Instructions". Scopes need no care, as every atomic is the host's; nor do
// semantics but those of stores: see vm/ops/atomic.def. An atomic flag is an i32, 0 when clear.
#include <fmt/format.h>

#include <optional>

#include "vm/build/builder.h"

namespace transpire::vm::builder {
namespace {

bool is_store(Op op) { return op == Op::kAtomicStore || op == Op::kAtomicStoreRelease; }

/// The store for semantics that are known to ask for less than sequential consistency.
Op store_for(Builder& b, const Instruction& i) {
  const std::optional<std::uint64_t> semantics = b.constant_of(b.operand_id(i, 2));
  constexpr auto kSequentiallyConsistent =
      static_cast<std::uint64_t>(spv::MemorySemanticsMask::SequentiallyConsistent);
  const bool weaker = semantics && (*semantics & kSequentiallyConsistent) == 0;
  return weaker ? Op::kAtomicStoreRelease : Op::kAtomicStore;
}

/// Places an atomic of operand kind `kind` on the pointer of operand 0.
ValueId atomic(Builder& b, const Instruction& i, std::size_t pointer_at, Op op, Kind kind,
               ValueList operands) {
  const Type* type = b.operand_type(i, pointer_at);
  const ValueId pointer = b.scalar_operand(i, pointer_at);
  if (b.failed() || !b.expect(type->kind == Type::Kind::kPointer && kind != Kind::kBool,
                              "an atomic needs a pointer to a number"))
    return b.constant(kind, 0);
  b.check_indexes(pointer);
  b.check_copies(pointer, b.space_of(*type), lane_bytes(kind), op != Op::kAtomicLoad);
  lir::MemAccess access;
  access.kind = kind;
  access.align_bytes = lane_bytes(kind);
  access.space = b.known_space(pointer, b.space_of(*type));
  access.no_write_parameter = op == Op::kAtomicLoad ? 0 : b.no_write_parameter(pointer);
  lir::Value value;
  value.op = op;
  value.kind = is_store(op) ? Kind::kVoid : kind;
  value.from = kind;
  value.imm = b.function().mem.size();
  value.args = {pointer};
  value.args.insert(value.args.end(), operands.begin(), operands.end());
  b.function().mem.push_back(access);
  return b.place(std::move(value));
}

Kind result_kind(Builder& b, const Instruction& i) { return b.scalar_kind(b.result_type(i)); }

void load(Builder& b, const Instruction& i, Op op) {
  b.define(i, {atomic(b, i, 0, op, result_kind(b, i), {})});
}

void store(Builder& b, const Instruction& i, Op) {
  const ValueId value = b.scalar_operand(i, 3);
  atomic(b, i, 0, store_for(b, i), b.kind_of(value), {value});
}

void modify(Builder& b, const Instruction& i, Op op) {
  const ValueId value = b.scalar_operand(i, 3);
  if (op != Op::kAtomicExchange && !b.expect_usual_mode(b.kind_of(value))) return;
  b.define(i, {atomic(b, i, 0, op, b.kind_of(value), {value})});
}

void modify_by_one(Builder& b, const Instruction& i, Op op) {
  const Kind kind = result_kind(b, i);
  b.define(i, {atomic(b, i, 0, op, kind, {b.constant(kind, 1)})});
}

void compare_exchange(Builder& b, const Instruction& i, Op op) {
  const ValueId value = b.scalar_operand(i, 4);
  const ValueId comparator = b.scalar_operand(i, 5);
  b.define(i, {atomic(b, i, 0, op, b.kind_of(value), {value, comparator})});
}

void flag_test_and_set(Builder& b, const Instruction& i, Op op) {
  const ValueId old = atomic(b, i, 0, op, Kind::kI32, {b.constant(Kind::kI32, 1)});
  b.define(i, {b.emit(Op::kINotEqual, {old, b.constant(Kind::kI32, 0)})});
}

void flag_clear(Builder& b, const Instruction& i, Op) {
  atomic(b, i, 0, store_for(b, i), Kind::kI32, {b.constant(Kind::kI32, 0)});
}

constexpr Row kRows[] = {
    {spv::Op::OpAtomicLoad, load, Op::kAtomicLoad},
    {spv::Op::OpAtomicStore, store, Op::kAtomicStore},
    {spv::Op::OpAtomicExchange, modify, Op::kAtomicExchange},
    {spv::Op::OpAtomicCompareExchange, compare_exchange, Op::kAtomicCompareExchange},
    {spv::Op::OpAtomicCompareExchangeWeak, compare_exchange, Op::kAtomicCompareExchange},
    {spv::Op::OpAtomicIIncrement, modify_by_one, Op::kAtomicIAdd},
    {spv::Op::OpAtomicIDecrement, modify_by_one, Op::kAtomicISub},
    {spv::Op::OpAtomicIAdd, modify, Op::kAtomicIAdd},
    {spv::Op::OpAtomicISub, modify, Op::kAtomicISub},
    {spv::Op::OpAtomicSMin, modify, Op::kAtomicSMin},
    {spv::Op::OpAtomicUMin, modify, Op::kAtomicUMin},
    {spv::Op::OpAtomicSMax, modify, Op::kAtomicSMax},
    {spv::Op::OpAtomicUMax, modify, Op::kAtomicUMax},
    {spv::Op::OpAtomicAnd, modify, Op::kAtomicAnd},
    {spv::Op::OpAtomicOr, modify, Op::kAtomicOr},
    {spv::Op::OpAtomicXor, modify, Op::kAtomicXor},
    {spv::Op::OpAtomicFAddEXT, modify, Op::kAtomicFAdd},
    {spv::Op::OpAtomicFMinEXT, modify, Op::kAtomicFMin},
    {spv::Op::OpAtomicFMaxEXT, modify, Op::kAtomicFMax},
    {spv::Op::OpAtomicFlagTestAndSet, flag_test_and_set, Op::kAtomicExchange},
    {spv::Op::OpAtomicFlagClear, flag_clear, Op::kAtomicStore},
};

}  // namespace

std::span<const Row> atomic_rows() { return kRows; }

}  // namespace transpire::vm::builder
