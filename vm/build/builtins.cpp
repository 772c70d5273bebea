#include "vm/build/builtins.h"

#include <fmt/format.h>

#include "vm/build/subgroup_builtins.h"

namespace transpire::vm::builder {
namespace {

struct Builtin {
  spv::BuiltIn builtin;
  std::string_view name;
  Op op;
  std::uint32_t dimensions;
  ComputedBuiltin computed = nullptr;
};

constexpr Builtin kBuiltins[] = {
    {spv::BuiltIn::GlobalInvocationId, "GlobalInvocationId", Op::kGlobalId, 3},
    {spv::BuiltIn::LocalInvocationId, "LocalInvocationId", Op::kLocalId, 3},
    {spv::BuiltIn::WorkgroupId, "WorkgroupId", Op::kGroupId, 3},
    {spv::BuiltIn::NumWorkgroups, "NumWorkgroups", Op::kNumGroups, 3},
    {spv::BuiltIn::GlobalSize, "GlobalSize", Op::kGlobalSize, 3},
    {spv::BuiltIn::WorkgroupSize, "WorkgroupSize", Op::kLocalSize, 3},
    {spv::BuiltIn::EnqueuedWorkgroupSize, "EnqueuedWorkgroupSize", Op::kEnqueuedLocalSize, 3},
    {spv::BuiltIn::GlobalOffset, "GlobalOffset", Op::kGlobalOffset, 3},
    {spv::BuiltIn::WorkDim, "WorkDim", Op::kWorkDim, 1},
    {spv::BuiltIn::GlobalLinearId, "GlobalLinearId", Op::kGlobalLinearId, 1},
    {spv::BuiltIn::LocalInvocationIndex, "LocalInvocationIndex", Op::kLocalLinearId, 1},
    {spv::BuiltIn::SubgroupSize, "SubgroupSize", Op::kConst, 1, this_subgroup_size},
    {spv::BuiltIn::SubgroupMaxSize, "SubgroupMaxSize", Op::kConst, 1, max_subgroup_size},
    {spv::BuiltIn::NumSubgroups, "NumSubgroups", Op::kConst, 1, num_subgroups},
    {spv::BuiltIn::NumEnqueuedSubgroups, "NumEnqueuedSubgroups", Op::kConst, 1,
     num_enqueued_subgroups},
    {spv::BuiltIn::SubgroupId, "SubgroupId", Op::kConst, 1, subgroup_id},
    {spv::BuiltIn::SubgroupLocalInvocationId, "SubgroupLocalInvocationId", Op::kConst, 1,
     subgroup_local_id},
    {spv::BuiltIn::SubgroupEqMask, "SubgroupEqMask", Op::kConst, 4, subgroup_eq_mask},
    {spv::BuiltIn::SubgroupGeMask, "SubgroupGeMask", Op::kConst, 4, subgroup_ge_mask},
    {spv::BuiltIn::SubgroupGtMask, "SubgroupGtMask", Op::kConst, 4, subgroup_gt_mask},
    {spv::BuiltIn::SubgroupLeMask, "SubgroupLeMask", Op::kConst, 4, subgroup_le_mask},
    {spv::BuiltIn::SubgroupLtMask, "SubgroupLtMask", Op::kConst, 4, subgroup_lt_mask},
};

bool is_size(Op op) {
  return op == Op::kGlobalSize || op == Op::kLocalSize || op == Op::kEnqueuedLocalSize ||
         op == Op::kNumGroups;
}

/// Finds the built-in by its decoration, else by the name that llvm-spirv gives such a variable;
/// some compilers append "KHR".
const Builtin* find_builtin(const decoder::Variable& variable) {
  constexpr std::string_view kPrefix = "__spirv_BuiltIn", kSuffix = "KHR";
  std::string_view name = variable.name;
  if (name.ends_with(kSuffix)) name.remove_suffix(kSuffix.size());
  for (const Builtin& builtin : kBuiltins) {
    if (variable.is_builtin
            ? variable.builtin == builtin.builtin
            : name.starts_with(kPrefix) && name.substr(kPrefix.size()) == builtin.name)
      return &builtin;
  }
  return nullptr;
}

}  // namespace

Bound Builtins::variable(const decoder::Variable& variable) {
  const Builtin* builtin = find_builtin(variable);
  const Type* pointee = variable.type == nullptr ? nullptr : variable.type->element;
  if (builtin == nullptr || pointee == nullptr) {
    refusals_.refuse(
        Rule::kU0003,
        fmt::format("the built-in variable '{}'{} is not supported", variable.name,
                    variable.is_builtin
                        ? fmt::format(" (BuiltIn {})", static_cast<unsigned>(variable.builtin))
                        : ""));
    return {};
  }
  const bool is_vector = pointee->kind == Type::Kind::kVector;
  const Type& component = is_vector && pointee->element != nullptr ? *pointee->element : *pointee;
  const std::uint64_t count = is_vector ? pointee->count : 1;
  if (component.kind != Type::Kind::kInt || count > builtin->dimensions) {
    refusals_.malformed(fmt::format("the built-in variable {} cannot be of type {}", builtin->name,
                                    decoder::spell(*pointee)));
    return {};
  }
  InputPointer pointer;
  pointer.op = builtin->op;
  pointer.computed = builtin->computed;
  pointer.dimensions = builtin->dimensions;
  pointer.component = types_.scalar_kind(component);
  pointer.pointee = pointee;
  return ids_.add_input(pointer);
}

ValueList Builtins::load(const InputPointer& pointer, const Type& type) {
  const std::uint32_t size = lane_bytes(pointer.component);
  const auto first = static_cast<std::uint64_t>(pointer.offset) / size;
  const auto byte = static_cast<std::uint64_t>(pointer.offset) % size;
  const std::vector<Kind> kinds = types_.layout(type).kinds;
  ValueList values;
  for (std::uint64_t c = 0; c < kinds.size() && !refusals_.failed(); ++c) {
    const bool fits = is_int(kinds[c]) && byte + lane_bytes(kinds[c]) <= size &&
                      (kinds.size() == 1 || kinds[c] == pointer.component);
    if (!refusals_.expect(fits, "a load of a built-in variable crosses its components")) break;
    ValueId value = pointer.index == kNoValue ? component(pointer, first + c)
                                              : indexed_component(pointer, first + c);
    if (byte != 0)
      value = ops_.emit(Op::kShiftRightLogical, {value, ops_.constant(Kind::kI64, byte * 8)});
    values.push_back(ops_.resize(value, kinds[c], false));
  }
  return values;
}

void Builtins::chain(const Instruction& instruction, InputPointer pointer, bool has_element) {
  std::size_t at = 1;
  if (has_element && !step(pointer, ids_.operand_id(instruction, at++), *pointer.pointee)) return;
  for (; at < instruction.operands.size() && !refusals_.failed(); ++at) {
    const Type* element = pointer.pointee->element;
    const bool is_vector = pointer.pointee->kind == Type::Kind::kVector && element != nullptr;
    if (!refusals_.expect(is_vector, "an access chain goes too deep into a built-in variable"))
      return;
    if (!step(pointer, instruction.operands[at], *element)) return;
    pointer.pointee = element;
  }
  if (refusals_.failed()) return;
  ids_.bind(instruction.result_id, ids_.add_input(pointer));
}

void Builtins::cast(const Instruction& instruction, InputPointer pointer) {
  const Type& type = types_.result_type(instruction);
  if (refusals_.failed()) return;
  if (type.kind != Type::Kind::kPointer || type.element == nullptr)
    return refusals_.refuse(Rule::kU0001, "a pointer to a built-in variable is cast to no pointer");
  pointer.pointee = type.element;
  ids_.bind(instruction.result_id, ids_.add_input(pointer));
}

/// Goes on by `index` elements of a type. A dynamic index must count components.
bool Builtins::step(InputPointer& pointer, Id index, const Type& element) {
  if (const std::optional<std::int64_t> known = ids_.signed_constant_of(index)) {
    const std::uint64_t step = static_cast<std::uint64_t>(*known) * element.size_bytes;
    pointer.offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(pointer.offset) + step);
    return true;
  }
  if (pointer.index != kNoValue || element.size_bytes != lane_bytes(pointer.component)) {
    refusals_.refuse(Rule::kU0001,
                     "a dynamic index into a built-in variable does not count its components");
    return false;
  }
  pointer.index = ops_.resize(ids_.scalar(index), Kind::kI64, true);
  return true;
}

std::optional<std::uint64_t> Builtins::missing_dimension(Values vector) const {
  if (vector.empty()) return std::nullopt;
  const lir::Value* value = &writer_.function().values[vector[0]];
  if (value->op == Op::kTruncate || value->op == Op::kZeroExtend)
    value = &writer_.function().values[value->args[0]];
  for (const Builtin& builtin : kBuiltins)
    if (builtin.dimensions == 3 && builtin.op == value->op) return is_size(builtin.op) ? 1 : 0;
  return std::nullopt;
}

ValueId Builtins::component_at(Values vector, ValueId index) {
  if (!refusals_.expect(!vector.empty() && is_int(ops_.kind_of(index)),
                        "a component is selected from no vector, or by no integer"))
    return ops_.constant(Kind::kI32, 0);
  ValueId result = ops_.constant(ops_.kind_of(vector[0]), missing_dimension(vector).value_or(0));
  if (const auto known = writer_.constant_bits(index))
    return *known < vector.size() ? vector[*known] : result;
  for (std::size_t c = 0; c < vector.size(); ++c)
    result = ops_.select(ops_.emit(Op::kIEqual, {index, ops_.constant(ops_.kind_of(index), c)}),
                         vector[c], result);
  return result;
}

/// The component that is `offset` components behind a dynamic index.
ValueId Builtins::indexed_component(const InputPointer& pointer, std::uint64_t offset) {
  ValueList all;
  for (std::uint64_t d = 0; d < pointer.dimensions; ++d) all.push_back(component(pointer, d));
  const ValueId steps = ops_.constant(Kind::kI64, offset);
  return component_at(all,
                      offset == 0 ? pointer.index : ops_.emit(Op::kIAdd, {pointer.index, steps}));
}

/// A component of the variable, an i64; one that does not exist is 1 for sizes and 0 for ids.
ValueId Builtins::component(const InputPointer& pointer, std::uint64_t component) {
  if (component >= pointer.dimensions)
    return ops_.constant(Kind::kI64, is_size(pointer.op) ? 1 : 0);
  if (pointer.computed != nullptr) return pointer.computed(groups_, component);
  return ops_.launch_id(pointer.op, component);
}

}  // namespace transpire::vm::builder
