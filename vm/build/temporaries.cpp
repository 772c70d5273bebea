#include "vm/build/temporaries.h"

#include <algorithm>

namespace transpire::vm::builder {
namespace {

/// Numbers alone are poisoned: the zero of a pointer, an event or an image means something.
bool is_of_numbers(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kBool:
    case Type::Kind::kInt:
    case Type::Kind::kFloat:
      return true;
    case Type::Kind::kVector:
    case Type::Kind::kArray:
      return is_of_numbers(*type.element);
    case Type::Kind::kStruct:
      return std::ranges::all_of(type.members, [](const auto& m) { return is_of_numbers(*m); });
    default:
      return false;
  }
}

}  // namespace

Temporaries::Temporaries(Core& core, PrivateVariables& variables, Accesses& accesses)
    : refusals_(core.refusals),
      writer_(core.writer),
      types_(core.types),
      ids_(core.ids),
      variables_(variables),
      accesses_(accesses),
      checks_uninit_(core.request.options.check_uninit),
      poisons_(core.request.options.poison) {}

ValueId Temporaries::make(const Type& type) {
  return ids_.mark_temporary(variables_.address(variables_.add("a value", type, type.align_bytes)));
}

void Temporaries::copy(const Type& type, ValueId target, ValueId source, lir::Space target_space,
                       MemoryOperands operands, lir::Space source_space) {
  accesses_.copy(target, source, writer_.constant(Kind::kI64, type.size_bytes),
                 byte_access(target_space, source_space, operands));
}

ValueId Temporaries::load(const Type& type, ValueId pointer, lir::Space space,
                          MemoryOperands operands) {
  const ValueId temporary = make(type);
  if (!refusals_.failed()) copy(type, temporary, pointer, lir::Space::kPrivate, operands, space);
  return temporary;
}

ValueId Temporaries::phi(const Type& type, ValueId* incoming) {
  const ValueId temporary = make(type);
  *incoming = make(type);
  if (!refusals_.failed()) copy(type, temporary, *incoming, lir::Space::kPrivate, {});
  return temporary;
}

ValueList Temporaries::zeros(const Type& type) {
  if (types_.is_held(type)) {
    // Private memory is zero at first, so nothing is written.
    const auto [entry, is_new] = zeros_.try_emplace(&type, 0);
    if (is_new) entry->second = make(type);
    return {entry->second};
  }
  ValueList values;
  for (const Kind kind : types_.layout(type).kinds) values.push_back(writer_.constant(kind, 0));
  return values;
}

ValueList Temporaries::undefined(const Type& type) {
  const bool poisoned = poisons_ && is_of_numbers(type);
  if (!checks_uninit_ && !poisoned) return zeros(type);
  if (types_.is_held(type)) {
    const ValueId temporary = make(type);
    if (const auto variable = variables_.variable_at(temporary)) variables_.undefine(*variable);
    return {temporary};
  }
  ValueList values;
  for (const Kind kind : types_.layout(type).kinds) {
    const std::uint64_t bits = poisoned ? poison_bits(kind) : 0;
    if (!checks_uninit_) {
      values.push_back(writer_.constant(kind, bits));
      continue;
    }
    lir::Value value;
    value.op = Op::kUndefined;
    value.kind = value.from = kind;
    value.imm = bits;
    values.push_back(writer_.place(std::move(value)));
  }
  return values;
}

}  // namespace transpire::vm::builder
