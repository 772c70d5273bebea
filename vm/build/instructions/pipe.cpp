#include "vm/build/instructions/pipe.h"

#include <fmt/format.h>

#include <bit>
#include <optional>

#include "base/narrow.h"
#include "decoder/grammar.h"
#include "vm/build/builder.h"
#include "vm/build/instructions/group_scope.h"
#include "vm/program/immediates.h"

namespace transpire::vm::builder::pipe {
namespace {

/// The operands that all pipe instructions have: the pipe, and last the packet's size and
/// alignment.
struct Accessed {
  ValueId pipe = kNoValue;
  ValueId packet_bytes = kNoValue;
  std::uint32_t align_bytes = 1;
};

/// Checks that the access qualifier permits the instruction.
bool permits(const Type& pipe, bool writes) {
  return pipe.access == (writes ? spv::AccessQualifier::WriteOnly : spv::AccessQualifier::ReadOnly);
}

/// The alignment, which pointers to packets have, as far as it is a constant that makes sense.
std::uint32_t packet_align(Builder& b, const Instruction& i) {
  const std::uint64_t align =
      b.ids.constant_of(b.ids.operand_id(i, i.operands.size() - 1)).value_or(1);
  return std::has_single_bit(align) && align <= 128 ? narrow<std::uint32_t>(align) : 1;
}

std::optional<Accessed> accessed(Builder& b, const Instruction& i, std::size_t at,
                                 std::optional<bool> writes) {
  const Type* const type = b.ids.operand_type(i, at);
  if (b.failed() || !b.expect(type->kind == Type::Kind::kPipe, "the operand is no pipe"))
    return std::nullopt;
  if (writes && !permits(*type, *writes)) {
    b.refuse(Rule::kU0004, fmt::format("{} needs a {} pipe", decoder::opcode_name(i.op),
                                       *writes ? "write_only" : "read_only"));
    return std::nullopt;
  }
  Accessed accessed;
  accessed.pipe = b.ids.scalar_operand(i, at);
  accessed.packet_bytes =
      b.ops.resize(b.ids.scalar_operand(i, i.operands.size() - 2), Kind::kI32, false);
  accessed.align_bytes = packet_align(b, i);
  b.writer.function().uses_pipes = true;
  return b.failed() ? std::nullopt : std::optional(accessed);
}

/// True if the reserving or committing op is for the pipe's writing end.
bool writes(spv::Op op) {
  return op == spv::Op::OpReserveWritePipePackets || op == spv::Op::OpCommitWritePipe ||
         op == spv::Op::OpGroupReserveWritePipePackets || op == spv::Op::OpGroupCommitWritePipe;
}

/// A reservation or commit: `op` of a work-item or of a group, with the operand in front of the packet's size.
void place(Builder& b, const Instruction& i, Op op, Op of_group, Kind kind, Kind result) {
  const bool is_group = op == of_group;
  const std::size_t at = is_group ? 1 : 0;
  PipeOperation operation;
  operation.writes = writes(i.op);
  if (is_group) {
    const std::optional<spv::Scope> scope = group_scope(b, i);
    if (!scope) return;
    operation.group = b.groups.operation(*scope, true);
    if (*scope == spv::Scope::Workgroup) b.writer.function().uses_barrier = true;
  }
  const std::optional<Accessed> pipe = accessed(b, i, at, operation.writes);
  if (!pipe) return;
  lir::Value value;
  value.op = op;
  value.kind = value.from = result;
  value.args = {pipe->pipe, b.ops.resize(b.ids.scalar_operand(i, at + 1), kind, false),
                pipe->packet_bytes};
  value.imm = operation.encode();
  if (b.failed()) return;
  const ValueId placed = b.writer.place(std::move(value));
  if (result != Kind::kVoid) b.ids.define(i, {placed});
}

void query(Builder& b, const Instruction& i, bool capacity) {
  const std::optional<Accessed> pipe = accessed(b, i, 0, std::nullopt);
  if (!pipe) return;
  PipeOperation operation;
  operation.capacity = capacity;
  lir::Value value;
  value.op = Op::kPipeQuery;
  value.kind = value.from = Kind::kI32;
  value.args = {pipe->pipe, pipe->packet_bytes};
  value.imm = operation.encode();
  b.ids.define(i, {b.writer.place(std::move(value))});
}

}  // namespace

void transfer(Builder& b, const Instruction& i, Op op) {
  const bool reserved = op == Op::kPipeReadReserved || op == Op::kPipeWriteReserved;
  const bool into_pipe = op == Op::kPipeWrite || op == Op::kPipeWriteReserved;
  const std::optional<Accessed> pipe = accessed(b, i, 0, into_pipe);
  if (!pipe) return;
  const std::size_t at = reserved ? 3 : 1;
  const Type* const pointer = b.ids.operand_type(i, at);
  if (b.failed() ||
      !b.expect(pointer->kind == Type::Kind::kPointer, "a packet is read and written by a pointer"))
    return;
  lir::MemAccess packet;
  packet.kind = Kind::kI8;
  packet.align_bytes = pipe->align_bytes;
  packet.space = packet.source_space = b.types.space_of(*pointer);
  lir::Value value;
  value.op = op;
  value.kind = value.from = Kind::kI32;
  value.args = {b.ids.scalar_operand(i, at), pipe->pipe, pipe->packet_bytes};
  if (reserved) {
    value.args.push_back(b.ids.scalar_operand(i, 1));
    value.args.push_back(b.ops.resize(b.ids.scalar_operand(i, 2), Kind::kI32, false));
  }
  if (b.failed()) return;
  value.imm = b.writer.function().mem.size();
  b.writer.function().mem.push_back(packet);
  b.ids.define(i, {b.writer.place(std::move(value))});
}

void reserve(Builder& b, const Instruction& i, Op op) {
  place(b, i, op, Op::kGroupPipeReserve, Kind::kI32, Kind::kI64);
}

void commit(Builder& b, const Instruction& i, Op op) {
  place(b, i, op, Op::kGroupPipeCommit, Kind::kI64, Kind::kVoid);
}

void is_valid(Builder& b, const Instruction& i, Op) {
  const Type* const type = b.ids.operand_type(i, 0);
  if (b.failed() ||
      !b.expect(type->kind == Type::Kind::kReserveId, "the operand is no reservation"))
    return;
  b.ids.define(
      i, {b.ops.emit(Op::kINotEqual, {b.ids.scalar_operand(i, 0), b.ops.constant(Kind::kI64, 0)})});
}

void available(Builder& b, const Instruction& i, Op) { query(b, i, false); }
void capacity(Builder& b, const Instruction& i, Op) { query(b, i, true); }

void storage(Builder& b, const Instruction& i, Op) {
  if (!b.expect(i.operands.size() >= 3,
                "pipe storage has a packet's size, alignment and a capacity"))
    return;
  const std::uint32_t bytes = i.operands[0], packets = i.operands[2];
  if (!b.expect(bytes != 0 && packets != 0, "pipe storage has room for no packet")) return;
  b.ids.define(i, {b.program_variables.pipe(i.result_id, bytes, packets)});
}

void create(Builder& b, const Instruction& i, Op) {
  const Type* const type = b.ids.operand_type(i, 0);
  if (b.failed() ||
      !b.expect(type->kind == Type::Kind::kPipeStorage, "the operand is no pipe storage"))
    return;
  b.ids.define(i, {b.ids.scalar_operand(i, 0)});
}

}  // namespace transpire::vm::builder::pipe
