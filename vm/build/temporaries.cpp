#include "vm/build/temporaries.h"

namespace transpire::vm::builder {

Temporaries::Temporaries(Core& core, PrivateVariables& variables, Accesses& accesses)
    : refusals_(core.refusals),
      writer_(core.writer),
      types_(core.types),
      ids_(core.ids),
      variables_(variables),
      accesses_(accesses),
      checks_uninit_(core.request.options.check_uninit) {}

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
  if (!checks_uninit_) return zeros(type);
  if (types_.is_held(type)) {
    const ValueId temporary = make(type);
    if (const auto variable = variables_.variable_at(temporary)) variables_.undefine(*variable);
    return {temporary};
  }
  ValueList values;
  for (const Kind kind : types_.layout(type).kinds) {
    lir::Value value;
    value.op = Op::kUndefined;
    value.kind = value.from = kind;
    values.push_back(writer_.place(std::move(value)));
  }
  return values;
}

}  // namespace transpire::vm::builder
