#include "vm/build/instructions/enqueue.h"

#include <fmt/format.h>

#include <optional>

#include "base/narrow.h"
#include "decoder/grammar.h"
#include "transpire/launch_rules.hpp"
#include "vm/build/builder.h"

namespace transpire::vm::builder::enqueue {
namespace {

/// An ND-range: dimensions, then offset, global size and local size, three each.
constexpr std::size_t kRangeScalars = EnqueueInfo::kRangeScalars;

std::uint8_t space_of(Builder& b, const Instruction& i, std::size_t at) {
  const Type* const type = b.ids.operand_type(i, at);
  if (b.failed() || !b.expect(type->kind == Type::Kind::kPointer, "the operand is no pointer"))
    return kGenericSpace;
  return narrow<std::uint8_t>(b.types.space_of(*type));
}

/// The scalars of an operand that SPIR-V has as a value, and the translator of LLVM's as a pointer to one.
Values value_or_pointee(Builder& b, const Instruction& i, std::size_t at) {
  const Type* const type = b.ids.operand_type(i, at);
  if (b.failed()) return {};
  if (type->kind != Type::Kind::kPointer) return b.ids.operand(i, at);
  if (!b.expect(type->element != nullptr, "a pointer has no pointee")) return {};
  const ValueId pointer = b.ids.scalar_operand(i, at);
  if (b.failed()) return {};
  return b.ids.keep(b.memory.load(*type->element, pointer, b.types.space_of(*type), {}));
}

/// Kinds of LIR's: an i32, then i64s.
ValueList range_operand(Builder& b, const Instruction& i, std::size_t at) {
  const Values given = value_or_pointee(b, i, at);
  if (b.failed() || !b.expect(given.size() == kRangeScalars, "the operand is no ND-range"))
    return {};
  ValueList scalars;
  for (std::size_t k = 0; k < kRangeScalars; ++k)
    scalars.push_back(b.ops.resize(given[k], k == 0 ? Kind::kI32 : Kind::kI64, false));
  return scalars;
}

ValueId short_operand(Builder& b, const Instruction& i, std::size_t at) {
  return b.ops.resize(b.ids.scalar_operand(i, at), Kind::kI32, false);
}

std::uint32_t handle_bytes(const Builder& b) { return b.request.module.pointer_bytes(); }

ValueId place(Builder& b, Op op, Kind result, ValueList args, std::uint64_t imm = 0) {
  lir::Value value;
  value.op = op;
  value.kind = value.from = result;
  value.args = std::move(args);
  value.imm = imm;
  b.writer.function().uses_queue = true;
  return b.writer.place(std::move(value));
}

std::uint64_t add(Builder& b, const EnqueueInfo& info) {
  std::vector<EnqueueInfo>& all = b.writer.function().enqueues;
  all.push_back(info);
  return all.size() - 1;
}

/// True if its first parameter is a pointer, the block's, and the others are pointers to local
/// memory.
bool takes_a_block(const decoder::Function& function) {
  for (const decoder::Parameter& parameter : function.parameters) {
    if (parameter.type == nullptr || parameter.type->kind != Type::Kind::kPointer) return false;
    const bool is_first = &parameter == function.parameters.data();
    if (!is_first && parameter.type->storage_class != spv::StorageClass::Workgroup) return false;
  }
  return !function.parameters.empty();
}

/// True if the block can lie in memory of its own, which the caller of the function relies on.
bool is_block_space(spv::StorageClass storage) {
  return storage == spv::StorageClass::Generic || storage == spv::StorageClass::CrossWorkgroup ||
         storage == spv::StorageClass::UniformConstant;
}

/// The function that operand `at` names.
const decoder::Function* invoked(Builder& b, const Instruction& i, std::size_t at) {
  const decoder::Function* const function = b.request.module.function(b.ids.operand_id(i, at));
  if (b.failed() || !b.expect(function != nullptr, "the operand is no function") ||
      !b.expect(takes_a_block(*function),
                "an enqueued function takes a pointer, and others to local memory"))
    return nullptr;
  if (function->is_import()) {
    b.refusals.refuse_import(function->name);
    return nullptr;
  }
  const spv::StorageClass storage = function->parameters[0].type->storage_class;
  if (is_block_space(storage)) return function;
  b.refuse(
      Rule::kU0003,
      fmt::format("{} of a function whose first parameter points to {} memory is not supported",
                  decoder::opcode_name(i.op),
                  decoder::enumerant_name(decoder::OperandKind::kStorageClass,
                                          narrow<std::uint32_t>(storage))));
  return nullptr;
}

/// A query's answer that is the same for every function.
void answer(Builder& b, const Instruction& i, std::uint64_t number) {
  b.ids.define(i, {b.ops.constant(Kind::kI32, number)});
}

/// Sub-group size of an enqueued function without an execution mode for it.
std::uint32_t subgroup_items(const Builder& b) { return b.request.options.enqueued_subgroup_items; }

}  // namespace

void kernel(Builder& b, const Instruction& i, Op) {
  constexpr std::size_t kRange = 2, kWaits = 4, kEvent = 5, kInvoke = 6, kBlock = 7, kBytes = 8,
                        kLocalSizes = 10;
  if (!b.expect(i.operands.size() >= kLocalSizes, "OpEnqueueKernel has too few operands")) return;
  const decoder::Function* const function = invoked(b, i, kInvoke);
  if (function == nullptr) return;
  EnqueueInfo info;
  info.function = function->id;
  info.local_sizes = narrow<std::uint32_t>(i.operands.size() - kLocalSizes);
  info.event_bytes = handle_bytes(b);
  info.wait_space = space_of(b, i, kWaits);
  info.event_space = space_of(b, i, kEvent);
  info.block_space = space_of(b, i, kBlock);
  if (!b.expect(info.local_sizes + 1 == function->parameters.size(),
                "OpEnqueueKernel has another number of local sizes than its function takes"))
    return;
  ValueList args{b.ids.scalar_operand(i, 0),      short_operand(b, i, 1),
                 short_operand(b, i, 3),          b.ids.scalar_operand(i, kWaits),
                 b.ids.scalar_operand(i, kEvent), b.ids.scalar_operand(i, kBlock),
                 short_operand(b, i, kBytes)};
  const ValueList range = range_operand(b, i, kRange);
  args.insert(args.end(), range.begin(), range.end());
  for (std::size_t at = kLocalSizes; at < i.operands.size() && !b.failed(); ++at) {
    const Values size = value_or_pointee(b, i, at);
    if (b.failed() || !b.expect(size.size() == 1, "a local size is a scalar")) return;
    args.push_back(b.ops.resize(size[0], Kind::kI64, false));
  }
  if (b.failed()) return;
  const std::uint64_t imm = add(b, info);
  b.ids.define(i, {place(b, Op::kEnqueueKernel, Kind::kI32, std::move(args), imm)});
}

void marker(Builder& b, const Instruction& i, Op) {
  constexpr std::size_t kWaits = 2, kEvent = 3;
  EnqueueInfo info;
  info.event_bytes = handle_bytes(b);
  info.wait_space = space_of(b, i, kWaits);
  info.event_space = space_of(b, i, kEvent);
  ValueList args{b.ids.scalar_operand(i, 0), short_operand(b, i, 1),
                 b.ids.scalar_operand(i, kWaits), b.ids.scalar_operand(i, kEvent)};
  if (b.failed()) return;
  const std::uint64_t imm = add(b, info);
  b.ids.define(i, {place(b, Op::kEnqueueMarker, Kind::kI32, std::move(args), imm)});
}

void nd_range(Builder& b, const Instruction& i, Op) {
  const Layout& layout = b.types.result_layout(i);
  if (b.failed() || !b.expect(layout.kinds.size() == kRangeScalars, "the result is no ND-range"))
    return;
  // In the order of the operands: global size, local size, offset.
  const Values global = value_or_pointee(b, i, 0), local = value_or_pointee(b, i, 1),
               offset = value_or_pointee(b, i, 2);
  const std::size_t dimensions = global.size();
  if (b.failed() || !b.expect(dimensions >= 1 && dimensions <= 3 && local.size() == dimensions &&
                                  offset.size() == dimensions,
                              "the sizes of an ND-range have 1 to 3 dimensions, all as many"))
    return;
  ValueList scalars{b.ops.constant(layout.kinds[0], dimensions)};
  const auto append = [&](Values values, std::uint64_t unused) {
    for (std::size_t d = 0; d < 3; ++d) {
      const Kind kind = layout.kinds[scalars.size()];
      scalars.push_back(d < dimensions ? b.ops.resize(values[d], kind, false)
                                       : b.ops.constant(kind, unused));
    }
  };
  append(offset, 0);
  append(global, 1);
  append(local, 1);
  if (!b.failed()) b.ids.define(i, std::move(scalars));
}

void make(Builder& b, const Instruction& i, Op op) {
  b.ids.define(i, {place(b, op, Kind::kI64, {})});
}

void on_event(Builder& b, const Instruction& i, Op op) {
  ValueList args{b.ids.scalar_operand(i, 0)};
  if (op == Op::kSetUserEventStatus) args.push_back(short_operand(b, i, 1));
  if (!b.failed()) place(b, op, Kind::kVoid, std::move(args));
}

void is_valid(Builder& b, const Instruction& i, Op op) {
  const ValueId event = b.ids.scalar_operand(i, 0);
  if (b.failed()) return;
  const ValueId known = place(b, op, Kind::kI32, {event});
  b.ids.define(i, {b.ops.emit(Op::kINotEqual, {known, b.ops.constant(Kind::kI32, 0)})});
}

void capture(Builder& b, const Instruction& i, Op op) {
  EnqueueInfo info;
  info.event_space = space_of(b, i, 2);
  ValueList args{b.ids.scalar_operand(i, 0), short_operand(b, i, 1), b.ids.scalar_operand(i, 2)};
  if (b.failed()) return;
  const std::uint64_t imm = add(b, info);
  place(b, op, Kind::kVoid, std::move(args), imm);
}

void group_size(Builder& b, const Instruction& i, Op) {
  if (invoked(b, i, 0) != nullptr) answer(b, i, kMaxGroupItems);
}

void preferred_multiple(Builder& b, const Instruction& i, Op) {
  if (invoked(b, i, 0) != nullptr) answer(b, i, b.request.options.lanes);
}

void subgroup_size(Builder& b, const Instruction& i, Op) {
  if (invoked(b, i, 1) != nullptr) answer(b, i, subgroup_items(b));
}

void most_subgroups(Builder& b, const Instruction& i, Op) {
  if (invoked(b, i, 0) != nullptr) answer(b, i, kMaxGroupItems / subgroup_items(b));
}

void subgroup_count(Builder& b, const Instruction& i, Op) {
  ValueList range = range_operand(b, i, 0);
  const decoder::Function* const function = b.failed() ? nullptr : invoked(b, i, 1);
  if (function == nullptr) return;
  EnqueueInfo info;
  info.function = function->id;
  const std::uint64_t imm = add(b, info);
  b.ids.define(i, {place(b, Op::kCountSubgroups, Kind::kI32, std::move(range), imm)});
}

void local_size_for(Builder& b, const Instruction& i, Op) {
  const ValueId count = short_operand(b, i, 0);
  if (b.failed() || invoked(b, i, 1) == nullptr) return;
  const auto number = [&](std::uint64_t n) { return b.ops.constant(Kind::kI32, n); };
  const std::uint64_t size = subgroup_items(b);
  const ValueId fits = b.ops.emit(Op::kULessThanEqual, {count, number(kMaxGroupItems / size)});
  const ValueId items = b.ops.emit(Op::kIMul, {count, number(size)});
  if (!b.failed()) b.ids.define(i, {b.ops.select(fits, items, number(0))});
}

}  // namespace transpire::vm::builder::enqueue
