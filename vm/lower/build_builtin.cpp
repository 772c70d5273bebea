// Built-in variables. A pointer to Input storage is no address: it names a builtin op, and loads of
// it become that op, one value a dimension. Ids and sizes are i64 and cut to the variable's type.
#include <fmt/format.h>

#include "vm/lower/builder.h"

namespace transpire::vm::builder {
namespace {

struct Builtin {
  spv::BuiltIn builtin;
  std::string_view name;
  Op op;
  std::uint32_t dimensions;
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
};

/// By decoration, else by the name that llvm-spirv gives such a variable.
const Builtin* find_builtin(const decoder::Variable& variable) {
  constexpr std::string_view kPrefix = "__spirv_BuiltIn";
  for (const Builtin& builtin : kBuiltins) {
    if (variable.is_builtin ? variable.builtin == builtin.builtin
                            : variable.name.starts_with(kPrefix) &&
                                  variable.name.substr(kPrefix.size()) == builtin.name)
      return &builtin;
  }
  return nullptr;
}

}  // namespace

Bound Builder::builtin_variable(const decoder::Variable& variable) {
  const Builtin* builtin = find_builtin(variable);
  const Type* pointee = variable.type == nullptr ? nullptr : variable.type->element;
  if (builtin == nullptr || pointee == nullptr) {
    refuse(Rule::kU0003,
           fmt::format("the built-in variable '{}'{} is not supported", variable.name,
                       variable.is_builtin
                           ? fmt::format(" (BuiltIn {})", static_cast<unsigned>(variable.builtin))
                           : ""));
    return {};
  }
  const bool is_vector = pointee->kind == Type::Kind::kVector;
  const Type& component = is_vector && pointee->element != nullptr ? *pointee->element : *pointee;
  const std::uint64_t count = is_vector ? pointee->count : 1;
  if (component.kind != Type::Kind::kInt || count > builtin->dimensions)
    malformed(fmt::format("the built-in variable {} cannot be of type {}", builtin->name,
                          decoder::spell(*pointee)));
  Bound bound;
  bound.input = add_input({builtin->op, pointee, builtin->dimensions, kNoValue});
  return bound;
}

/// One dimension, or the one that a dynamic component selects; out of range gives 0.
ValueList Builder::load_input(const InputPointer& pointer) {
  const bool is_vector = pointer.pointee->kind == Type::Kind::kVector;
  const Kind kind = scalar_kind(is_vector ? *pointer.pointee->element : *pointer.pointee);
  const auto dimension = [&](std::uint64_t d) {
    lir::Value value;
    value.op = pointer.op;
    value.kind = value.from = Kind::kI64;
    value.imm = d;
    return resize(place(std::move(value)), kind, false);
  };
  ValueList values;
  if (pointer.component == kNoValue) {
    const std::uint64_t count = is_vector ? pointer.pointee->count : 1;
    for (std::uint64_t d = 0; d < count; ++d) values.push_back(dimension(d));
    return values;
  }
  if (const auto known = constant_bits(pointer.component)) {
    values.push_back(*known < pointer.dimensions ? dimension(*known) : constant(kind, 0));
    return values;
  }
  ValueId result = constant(kind, 0);
  for (std::uint64_t d = 0; d < pointer.dimensions; ++d) {
    const ValueId is_selected = emit(Op::kIEqual, {pointer.component, constant(Kind::kI64, d)});
    result = select(is_selected, dimension(d), result);
  }
  values.push_back(result);
  return values;
}

/// An access chain into a built-in vector: at most an element 0 and one component.
void Builder::input_chain(const Instruction& instruction, const InputPointer& base,
                          bool has_element) {
  InputPointer result = base;
  std::size_t at = 1;
  if (has_element && !expect(signed_constant_of(operand_id(instruction, at++)) == 0,
                             "a built-in variable is no array"))
    return;
  if (at < instruction.operands.size()) {
    if (!expect(base.pointee->kind == Type::Kind::kVector && base.component == kNoValue &&
                    at + 1 == instruction.operands.size(),
                "an access chain goes too deep into a built-in variable"))
      return;
    result.component = resize(scalar(instruction.operands[at]), Kind::kI64, true);
    result.pointee = base.pointee->element;
  }
  if (failed()) return;
  Bound bound;
  bound.input = add_input(result);
  bind(instruction.result_id, bound);
}

}  // namespace transpire::vm::builder
