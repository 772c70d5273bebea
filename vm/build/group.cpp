// SPIR-V "Group Instructions" at work-group and sub-group scope: every work-item of the group executes
// them. Asynchronous copies.
#include "vm/build/group.h"

#include <fmt/format.h>

namespace transpire::vm::builder {

std::optional<spv::Scope> group_scope(Builder& b, const Instruction& i, std::size_t index) {
  const std::optional<std::uint64_t> scope = b.constant_of(b.operand_id(i, index));
  if (scope == static_cast<std::uint64_t>(spv::Scope::Workgroup)) return spv::Scope::Workgroup;
  if (scope == static_cast<std::uint64_t>(spv::Scope::Subgroup)) return spv::Scope::Subgroup;
  b.refuse(Rule::kU0001,
           scope ? fmt::format("the execution scope is {}, expected Workgroup (2) or Subgroup (3)",
                               *scope)
                 : "the execution scope must be a constant");
  return std::nullopt;
}

bool subgroup_scope(Builder& b, const Instruction& i, std::size_t index) {
  const std::optional<spv::Scope> scope = group_scope(b, i, index);
  if (scope == spv::Scope::Workgroup)
    b.refuse(Rule::kU0001, "the execution scope is Workgroup (2), expected Subgroup (3)");
  return scope == spv::Scope::Subgroup;
}

GroupOperation group_operation(const Builder& b, spv::Scope scope, bool uniform) {
  GroupOperation operation;
  operation.uniform = uniform;
  operation.checked = b.options().check_sync;
  operation.size = scope == spv::Scope::Subgroup ? b.subgroup_size() : 0;
  return operation;
}

ValueId not_of(Builder& b, ValueId condition) { return b.emit(Op::kLogicalNot, {condition}); }

ValueId place_group(Builder& b, Op op, GroupOperation operation, ValueId value, ValueId index) {
  const bool is_bool = b.kind_of(value) == Kind::kBool;
  if (is_bool) value = b.select(value, b.constant(Kind::kI8, 1), b.constant(Kind::kI8, 0));
  operation.kind = b.kind_of(value);
  lir::Value placed;
  placed.op = op;
  placed.kind = placed.from = operation.kind;
  placed.imm = operation.encode();
  placed.args = {value};
  if (index != kNoValue) placed.args.push_back(index);
  if (operation.size == 0) b.function().uses_barrier = true;
  const ValueId result = b.place(std::move(placed));
  return is_bool ? b.emit(Op::kINotEqual, {result, b.constant(Kind::kI8, 0)}) : result;
}

ValueId subgroup_lane(Builder& b) {
  const ValueId id = b.convert(Op::kTruncate, Kind::kI32, b.launch_id(Op::kLocalLinearId));
  return b.emit(Op::kBitwiseAnd, {id, b.constant(Kind::kI32, b.subgroup_size() - 1)});
}

ValueId ballot(Builder& b, ValueId predicate, bool uniform) {
  GroupOperation operation = group_operation(b, spv::Scope::Subgroup, uniform);
  lir::Value placed;
  placed.op = Op::kGroupBallot;
  placed.kind = Kind::kI64;
  placed.from = Kind::kBool;
  placed.imm = operation.encode();
  placed.args = {predicate};
  return b.place(std::move(placed));
}

ValueId vote_all(Builder& b, ValueId predicate, bool uniform) {
  return b.emit(Op::kIEqual, {ballot(b, not_of(b, predicate), uniform), b.constant(Kind::kI64, 0)});
}

ValueId vote_any(Builder& b, ValueId predicate, bool uniform) {
  return b.emit(Op::kINotEqual, {ballot(b, predicate, uniform), b.constant(Kind::kI64, 0)});
}

ValueList shuffle(Builder& b, Values values, ValueId lane) {
  const GroupOperation operation = group_operation(b, spv::Scope::Subgroup, false);
  ValueList result;
  for (const ValueId value : values)
    result.push_back(place_group(b, Op::kGroupShuffle, operation, value, lane));
  return result;
}

namespace {

ValueId combine(Builder& b, GroupOperation operation, Combine how, Scan scan, ValueId value) {
  operation.combine = how;
  operation.scan = scan;
  return place_group(b, Op::kGroupCombine, operation, value);
}

template <bool kAll>
void vote(Builder& b, const Instruction& i, Op) {
  const std::optional<spv::Scope> scope = group_scope(b, i);
  if (!scope) return;
  const ValueId predicate = b.scalar_operand(i, 1);
  if (b.failed()) return;
  if (*scope == spv::Scope::Subgroup)
    return b.define(i, {kAll ? vote_all(b, predicate, true) : vote_any(b, predicate, true)});
  b.define(i, {combine(b, group_operation(b, *scope, true), kAll ? Combine::kAnd : Combine::kOr,
                       Scan::kReduce, predicate)});
}

/// A local id of one to three components as the local linear id, an i64.
ValueId linear_id(Builder& b, Values id) {
  ValueId linear = b.constant(Kind::kI64, 0);
  for (std::size_t d = id.size(); d-- > 0;) {
    const ValueId scaled = b.emit(Op::kIMul, {linear, b.launch_id(Op::kLocalSize, d)});
    linear = b.emit(Op::kIAdd, {scaled, b.resize(id[d], Kind::kI64, false)});
  }
  return linear;
}

void broadcast(Builder& b, const Instruction& i, Op) {
  const std::optional<spv::Scope> scope = group_scope(b, i);
  const Values values = b.operand(i, 1);
  const Values id = b.operand(i, 2);
  if (b.failed() || !b.expect(!id.empty() && id.size() <= 3 && is_int(b.kind_of(id[0])),
                              "a local id has one to three integer components"))
    return;
  const ValueId index =
      *scope == spv::Scope::Subgroup ? b.resize(id[0], Kind::kI64, false) : linear_id(b, id);
  ValueList result;
  for (const ValueId value : values)
    result.push_back(
        place_group(b, Op::kGroupBroadcast, group_operation(b, *scope, true), value, index));
  b.define(i, std::move(result));
}

std::optional<Scan> scan_of(Builder& b, const Instruction& i) {
  switch (static_cast<spv::GroupOperation>(b.operand_id(i, 1))) {
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

/// By the kind of what is combined, so that no integer meets a floating-point operation.
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

template <Combine kHow>
void reduce(Builder& b, const Instruction& i, Op) {
  const std::optional<spv::Scope> scope = group_scope(b, i);
  const std::optional<Scan> scan = scan_of(b, i);
  const Values values = b.operand(i, 2);
  if (b.failed()) return;
  ValueList result;
  for (const ValueId value : values) {
    if (!b.expect(fits(kHow, b.kind_of(value)),
                  "the operand's type does not fit the instruction") ||
        !b.expect_usual_mode(b.kind_of(value)))
      return;
    result.push_back(combine(b, group_operation(b, *scope, true), kHow, *scan, value));
  }
  b.define(i, std::move(result));
}

// ---- Asynchronous copies ------------------------------------------------------------------------

/// No other scope is allowed, so one that only the run knows is taken for it.
bool work_group_scope(Builder& b, const Instruction& i) {
  if (!b.constant_of(b.operand_id(i, 0))) return true;
  const std::optional<spv::Scope> scope = group_scope(b, i);
  if (scope == spv::Scope::Subgroup)
    b.refuse(Rule::kU0001, "the execution scope is Subgroup (3), expected Workgroup (2)");
  return scope == spv::Scope::Workgroup;
}

void async_copy(Builder& b, const Instruction& i, Op op) {
  if (!work_group_scope(b, i)) return;
  const Type* target = b.operand_type(i, 1);
  const Type* source = b.operand_type(i, 2);
  const bool fits_together = !b.failed() && target->kind == Type::Kind::kPointer &&
                             target->element != nullptr && source->kind == Type::Kind::kPointer &&
                             source->element != nullptr && target->element->size_bytes != 0 &&
                             target->element->size_bytes == source->element->size_bytes &&
                             target->element->size_bytes <= 0xffffffffu;
  if (!b.expect(fits_together, "an asynchronous copy needs pointers to elements of one size"))
    return;
  lir::MemAccess element;
  element.kind = Kind::kI8;
  element.components = static_cast<std::uint32_t>(target->element->size_bytes);
  const ValueId from = b.scalar_operand(i, 2);
  const bool to_group = b.space_of(*target) == lir::Space::kWorkgroup;
  element.scale = to_group ? 0 : 1;
  element.space = b.space_of(*target);
  element.source_space = b.space_of(*source);
  element.offset = b.options().check_sync ? 1 : 0;
  lir::Value copy;
  copy.op = op;
  copy.kind = copy.from = Kind::kI64;
  copy.args = {b.scalar_operand(i, 1), from};
  for (const std::size_t index : {3, 4, 5})
    copy.args.push_back(b.resize(b.scalar_operand(i, index), Kind::kI64, false));
  if (b.failed()) return;
  copy.imm = b.function().mem.size();
  b.function().mem.push_back(element);
  b.function().uses_barrier = true;
  b.define(i, {b.place(std::move(copy))});
}

void wait_events(Builder& b, const Instruction& i, Op op) {
  if (!work_group_scope(b, i)) return;
  lir::Value wait;
  wait.op = op;
  wait.args = {b.resize(b.scalar_operand(i, 1), Kind::kI32, false), b.scalar_operand(i, 2)};
  wait.imm = WaitOperation{b.module().pointer_bytes(), b.options().check_sync}.encode();
  if (b.failed()) return;
  b.function().uses_barrier = true;
  b.place(std::move(wait));
}

constexpr Row kRows[] = {
    {spv::Op::OpGroupAll, vote<true>},
    {spv::Op::OpGroupAny, vote<false>},
    {spv::Op::OpGroupBroadcast, broadcast},
    {spv::Op::OpGroupIAdd, reduce<Combine::kIAdd>},
    {spv::Op::OpGroupFAdd, reduce<Combine::kFAdd>},
    {spv::Op::OpGroupFMin, reduce<Combine::kFMin>},
    {spv::Op::OpGroupUMin, reduce<Combine::kUMin>},
    {spv::Op::OpGroupSMin, reduce<Combine::kSMin>},
    {spv::Op::OpGroupFMax, reduce<Combine::kFMax>},
    {spv::Op::OpGroupUMax, reduce<Combine::kUMax>},
    {spv::Op::OpGroupSMax, reduce<Combine::kSMax>},
    {spv::Op::OpGroupIMulKHR, reduce<Combine::kIMul>},
    {spv::Op::OpGroupFMulKHR, reduce<Combine::kFMul>},
    {spv::Op::OpGroupBitwiseAndKHR, reduce<Combine::kAnd>},
    {spv::Op::OpGroupBitwiseOrKHR, reduce<Combine::kOr>},
    {spv::Op::OpGroupBitwiseXorKHR, reduce<Combine::kXor>},
    {spv::Op::OpGroupLogicalAndKHR, reduce<Combine::kAnd>},
    {spv::Op::OpGroupLogicalOrKHR, reduce<Combine::kOr>},
    {spv::Op::OpGroupLogicalXorKHR, reduce<Combine::kXor>},
    {spv::Op::OpGroupAsyncCopy, async_copy, Op::kAsyncCopy},
    {spv::Op::OpGroupWaitEvents, wait_events, Op::kWaitEvents},
};

}  // namespace

std::span<const Row> group_rows() { return kRows; }

}  // namespace transpire::vm::builder
