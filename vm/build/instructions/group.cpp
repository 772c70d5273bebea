#include "vm/build/instructions/group.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/narrow.h"
#include "decoder/untyped.h"
#include "vm/build/builder.h"
#include "vm/build/instructions/group_scope.h"

namespace transpire::vm::builder::group {
namespace {

/// A local id of one to three components as the local linear id, an i64.
ValueId linear_id(Builder& b, Values id) {
  ValueId linear = b.ops.constant(Kind::kI64, 0);
  for (std::size_t d = id.size(); d-- > 0;) {
    const ValueId scaled = b.ops.emit(Op::kIMul, {linear, b.ops.launch_id(Op::kLocalSize, d)});
    linear = b.ops.emit(Op::kIAdd, {scaled, b.ops.resize(id[d], Kind::kI64, false)});
  }
  return linear;
}

std::optional<Scan> scan_of(Builder& b, const Instruction& i) {
  switch (static_cast<spv::GroupOperation>(b.ids.operand_id(i, 1))) {
    case spv::GroupOperation::Reduce:
      return Scan::kReduce;
    case spv::GroupOperation::InclusiveScan:
      return Scan::kInclusive;
    case spv::GroupOperation::ExclusiveScan:
      return Scan::kExclusive;
    default:
      b.refuse(Rule::kU0001,
               fmt::format("the group operation is {}, expected Reduce (0), InclusiveScan (1) or "
                           "ExclusiveScan (2)",
                           i.operands[1]));
      return std::nullopt;
  }
}

/// Decides by the kind of the elements, so that no integer meets a floating-point operation.
bool fits(Combine how, Kind kind) {
  switch (how) {
    case Combine::kFAdd:
    case Combine::kFMul:
    case Combine::kFMin:
    case Combine::kFMax:
      return is_float(kind);
    case Combine::kAnd:
    case Combine::kOr:
    case Combine::kXor:
      return is_int(kind) || kind == Kind::kBool;
    default:
      return is_int(kind);
  }
}

/// No other scope is allowed, so one that only the run knows is taken for it.
bool work_group_scope(Builder& b, const Instruction& i) {
  if (!b.ids.constant_of(b.ids.operand_id(i, 0))) return true;
  const std::optional<spv::Scope> scope = group_scope(b, i);
  if (scope == spv::Scope::Subgroup)
    b.refuse(Rule::kU0001, "the execution scope is Subgroup (3), expected Workgroup (2)");
  return scope == spv::Scope::Workgroup;
}

void vote(Builder& b, const Instruction& i, bool all) {
  const std::optional<spv::Scope> scope = group_scope(b, i);
  if (!scope) return;
  const ValueId predicate = b.ids.scalar_operand(i, 1);
  if (b.failed()) return;
  if (*scope == spv::Scope::Subgroup)
    return b.ids.define(
        i, {all ? b.groups.vote_all(predicate, true) : b.groups.vote_any(predicate, true)});
  b.ids.define(i, {b.groups.combine(b.groups.operation(*scope, true),
                                    all ? Combine::kAnd : Combine::kOr, Scan::kReduce, predicate)});
}

/// AsyncCopy's scale: bits that say whether the target has the stride, not the source, and whether the stride counts bytes.
constexpr std::int64_t kTargetStrides = 1, kStrideInBytes = 2;

/// Places a copy of elements from the pointer in operand 2 to that in operand 1. Operands `count_at` to `count_at` + 2 are the count, the
/// stride and the event. `element`: size and alignment of an element, and the unit of the stride.
void place_async_copy(Builder& b, const Instruction& i, Op op, lir::MemAccess element,
                      std::size_t count_at) {
  const Type& target = *b.ids.operand_type(i, 1);
  const Type& source = *b.ids.operand_type(i, 2);
  element.kind = Kind::kI8;
  const ValueId from = b.ids.scalar_operand(i, 2);
  const bool to_group = b.types.space_of(target) == lir::Space::kWorkgroup;
  if (!to_group) element.scale |= kTargetStrides;
  element.space = b.types.space_of(target);
  element.source_space = b.types.space_of(source);
  element.offset = b.request.options.check_sync ? 1 : 0;
  lir::Value copy;
  copy.op = op;
  copy.kind = copy.from = Kind::kI64;
  copy.args = {b.ids.scalar_operand(i, 1), from};
  for (std::size_t index = count_at; index < count_at + 3; ++index)
    copy.args.push_back(b.ops.resize(b.ids.scalar_operand(i, index), Kind::kI64, false));
  if (!b.failed() && b.request.options.check_ub)
    b.checks.never(Rule::kR0067,
                   b.ops.emit(Op::kIEqual, {copy.args[3], b.ops.constant(Kind::kI64, 0)}),
                   "an asynchronous copy with a stride of 0");
  if (b.failed()) return;
  copy.imm = b.writer.function().mem.size();
  b.writer.function().mem.push_back(element);
  b.writer.function().uses_barrier = true;
  b.ids.define(i, {b.writer.place(std::move(copy))});
}

}  // namespace

void all(Builder& b, const Instruction& i, Op) { vote(b, i, true); }
void any(Builder& b, const Instruction& i, Op) { vote(b, i, false); }

void broadcast(Builder& b, const Instruction& i, Op) {
  const std::optional<spv::Scope> scope = group_scope(b, i);
  const Values values = b.ids.operand(i, 1);
  const Values id = b.ids.operand(i, 2);
  if (b.failed() || !b.expect(!id.empty() && id.size() <= 3 && is_int(b.ops.kind_of(id[0])),
                              "a local id has one to three integer components"))
    return;
  const ValueId index =
      *scope == spv::Scope::Subgroup ? b.ops.resize(id[0], Kind::kI64, false) : linear_id(b, id);
  ValueList result;
  for (const ValueId value : values)
    result.push_back(
        b.groups.place(Op::kGroupBroadcast, b.groups.operation(*scope, true), value, index));
  b.ids.define(i, std::move(result));
}

void reduce(Builder& b, const Instruction& i, Combine how) {
  const std::optional<spv::Scope> scope = group_scope(b, i);
  const std::optional<Scan> scan = scan_of(b, i);
  const Values values = b.ids.operand(i, 2);
  if (b.failed()) return;
  ValueList result;
  for (const ValueId value : values) {
    if (!b.expect(fits(how, b.ops.kind_of(value)),
                  "the operand's type does not fit the instruction") ||
        !b.float_mode.expect_usual(b.ops.kind_of(value)))
      return;
    result.push_back(b.groups.combine(b.groups.operation(*scope, true), how, *scan, value));
  }
  b.ids.define(i, std::move(result));
}

/// True if the elements are vectors of three components, whatever the pointer was cast to.
bool is_three(Builder& b, Id pointer, const Type& type) {
  const Type* const real = b.pointers.pointee_before_casts(pointer);
  const Type& element = real == nullptr ? *type.element : *real;
  return element.kind == Type::Kind::kVector && element.count == 3;
}

/// The alignment of the element's type, unless the pointer leads into a packed struct.
std::uint64_t element_alignment(Builder& b, Id pointer, const Type& element) {
  const Bound* const bound = b.ids.find_variable(pointer);
  const std::uint32_t limit = bound == nullptr ? 0 : bound->align_limit;
  return limit == 0 ? element.align_bytes : std::min<std::uint64_t>(element.align_bytes, limit);
}

void async_copy(Builder& b, const Instruction& i, Op op) {
  if (!work_group_scope(b, i)) return;
  const Type* target = b.ids.operand_type(i, 1);
  const Type* source = b.ids.operand_type(i, 2);
  const auto leads_to_object = [](const Type& type) {
    return type.kind == Type::Kind::kPointer && type.element != nullptr &&
           !decoder::is_untyped(type) && type.element->size_bytes != 0;
  };
  const bool fits_together = !b.failed() && leads_to_object(*target) && leads_to_object(*source) &&
                             target->element->size_bytes == source->element->size_bytes &&
                             target->element->size_bytes <= 0xffffffffu;
  if (!b.expect(fits_together, "an asynchronous copy needs pointers to elements of one size"))
    return;
  lir::MemAccess element;
  element.scale = 0;
  element.components = narrow<std::uint32_t>(target->element->size_bytes);
  element.is_padded = is_three(b, i.operands[1], *target) || is_three(b, i.operands[2], *source);
  // Both ends get the alignment of the less strict type.
  element.align_bytes =
      narrow<std::uint32_t>(std::min(element_alignment(b, i.operands[1], *target->element),
                                     element_alignment(b, i.operands[2], *source->element)));
  place_async_copy(b, i, op, element, 3);
}

/// The size of an element is operand 3, and the stride counts bytes.
void untyped_async_copy(Builder& b, const Instruction& i, Op op) {
  if (!work_group_scope(b, i)) return;
  for (const std::size_t index : {1, 2})
    if (const Type* type = b.ids.operand_type(i, index);
        b.failed() || !b.expect(type->kind == Type::Kind::kPointer && decoder::is_untyped(*type),
                                "the operand is no untyped pointer"))
      return;
  const std::optional<std::uint64_t> bytes = b.ops.constant_bits(b.ids.scalar_operand(i, 3));
  if (b.failed()) return;
  if (!bytes || *bytes == 0 || *bytes > 0xffffffffu)
    return b.refuse(Rule::kU0003,
                    "an asynchronous copy of elements whose size is no constant is not supported");
  lir::MemAccess element;
  element.components = narrow<std::uint32_t>(*bytes);
  element.scale = kStrideInBytes;
  place_async_copy(b, i, op, element, 4);
}

void wait_events(Builder& b, const Instruction& i, Op op) {
  if (!work_group_scope(b, i)) return;
  lir::Value wait;
  wait.op = op;
  wait.args = {b.ops.resize(b.ids.scalar_operand(i, 1), Kind::kI32, false),
               b.ids.scalar_operand(i, 2)};
  wait.imm = WaitOperation{b.request.module.pointer_bytes(), b.request.options.check_sync}.encode();
  if (b.failed()) return;
  b.writer.function().uses_barrier = true;
  b.writer.place(std::move(wait));
}

}  // namespace transpire::vm::builder::group
